// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
package import FoveaMetadata
package import FoveaRuntime

/// The result of examining a model: made once from its file and one session, for all callers.
///
/// The session stays with the loaded model until the first caller runs the model.
package struct ModelProfile: Sendable {
  package let loaded: LoadedModel
  /// The caller's description of the model.
  let options: ObjectDetector.Options
  /// The tensors with the types in the file and their shapes at run time; if the model was not compiled,
  /// those in the file, for one image.
  package let signature: ModelSignature
  /// The kind of the model.
  package let kind: ModelKind
  /// The tensors without state, and their facts; or the error that ended the examination.
  let facts: Result<DetectorFacts, FoveaError>
  /// The image input, or the error why it cannot be filled.
  let input: Result<ImageInputTensor, FoveaError>
  /// Notes if the model does not run as usual.
  let notes: [String]

  /// Examines a model.
  /// - Parameters:
  ///   - loaded: The model.
  ///   - options: The caller's description of it.
  ///   - session: The options of its session.
  init(_ loaded: LoadedModel, _ options: ObjectDetector.Options, session: SessionOptions = SessionOptions()) {
    self.loaded = loaded
    self.options = options
    var running = loaded.signature
    var notes: [String] = []
    do throws(Ending) {
      try Self.check(loaded)
      (running, notes) = try Self.compile(loaded, session)
      let facts = try Self.facts(loaded, running, options)
      kind = Self.kind(loaded, facts, running, options)
      input = Self.input(loaded, facts, kind, options)
      self.facts = .success(facts)
    } catch {
      (kind, facts, input) = (error.kind, .failure(error.error), .failure(error.error))
    }
    signature = loaded.asStored(running)
    self.notes = notes
  }

  /// "classifier", "segmentation" or the name of a detector family; nil for a model that Fovea cannot use.
  package var family: String? { image == nil ? nil : kind.name }
  /// The kinds of results, as in reports; empty for a model that Fovea cannot use.
  package var finds: [String] {
    guard image != nil else { return [] }
    return switch kind {
    case .detector(let decoder): ["boxes"] + [decoder.detail?.rawValue].compactMap(\.self)
    case .classifier: ["labels"]
    case .segmenter: ["map"]
    case .embedding, .unsupported, .unknown, .broken: []
    }
  }
  /// Whether it is a detector that Fovea can use.
  package var isDetector: Bool { if case .detector = kind { image != nil } else { false } }
  /// The image input of a model that Fovea can use; nil for other models.
  package var image: ImageInputTensor? {
    guard kind.name != nil, case .success(let image) = input else { return nil }
    return image
  }
  /// The number of inputs and outputs that carry the model's memory.
  package var stateCount: Int { known?.state.pairs.count ?? 0 }
  /// The indices of a post-processed SSD's boxes, classes, scores and count; nil for other models.
  package var postProcessedOutputs: [Int]? { known?.recognizer.postProcessedOutputs }
  var known: DetectorFacts? { if case .success(let facts) = facts { facts } else { nil } }
  /// Whether the first output could be a classifier's, regardless of other faults of the model.
  package var hasClassifierHead: Bool { ClassifierHead(of: signature) != nil }

  /// The labels matched to the classes, or as in the file if they do not match; nil if there are none, an
  /// error if they cannot be read.
  package var labels: Result<LabelMap?, FoveaError> {
    let stored = storedLabels
    guard case .success(let labels?) = stored, let classCount,
      let fitted = try? labels.fitted(to: classCount, of: loaded.name)
    else { return stored }
    return .success(fitted)
  }

  /// The labels in the file, regardless of the number of classes.
  package var storedLabels: Result<LabelMap?, FoveaError> { Self.labels(of: loaded) }

  /// The number of classes in the outputs; nil for models without classes, or if the outputs do not determine
  /// it.
  package var classCount: Int? {
    switch kind {
    case .detector(let decoder): decoder.classCount
    case .classifier(_, let reading): reading.classCount
    case .segmenter(let head): head.classCount
    case .embedding, .unsupported, .broken, .unknown: nil
    }
  }

  /// Whether results have classes that the model's labels name.
  var hasClassesToName: Bool {
    switch kind {
    case .detector(let decoder): decoder.hasClasses && decoder.classNames == nil
    case .classifier: true
    case .segmenter(let head): head.family != .mask
    case .embedding, .unsupported, .broken, .unknown: false
    }
  }

  /// Whether it is a classifier.
  var isClassifier: Bool { if case .classifier = kind { true } else { false } }

  /// Whether it is a segmentation model that Fovea can use.
  package var isSegmenter: Bool { if case .segmenter = kind { image != nil } else { false } }

  /// Returns the map of a segmentation model.
  /// - Parameter family: The family that the caller names; nil for the recognised one.
  /// - Returns: The map.
  /// - Throws: `model-unsupported` for another kind of model, `family-mismatch`, or why it cannot be
  ///   examined.
  func mapHead(asked family: MapFamily?) throws(FoveaError) -> MapHead {
    if let family {
      _ = try facts.get()
      // A model with a memory has more than one input, which no family allows.
      do {
        return try MapHead(
          asked: family, modelName: loaded.name, signature: signature, ends: try loaded.activations())
      } catch {
        throw FoveaError(error)
      }
    }
    switch kind {
    case .segmenter(let head): return head
    case .embedding(let model), .unsupported(let model): throw model.error(modelName: loaded.name)
    case .broken(let problem): throw problem.error
    case .detector, .classifier, .unknown: break
    }
    guard let use = kind.use else {
      throw FoveaError(
        FoveaCode(RuntimeCode.modelUnsupported),
        "'\(loaded.name)' is not a segmentation model: its outputs are "
          + signature.outputs.map(\.description).joined(separator: ", "),
        remedy: "Use a model with one map, [1, H, W, C]; \(term: .inspect) shows what this one has")
    }
    // No other command can use a model without an image input.
    _ = try input.get()
    throw FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      "'\(loaded.name)' is not a segmentation model: it is \(use.noun)",
      remedy: "Use \(term: use.worker)")
  }

  /// The error of a segmentation model that was given as a detector or a classifier.
  static func error(of head: MapHead, modelName: String, as what: String) -> FoveaError {
    FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      "'\(modelName)' is not \(what): it is a segmentation model, whose output is \(head.output)",
      remedy: "Use \(term: .segmenter())")
  }

  /// Returns the output of a classifier and how to read it, for all callers that want labels.
  /// - Throws: `not-a-classifier` or `model-unsupported` for another kind of model, or why it cannot be
  ///   examined.
  func classifier() throws(FoveaError) -> (head: ClassifierHead, reading: ConfidenceReading) {
    let hasHead = hasClassifierHead
    switch kind {
    case .classifier(let head, let reading): return (head, reading)
    case .detector(let decoder):
      _ = try input.get()
      throw FoveaError(
        FoveaCode(LabelingCode.notAClassifier),
        "'\(loaded.name)' is not an image classifier: it is a detector of the family '\(decoder.family)'",
        remedy: "Use \(term: .detector)")
    case .segmenter(let head):
      _ = try input.get()
      throw Self.error(of: head, modelName: loaded.name, as: "an image classifier")
    case .embedding(let model), .unsupported(let model): throw model.error(modelName: loaded.name)
    case .broken(.outputs) where !hasHead: break
    case .broken(let problem): throw problem.error
    case .unknown: break
    }
    throw FoveaError(ClassifierHead.refusal(modelName: loaded.name, signature: signature))
  }

  /// The labels of a detector matched to its classes, or why they do not match; nil for other models.
  package var detectorLabels: Result<LabelMap?, FoveaError> {
    guard case .detector(let decoder) = kind, let known else { return .success(nil) }
    return Result { () throws(FoveaError) in try known.labels(for: decoder) }
  }

  /// The caller's normalisation.
  package var normalization: Normalization? { options.normalization }

  static func labels(of loaded: LoadedModel) -> Result<LabelMap?, FoveaError> {
    do { return .success(try loaded.labels(output: loaded.labelOutputIndex ?? 0, locale: nil)) } catch {
      return .failure(FoveaError(error))
    }
  }
}
