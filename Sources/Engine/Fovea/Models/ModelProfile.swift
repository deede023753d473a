// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
package import FoveaMetadata
package import FoveaRuntime

/// What a model turned out to be: found out once, from its file and one session, for all who ask.
///
/// The session stays with the loaded model, and the first who runs the model takes it.
package struct ModelProfile: Sendable {
  package let loaded: LoadedModel
  /// How the caller describes the model.
  let options: ObjectDetector.Options
  /// Tensors with the types of the file and the shapes that they have when the model runs; those that the file states, for
  /// one image, where it was not compiled.
  package let signature: ModelSignature
  /// What the outputs are.
  package let kind: ModelKind
  /// The tensors without state, and all that is known of them; or why the model was not examined so far.
  let facts: Result<DetectorFacts, FoveaError>
  /// How the input is filled, or why it cannot be.
  let input: Result<ImageInputTensor, FoveaError>
  /// How the model is computed, where that is not as usual.
  let notes: [String]

  /// Finds out what a model is.
  /// - Parameters:
  ///   - loaded: The model.
  ///   - options: How the caller describes it.
  ///   - session: How it is compiled.
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

  /// "classifier" or the name of a detector family; nil for a model that Fovea cannot use.
  package var family: String? { image == nil ? nil : kind.name }
  /// Whether it is a detector that Fovea can use.
  package var isDetector: Bool { if case .detector = kind { image != nil } else { false } }
  /// How a model that Fovea can use wants its image; nil for other models.
  package var image: ImageInputTensor? {
    guard kind.name != nil, case .success(let image) = input else { return nil }
    return image
  }
  /// How many inputs and outputs carry the model's memory.
  package var stateCount: Int { known?.state.pairs.count ?? 0 }
  /// Which outputs of a post-processed SSD are boxes, classes, scores and count; nil for other models.
  package var postProcessedOutputs: [Int]? { known?.recognizer.postProcessedOutputs }
  var known: DetectorFacts? { if case .success(let facts) = facts { facts } else { nil } }
  /// Whether the first output could be a classifier's, whatever else is wrong with the model.
  package var hasClassifierHead: Bool { ClassifierHead(of: signature) != nil }

  /// The labels as they fit the classes, or as the file has them where they do not; or why there are none though something
  /// names them; nil where nothing does.
  package var labels: Result<LabelMap?, FoveaError> {
    let stored = storedLabels
    guard case .success(let labels?) = stored, let classCount,
      let fitted = try? labels.fitted(to: classCount, of: loaded.name)
    else { return stored }
    return .success(fitted)
  }

  /// The labels as they are without regard to the number of classes.
  package var storedLabels: Result<LabelMap?, FoveaError> { Self.labels(of: loaded) }

  /// The number of classes that the outputs have; nil for models without classes, and where the outputs do not fix it.
  package var classCount: Int? {
    switch kind {
    case .detector(let decoder): decoder.classCount
    case .classifier(_, let reading): reading.classCount
    case .unsupported, .broken, .unknown: nil
    }
  }

  /// Whether answers have classes that the model's labels name.
  var hasClassesToName: Bool {
    switch kind {
    case .detector(let decoder): decoder.hasClasses && decoder.classNames == nil
    case .classifier: true
    case .unsupported, .broken, .unknown: false
    }
  }

  /// Whether it is a classifier.
  var isClassifier: Bool { if case .classifier = kind { true } else { false } }

  /// The output of a classifier and how it is read: the answer of all who want labels.
  /// - Throws: What the model is instead, `not-a-classifier` or `model-unsupported`, or why it cannot be found out.
  func classifier() throws(FoveaError) -> (head: ClassifierHead, reading: ConfidenceReading) {
    let hasHead = hasClassifierHead
    switch kind {
    case .classifier(let head, let reading): return (head, reading)
    case .detector(let decoder):
      throw FoveaError(
        FoveaCode(LabelingCode.notAClassifier),
        "'\(loaded.name)' is not an image classifier: it is a detector of the family '\(decoder.family)'",
        remedy: "Use \(term: .detector)")
    case .unsupported(let model): throw model.error(modelName: loaded.name)
    case .broken(.outputs) where !hasHead: break
    case .broken(let problem): throw problem.error
    case .unknown: break
    }
    throw FoveaError(ClassifierHead.refusal(modelName: loaded.name, signature: signature))
  }

  /// A detector's labels as they fit its classes, or why they do not; nil for other models.
  package var detectorLabels: Result<LabelMap?, FoveaError> {
    guard case .detector(let decoder) = kind, let known else { return .success(nil) }
    return Result { () throws(FoveaError) in try known.labels(for: decoder) }
  }

  /// The normalisation that the caller gives.
  package var normalization: Normalization? { options.normalization }

  static func labels(of loaded: LoadedModel) -> Result<LabelMap?, FoveaError> {
    do { return .success(try loaded.labels(output: loaded.labelOutputIndex ?? 0, locale: nil)) } catch {
      return .failure(FoveaError(error))
    }
  }
}
