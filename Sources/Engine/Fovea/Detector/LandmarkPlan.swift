// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The parts that all sessions of one landmark model share: which crop fills its input, and how to read its
/// outputs.
struct LandmarkPlan: Sendable {
  let loaded: LoadedModel
  let input: ImageInputTensor
  let head: LandmarkHead
  let crop: LandmarkCrop
  let session: SessionOptions

  /// The advice about this model: the caller's description is that of the detector.
  private static let advice = CropAdvice(withheld: ["labels", "normalize", "activation"])

  /// Creates the plan of the model in the options; nil if they have none.
  /// - Parameters:
  ///   - options: The options of the detector.
  ///   - detector: The detector that the model follows.
  ///   - family: The detector's family.
  ///   - size: The size of the detector's input.
  /// - Throws: The errors of loading; `model-unsupported` for a model of another kind; `option-invalid` if
  ///   the detector does not find the crop.
  init?(
    _ options: ObjectDetector.Options, after detector: LoadedModel, _ family: DetectorFamily,
    _ size: PixelSize
  ) throws {
    guard let source = options.landmarks else { return nil }
    session = options.session
    let loaded = try LoadedModel(source, exact: options.exactArithmetic)
    self.loaded = loaded
    let profile = ModelProfile(loaded, ObjectDetector.Options(), session: options.session)
    head = try Self.advice.run { try profile.landmarkHead() }
    guard family == head.family.detectors, let crop = LandmarkCrop(of: family, side: size.width) else {
      throw FoveaError.optionInvalid(
        "'\(loaded.name)' finds the points of \(head.family.subject) in a crop that the detector's keypoints"
          + " place, but '\(detector.name)' is of the family '\(family)'",
        remedy: "Use MediaPipe's \(head.family.detectorFiles) as the detector, or remove"
          + " \(option: "landmarks")")
    }
    self.crop = crop
    let usual = head.usualInput
    input = try Self.advice.run {
      try ImageInputTensor(
        modelName: loaded.name, signature: loaded.signature, metadata: loaded.metadata, normalization: nil,
        family: usual, scale: try loaded.pixelScale(), takesRawPixels: loaded.isRewritten)
    }
  }

  /// The assumptions made about facts that the model does not state.
  var assumptions: [Advice] { input.assumptions(modelName: loaded.name).map { Self.advice($0) } }
}
