// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

extension LoadedModel {
  /// The calibration that the metadata name for the scores of an output; nil where they name none.
  func calibration(output index: Int, classCount: Int) throws(FoveaError) -> ScoreCalibration? {
    guard let output = outputMetadata(index), output.scoreCalibration != nil else { return nil }
    return try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try ScoreCalibration.read(for: output, classCount: classCount, model: bytes)
    }
  }

  /// What the graph does last with each output.
  func activations() throws(FoveaError) -> [String: OutputActivation] {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try OutputActivation.read(bytes) }
  }

  /// The pixel values that the beginning of the graph asks for; nil where it says nothing, where the metadata do, and for
  /// inputs other than one picture of float32.
  func pixelScale() throws(FoveaError) -> PixelScale? {
    metadata?.inputs.first?.normalization == nil ? try graphScale() : nil
  }

  /// The pixel values that the beginning of the graph asks for, whatever the metadata say.
  func graphScale() throws(FoveaError) -> PixelScale? {
    guard embedded == nil, signature.inputs.count == 1, signature.inputs[0].elementType == .float32
    else { return nil }
    return try LoadedModel.parts(of: stored, PixelScale.read)
  }

  /// How a detector wants its picture, where the model does not say otherwise.
  ///
  /// The embedded models saw stretched, antialiased pictures, whatever their family is.
  func detectorInput(_ family: DetectorFamily, fit: PictureFit?) -> DetectorInput {
    var input = embedded == nil ? family.input : DetectorInput()
    switch fit {
    case nil: break
    case .stretch: input.letterbox = nil
    case .letterbox: input.letterbox = input.letterbox ?? Letterbox(.center)
    }
    return input
  }

  /// How a classifier wants its picture, where neither the caller nor the model say otherwise.
  ///
  /// Two taps as in MediaPipe; the embedded classifier saw Pillow's pictures, and so did those of Ultralytics.
  /// **Source:** Ultralytics, `data/augment.py`, `classify_transforms`: pixels 0…1.
  var classifierInput: DetectorInput {
    guard isUltralyticsClassifier else { return DetectorInput(usesTwoTaps: embedded == nil) }
    return DetectorInput(normalization: Normalization(mean: [0], standardDeviation: [255]))
  }

  /// Whether Ultralytics' exporter made this classifier.
  var isUltralyticsClassifier: Bool { exporter?.task == "classify" }

  /// - Throws: `model-unsupported` for a model that was exported to find something else than boxes or labels.
  func checkTask() throws(FoveaError) {
    guard let task = exporter?.task, task != "detect", task != "classify" else { return }
    throw FoveaError(
      code: .init(rawValue: "model-unsupported"),
      message:
        "'\(name)' was exported for the task '\(task)'; Fovea reads models for 'detect' and 'classify'",
      remedy: "Export a model that was trained for one of these, as yolo11n.pt in place of yolo11n-seg.pt")
  }

  /// - Throws: `model-unsupported` for an input whose height or width the file leaves open.
  func checkInputSize() throws(FoveaError) {
    guard let input = model.signatures[0].inputs.first, input.shape.count == 4,
      input.shape[1] == -1 || input.shape[2] == -1
    else { return }
    throw FoveaError(
      code: .init(rawValue: "model-unsupported"),
      message:
        "The input of '\(name)' is \(input): its height and width are open, and Fovea needs a fixed size",
      remedy: "Export the model with a fixed size, in Keras with keras.Input((224, 224, 3))")
  }

  /// What the operator that ends a post-processed detector is set to.
  func postProcess() throws(FoveaError) -> PostProcessOptions? {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try PostProcessOptions.read(bytes) }
  }
}
