// SPDX-License-Identifier: Apache-2.0

package import FoveaMetadata
package import FoveaModelFile
import FoveaRuntime

extension ModelProfile {
  /// Loads and examines a model.
  /// - Parameters:
  ///   - source: The model to load.
  ///   - options: The caller's description of the model, and how to run it.
  /// - Throws: `model-unreadable`, `model-invalid`, `metadata-…`, `runtime-missing`, `option-invalid`;
  ///   `model-unsupported` for a model that LiteRT cannot prepare.
  package init(of source: ModelSource, options: ObjectDetector.Options) throws(FoveaError) {
    do {
      try options.check()
      let loaded = try LoadedModel(source, labelFile: options.labelFile, exact: options.exactArithmetic)
      if let normalization = options.normalization {
        try ImageInputTensor.check(normalization, modelName: loaded.name)
      }
      self.init(loaded, options, session: options.session)
    } catch {
      throw FoveaError(error)
    }
    // Text tensors have no size before there is text, so such a model is never compiled. Other models that do
    // not compile are useless.
    let hasText = (signature.inputs + signature.outputs).contains { $0.elementType == .string }
    if !hasText, case .broken(.compiling(let error)) = kind { throw error }
  }

  /// Loads and examines a model exactly as stored.
  package init(
    stored source: ModelSource, labelFile: String?, normalization: Normalization?
  ) throws(FoveaError) {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    options.normalization = normalization
    try self.init(stored: source, options)
  }

  /// Loads and examines a model exactly as stored, with the caller's description of it.
  package init(stored source: ModelSource, _ description: ObjectDetector.Options) throws(FoveaError) {
    var options = description
    options.exactArithmetic = true
    options.threads = 1
    try self.init(of: source, options: options)
  }

  /// Returns the numbers of tensors, operators and subgraphs in the file.
  package func graph() throws(FoveaError) -> ModelGraphSummary {
    try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelGraphSummary.read(bytes)
    }
  }

  /// Returns the archive of the model's associated files; nil if there are none.
  package func archive() throws(FoveaError) -> ModelArchive? {
    try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelArchive.read(bytes)
    }
  }

  /// Returns the error with which Fovea refuses a model: `ImageLabeler`'s if it has a classifier's output and
  /// no family is set, else `ObjectDetector`'s, also for a segmentation model; nil for a usable detector or
  /// classifier, or if the labels or calibration of a classifier are the reason.
  package func refusal() -> FoveaError? {
    guard family == nil || isSegmenter else { return nil }
    if case .detector = kind {} else if hasClassifierHead, options.family == nil { return labelerRefusal() }
    do {
      _ = try facts.get().decoder(kind, options, hasClassifier: true)
      _ = try input.get()
      return nil
    } catch {
      return FoveaError(error)
    }
  }

  /// Returns the error with which `ImageLabeler` refuses a model with a classifier's output; nil if the
  /// labels or the calibration are the reason.
  private func labelerRefusal() -> FoveaError? {
    do {
      _ = try ClassificationPlan(
        loaded,
        .init(limit: 1, normalization: options.normalization, activation: options.scoreActivation))
      return nil
    } catch {
      let error = FoveaError(error)
      if options.scoreActivation != nil, error.code == FoveaCode.optionInvalid { return error }
      return error.code == RuntimeCode.modelUnsupported || error.code == LabelingCode.notAClassifier
        ? error : nil
    }
  }

  /// The names by which the outputs of a post-processed SSD are found, in the order assumed without names.
  ///
  /// **Source:** TensorFlow Lite Support, `cc/task/vision/object_detector.cc`.
  package static let outputRoles = ["location", "category", "score", "number of detections"]
}
