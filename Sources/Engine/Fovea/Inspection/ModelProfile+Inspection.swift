// SPDX-License-Identifier: Apache-2.0

package import FoveaMetadata
package import FoveaModelFile
import FoveaRuntime

extension ModelProfile {
  /// Loads a model, and finds out what it is.
  /// - Parameters:
  ///   - source: Where the model is.
  ///   - options: How the caller describes it, and how it is to run.
  /// - Throws: `model-unreadable`, `model-invalid`, `metadata-…`, `runtime-missing`, `option-invalid`; `model-unsupported`
  ///   for a model that LiteRT cannot prepare.
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
    // Text has no size before it is there, so that nothing runs it. Other models that do not compile are of no use to
    // anyone.
    let hasText = (signature.inputs + signature.outputs).contains { $0.elementType == .string }
    if !hasText, case .broken(.compiling(let error)) = kind { throw error }
  }

  /// Loads a model as it is stored, and finds out what it is.
  package init(
    stored source: ModelSource, labelFile: String?, normalization: Normalization?
  ) throws(FoveaError) {
    var options = ObjectDetector.Options()
    options.labelFile = labelFile
    options.normalization = normalization
    try self.init(stored: source, options)
  }

  /// Loads a model as it is stored, and finds out what it is to a caller who describes it.
  package init(stored source: ModelSource, _ description: ObjectDetector.Options) throws(FoveaError) {
    var options = description
    options.exactArithmetic = true
    options.threads = 1
    try self.init(of: source, options: options)
  }

  /// How many tensors, operators and subgraphs the file has.
  package func graph() throws(FoveaError) -> ModelGraphSummary {
    try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelGraphSummary.read(bytes)
    }
  }

  /// The files that the model carries; nil where it carries none.
  package func archive() throws(FoveaError) -> ModelArchive? {
    try LoadedModel.parts(of: loaded.stored) { bytes throws(MetadataError) in
      try ModelArchive.read(bytes)
    }
  }

  /// What Fovea refuses a model with: `ImageLabeler` where it has a classifier's output and no family is asked for,
  /// `ObjectDetector` others; nil for a model that it can use, and where labels or calibration of a classifier are the reason.
  package func refusal() -> FoveaError? {
    guard family == nil else { return nil }
    if case .detector = kind {} else if hasClassifierHead, options.family == nil { return labelerRefusal() }
    do {
      _ = try facts.get().decoder(kind, options, hasClassifier: true)
      _ = try input.get()
      return nil
    } catch {
      return FoveaError(error)
    }
  }

  /// What `ImageLabeler` refuses a model with that has a classifier's output; nil where labels or calibration are the
  /// reason.
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

  /// The names by which the outputs of a post-processed SSD are found, in the order that is taken without them.
  ///
  /// **Source:** TensorFlow Lite Support, `cc/task/vision/object_detector.cc`.
  package static let outputRoles = ["location", "category", "score", "number of detections"]
}
