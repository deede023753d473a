// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

/// The evidence that a classifier's input is an image.
///
/// Keyword spotters and sensor models have inputs [1, H, W, 1] like grey images, so the shape is not enough.
/// The metadata can declare an image. Otherwise no label and no description may be one of sound, and the
/// sides, the numbers and the convolutions must match an image's, unless the caller normalises pixels.
struct ImageEvidence {
  /// The shortest side of a grey image; digits have 28.
  private static let leastSide = 24
  /// Parts of a tensor's name that indicate an image.
  private static let parts = ["image", "img", "pixel", "picture", "photo", "camera"]
  /// The widest range that pixels are normalised to: −2.7…2.7 and the like.
  private static let widestNormalized: Float = 12

  /// The next step for an input whose words are those of sound.
  static let declaration: Advice =
    "If it is an image, write into the model that it is one: \(term: .addMetadata("FILE --output NEW"))"

  private let input: TensorDescription
  private let image: ImageShape

  /// Returns the kind of a model whose input is not an image.
  /// - Parameters:
  ///   - loaded: The model.
  ///   - signature: Its tensors with their shapes at run time.
  ///   - normalization: The caller's normalisation of pixels, which implies an image if no words contradict.
  ///   - labels: The names of the classes.
  /// - Returns: nil if the input is an image, or cannot be one, which other checks refuse.
  /// - Throws: `metadata-damaged-model` for a graph that cannot be read.
  static func refusal(
    _ loaded: LoadedModel, _ signature: ModelSignature, normalization: Normalization?, labels: LabelMap?
  ) throws(FoveaError) -> UnsupportedModel? {
    guard loaded.embedded == nil, loaded.exporter == nil,
      signature.inputs.count == 1, let input = signature.inputs.first, let image = ImageShape(input.shape)
    else { return nil }
    if case .image? = loaded.metadata?.inputs.first?.content { return nil }
    let evidence = ImageEvidence(input: input, image: image)
    if let doubt = evidence.statedDoubt(labels, loaded.metadata) {
      return evidence.refusal(doubt, remedy: declaration)
    }
    guard normalization == nil else { return nil }
    var doubt = evidence.doubt
    if doubt == nil { doubt = try evidence.doubt(loaded) }
    return doubt.map {
      evidence.refusal(
        $0,
        remedy:
          "If it is an image, set the normalisation it was trained with (\(option: "normalize", "MEAN,STD"))"
          + ", or write into the model that it is one: \(term: .addMetadata("FILE --output NEW"))")
    }
  }

  private func refusal(_ doubt: String, remedy: Advice) -> UnsupportedModel {
    UnsupportedModel(
      "it takes \(input), which does not appear to be an image: \(doubt)."
        + " Models for sound and sensors have such inputs",
      remedy: remedy)
  }

  /// Returns the words that contradict a grey image; nil if there are none.
  private func statedDoubt(_ labels: LabelMap?, _ metadata: ModelMetadata?) -> String? {
    guard image.isGrey else { return nil }
    if NumberSeries.isNamed(by: labels) { return "its labels are those of sounds" }
    return NumberSeries.isDescribed(by: metadata) ? "its metadata describes sound or a sensor" : nil
  }

  /// The difference of the sides or numbers from an image's; nil if they do not.
  private var doubt: String? {
    let (short, long) = (min(image.width, image.height), max(image.width, image.height))
    guard image.isGrey else { return short == 1 && long > 1 ? "it has one row of \(long) pixels" : nil }
    if short < Self.leastSide { return "a side of \(short) is shorter than a grey image's \(Self.leastSide)" }
    if 3 * long > 4 * short {
      return "its sides are \(long) and \(short); a grey image's ratio is at most 4 to 3"
    }
    guard let range = input.numbers, !input.holdsBytes,
      range.upperBound - range.lowerBound > Self.widestNormalized
    else { return nil }
    return "its numbers range from \(range.lowerBound) to \(range.upperBound), unlike pixels"
  }

  /// Returns how the graph's operators differ from those for a grey image; nil if they do not.
  private func doubt(_ loaded: LoadedModel) throws(FoveaError) -> String? {
    guard image.isGrey else { return nil }
    let windows = try LoadedModel.parts(of: loaded.stored, ConvolutionWindows.read)
    if windows.isOneSided { return "its convolutions run along one side only" }
    if let first = windows.first, first.height != first.width {
      return "the window of its first convolution is \(first.height) × \(first.width); an image's is square"
    }
    if let first = windows.first, first.rowStep != first.columnStep {
      return
        "its first convolution moves in steps of \(first.rowStep) and \(first.columnStep);"
        + " an image's steps are equal"
    }
    guard !hasUsualProportions, !Self.isNamedImage(input), !input.holdsBytes, !input.holdsNormalizedBytes,
      try loaded.graphScale() != .bytes
    else { return nil }
    return
      "its sides are \(max(image.width, image.height)) and \(min(image.width, image.height));"
      + " a grey image's ratio is 1 to 1 or 4 to 3"
  }

  /// Whether the sides are those of a square or of a camera, 4 to 3; the sides of spectrograms depend on
  /// their windows.
  private var hasUsualProportions: Bool {
    let (short, long) = (min(image.width, image.height), max(image.width, image.height))
    return short == long || 3 * long == 4 * short
  }

  /// Returns whether the names of an input indicate an image.
  static func isNamedImage(_ input: TensorDescription) -> Bool {
    let names = (input.name + " " + input.signatureName).lowercased()
    return parts.contains(where: names.contains(part:))
  }
}

extension TensorDescription {
  /// The range of numbers that a quantised tensor can hold; nil for others.
  fileprivate var numbers: ClosedRange<Float>? {
    guard case .perTensor(let scale, let zeroPoint) = quantization, scale > 0,
      elementType == .uint8 || elementType == .int8
    else { return nil }
    let least = elementType == .uint8 ? 0 : -128
    return Float(least - zeroPoint) * scale...Float(least + 255 - zeroPoint) * scale
  }

  /// Whether a tensor holds bytes of pixels: 0…255, or −128…127.
  fileprivate var holdsBytes: Bool {
    guard let numbers else { return elementType == .uint8 }
    return [0, -127.5].contains {
      abs(numbers.lowerBound - $0) < 4 && abs(numbers.upperBound - $0 - 255) < 8
    }
  }

  /// Whether a quantised tensor maps the bytes of pixels to 0…1 or −1…1, like an image model exported to
  /// integers.
  fileprivate var holdsNormalizedBytes: Bool {
    guard case .perTensor(let scale, let zeroPoint) = quantization,
      elementType == .uint8 || elementType == .int8
    else { return false }
    func isScale(_ steps: Float) -> Bool { abs(scale * steps - 1) <= 0.005 }
    // The number of bytes below 0.
    let negatives = elementType == .uint8 ? zeroPoint : zeroPoint + 128
    switch negatives {
    case 0: return isScale(255)
    case 127, 128: return isScale(127.5) || isScale(128)
    default: return false
    }
  }
}
