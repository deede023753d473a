// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
package import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The source of the normalisation of a model's input.
public enum NormalizationSource: Sendable, Hashable {
  /// The caller's option.
  case option
  /// The model's metadata.
  case metadata
  /// The beginning of the model's graph, which scales bytes itself, or the range of the quantised input,
  /// which fits only one scale of pixels.
  case graph
  /// The family's own normalisation, if none of the above applies.
  case family
  /// The default of MobileNet-like float models, (pixel − 127.5) / 127.5, if none of the above applies.
  case assumed
  /// No normalisation: the input takes raw pixels.
  case none
}

/// The image input of a model, and the source of its normalisation.
package struct ImageInputTensor: Sendable, Hashable {
  let spec: ImageTensorSpec
  package let normalizationSource: NormalizationSource

  /// The normalisation of pixels; nil for raw pixels.
  package var normalization: Normalization? { spec.normalization }

  /// Reads the image input from a model's tensors.
  /// - Parameters:
  ///   - modelName: The model's name in errors.
  ///   - signature: Inputs with their shapes at run time.
  ///   - metadata: The model's metadata.
  ///   - normalization: The caller's normalisation, which takes precedence over the model's.
  ///   - family: The input that the model's family expects, used if neither caller nor metadata declares it.
  ///   - scale: The pixel values that the model's graph expects.
  ///   - takesRawPixels: Whether an int8 input replaces a stored uint8 one.
  /// - Throws: `model-unsupported` with the input, `option-invalid` for an impossible normalisation.
  init(
    modelName: String, signature: ModelSignature, metadata: ModelMetadata?, normalization: Normalization?,
    family: DetectorInput = DetectorInput(), scale: PixelScale? = nil, takesRawPixels: Bool = false
  ) throws(FoveaError) {
    guard signature.inputs.count == 1, let input = signature.inputs.first else {
      throw Self.unsupported(
        "\(model: modelName) has \(signature.inputs.count) inputs"
          + " (\(signature.inputs.map(\.description).joined(separator: ", ")));"
          + " an image model must have exactly one")
    }
    guard let image = ImageShape(input.shape), image.isFixed else {
      throw Self.unsupported(
        "The input of \(model: modelName) is \(input); an image input is [1, height, width, 3] or"
          + " [1, 3, height, width] or, for grey images, [1, height, width, 1], [1, 1, height, width] or"
          + " [1, height, width]")
    }
    guard let elementType = ImageTensorSpec.ElementType(input.elementType) else {
      throw Self.unsupported(
        "The input of \(model: modelName) is \(input); pixels can be given as uint8, int8, int32 or"
          + " float32")
    }
    if case .image(let colorSpace, _)? = metadata?.inputs.first?.content, colorSpace == .grayscale,
      !image.isGrey
    {
      throw Self.unsupported(
        "The metadata of \(model: modelName) asks for grey images, but its input \(input) has three channels")
    }
    let size = PixelSize(width: image.width, height: image.height)
    var quantization: ImageTensorSpec.Quantization?
    if case .perTensor(let scale, let zeroPoint) = input.quantization, scale > 0 {
      quantization = .init(scale: scale, zeroPoint: zeroPoint)
    }
    let choice = NormalizationChoice(
      elementType, isQuantized: quantization != nil, takesRawPixels: takesRawPixels, option: normalization,
      stated: metadata?.inputs.first?.normalization, scale: scale, family: family.normalization)
    normalizationSource = choice.source
    if let chosen = choice.value {
      try Self.check(chosen, modelName: modelName, isOption: choice.source == .option, isGrey: image.isGrey)
    }
    var spec = ImageTensorSpec(
      size: size, elementType: elementType,
      channelOrder: image.isGrey ? .grey : family.isBGR ? .bgr : .rgb,
      normalization: choice.value,
      quantization: quantization)
    spec.layout = image.isPlanar ? .planar : .interleaved
    spec.letterbox = family.letterbox
    spec.sampling = family.usesTwoTaps ? .twoTaps : .antialiased
    self.spec = spec
  }

  /// The smallest allowed length of a decoded JPEG's shorter side when two taps sample it; `DecodeTarget`
  /// adds a quarter, which results in 350 pixels, as in ImageNet's photos.
  ///
  /// Two taps skip the pixels between them, so an image decoded at a smaller size gives other numbers. Models
  /// were trained on photos of about 500 × 375 pixels, sampled in the same way: decoded smaller, models for
  /// small images would lose accuracy; decoded at least this large, photos of any size look as they did in
  /// training. See docs/lab/performance.md.
  private static let leastDecodedSide = 280

  /// The size at which a region must be decoded.
  var decodeSize: PixelSize { Self.decodeSize(for: spec.size, spec.sampling) }

  /// Returns the size at which to decode a region that is then scaled to `size` pixels.
  static func decodeSize(for size: PixelSize, _ sampling: ImageTensorSpec.Sampling) -> PixelSize {
    guard sampling == .twoTaps else { return size }
    return PixelSize(width: max(size.width, leastDecodedSide), height: max(size.height, leastDecodedSide))
  }

  /// Returns the assumption about a model's input, as a sentence without a full stop; empty if there is
  /// none.
  func assumptions(modelName: String) -> [Advice] {
    guard normalizationSource == .assumed else { return [] }
    return [
      "'\(modelName)' does not declare its input normalisation; (pixel − 127.5) ÷ 127.5 is assumed. "
        + "Give the normalisation it was trained with (\(option: "normalize", "MEAN,STD"))"
    ]
  }

  /// - Parameters:
  ///   - normalization: The normalisation to verify.
  ///   - modelName: The model's name in errors.
  ///   - isOption: Whether the caller set it; its deviations must then be above 0, while a model's own may
  ///     be negative.
  ///   - isGrey: Whether a pixel is one number.
  /// - Throws: `option-invalid` for numbers that no image can be normalised with.
  package static func check(
    _ normalization: Normalization, modelName: String, isOption: Bool = true, isGrey: Bool = false
  ) throws(FoveaError) {
    let counts = [normalization.mean.count, normalization.standardDeviation.count]
    guard !isGrey || counts == [1, 1] else {
      throw .optionInvalid(
        "The normalisation for \(model: modelName) has \(counts[0]) means and \(counts[1]) deviations;"
          + " grey pixels need one of each",
        remedy: "Give one mean and one deviation, for instance 127.5,127.5")
    }
    guard counts == [1, 1] || counts == [3, 3] else {
      throw .optionInvalid(
        "The normalisation for \(model: modelName) has \(counts[0]) means and \(counts[1]) deviations;"
          + " both must be 1 or both 3",
        remedy: "Give one mean and one deviation, or three of each")
    }
    guard (normalization.mean + normalization.standardDeviation).allSatisfy(\.isFinite),
      normalization.standardDeviation.allSatisfy({ (isOption ? $0 : abs($0)) > 1e-6 })
    else {
      throw .optionInvalid(
        "The normalisation for \(model: modelName) is mean \(normalization.mean), deviation"
          + " \(normalization.standardDeviation); the numbers must be finite and no deviation may be 0"
          + (isOption ? " or below" : ""),
        remedy: "Give the values that the model was trained with, for instance 127.5,127.5")
    }
  }

  private static func unsupported(_ message: ModelMessage) -> FoveaError {
    FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported), message,
      remedy: "Use a model with one image input; \(term: .inspect) shows what this one has")
  }
}

extension ImageTensorSpec.ElementType {
  /// The type of pixels in a tensor; nil for other types.
  fileprivate init?(_ type: ElementType) {
    switch type {
    case .uint8: self = .uint8
    case .int8: self = .int8
    case .int32: self = .int32
    case .float32: self = .float32
    default: return nil
    }
  }
}
