// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// Whether a classifier's input is an image.
///
/// Keyword spotters and sensors' models have inputs [1, H, W, 1] as grey images have, so that the shape alone shows
/// nothing. The caller or the metadata can say it; else the sides, the numbers and the convolutions have to be an image's.
struct ImageEvidence {
  /// The shortest side of a grey image, that of digits being 28.
  private static let leastSide = 24
  /// Parts of a tensor's name that show an image.
  private static let parts = ["image", "img", "pixel", "picture", "photo", "camera"]
  /// The widest range of numbers that pixels are normalised to: −2.7…2.7 and the like.
  private static let widestNormalized: Float = 12

  private let input: TensorDescription
  private let picture: ImageShape

  /// What a model is whose input is no image.
  /// - Parameters:
  ///   - loaded: The model.
  ///   - signature: Its tensors with the shapes that they have when it runs.
  ///   - normalization: What the caller gives for pixels, who says by that that there are some.
  ///   - labels: The names of the classes.
  /// - Returns: nil where the input is an image, and for inputs that no image has, which others refuse.
  /// - Throws: `metadata-damaged-model` for a graph that cannot be read.
  static func refusal(
    _ loaded: LoadedModel, _ signature: ModelSignature, normalization: Normalization?, labels: LabelMap?
  ) throws(FoveaError) -> UnsupportedModel? {
    guard loaded.embedded == nil, normalization == nil, loaded.exporter == nil,
      signature.inputs.count == 1, let input = signature.inputs.first, let picture = ImageShape(input.shape)
    else { return nil }
    if case .image? = loaded.metadata?.inputs.first?.content { return nil }
    let evidence = ImageEvidence(input: input, picture: picture)
    var doubt = evidence.doubt(labels, loaded.metadata)
    if doubt == nil { doubt = try evidence.doubt(loaded) }
    guard let doubt else { return nil }
    return UnsupportedModel(
      "it takes \(input), which is no image as far as can be seen: \(doubt). Sound and sensors have such inputs",
      remedy:
        "If it is an image, give the normalisation it was trained with (\(option: "normalize", "MEAN,STD")), or write into the model that it is one: \(term: .addMetadata())"
    )
  }

  /// What sides, numbers or labels show that no image has.
  private func doubt(_ labels: LabelMap?, _ metadata: ModelMetadata?) -> String? {
    let (short, long) = (min(picture.width, picture.height), max(picture.width, picture.height))
    guard picture.isGrey else { return short == 1 && long > 1 ? "it has one row of \(long) pixels" : nil }
    if NumberSeries.isNamed(by: labels) { return "its labels are those of sounds" }
    if NumberSeries.isDescribed(by: metadata) { return "its metadata describe sound or a sensor" }
    if short < Self.leastSide { return "a side of \(short) is shorter than a grey image's \(Self.leastSide)" }
    if 3 * long > 4 * short { return "its sides are \(long) and \(short), a grey image's at most as 4 to 3" }
    guard let range = input.numbers, !input.holdsBytes,
      range.upperBound - range.lowerBound > Self.widestNormalized
    else { return nil }
    return "its numbers are \(range.lowerBound) to \(range.upperBound), which pixels are not"
  }

  /// What the graph does with a grey image that none is made for.
  private func doubt(_ loaded: LoadedModel) throws(FoveaError) -> String? {
    guard picture.isGrey else { return nil }
    let windows = try LoadedModel.parts(of: loaded.stored, ConvolutionWindows.read)
    if windows.isOneSided { return "its convolutions go along one side alone" }
    if let first = windows.first, first.height != first.width {
      return "the window of its first convolution is \(first.height) × \(first.width), an image's is square"
    }
    if let first = windows.first, first.rowStep != first.columnStep {
      return
        "its first convolution goes in steps of \(first.rowStep) and \(first.columnStep), an image's in equal ones"
    }
    guard !hasUsualProportions, !isNamedImage, !input.holdsBytes, !input.holdsNormalizedBytes,
      try loaded.graphScale() != .bytes
    else { return nil }
    return
      "its sides are \(max(picture.width, picture.height)) and \(min(picture.width, picture.height)), a grey image's"
      + " as 1 to 1 or 4 to 3"
  }

  /// Whether the sides are those of a square or of a camera, 4 to 3; spectrograms have as many rows and columns as their
  /// windows make.
  private var hasUsualProportions: Bool {
    let (short, long) = (min(picture.width, picture.height), max(picture.width, picture.height))
    return short == long || 3 * long == 4 * short
  }

  /// Whether the input is called an image.
  private var isNamedImage: Bool {
    let names = (input.name + " " + input.signatureName).lowercased()
    return Self.parts.contains(where: names.contains)
  }
}

extension TensorDescription {
  /// The numbers that a quantised tensor can hold; nil for others.
  fileprivate var numbers: ClosedRange<Float>? {
    guard case .perTensor(let scale, let zeroPoint) = quantization, scale > 0,
      elementType == .uint8 || elementType == .int8
    else { return nil }
    let least = elementType == .uint8 ? 0 : -128
    return Float(least - zeroPoint) * scale...Float(least + 255 - zeroPoint) * scale
  }

  /// Whether a tensor holds what the bytes of pixels are: 0…255, or −128…127.
  fileprivate var holdsBytes: Bool {
    guard let numbers else { return elementType == .uint8 }
    return [0, -127.5].contains {
      abs(numbers.lowerBound - $0) < 4 && abs(numbers.upperBound - $0 - 255) < 8
    }
  }

  /// Whether a quantised tensor maps the bytes of pixels to 0…1 or −1…1, as the export of an image model to integers does.
  fileprivate var holdsNormalizedBytes: Bool {
    guard case .perTensor(let scale, let zeroPoint) = quantization,
      elementType == .uint8 || elementType == .int8
    else { return false }
    func isScale(_ steps: Float) -> Bool { abs(scale * steps - 1) <= 0.005 }
    // How many bytes are below 0.
    let negatives = elementType == .uint8 ? zeroPoint : zeroPoint + 128
    switch negatives {
    case 0: return isScale(255)
    case 127, 128: return isScale(127.5) || isScale(128)
    default: return false
    }
  }
}
