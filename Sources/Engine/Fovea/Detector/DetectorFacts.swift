// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// The facts known when a detector is loaded: its tensors without the state, its labels, and the contents of
/// its metadata files.
struct DetectorFacts {
  /// The inputs and outputs that carry the model's state from one frame to the next.
  let state: StateTensors
  /// The model's tensors without its state tensors; families are recognised by these.
  let signature: ModelSignature
  /// The metadata of the same inputs and outputs.
  let metadata: ModelMetadata?
  let recognizer: DetectorRecognizer
  /// The calibration of the detector's scores, or the error that occurred when it was read.
  let calibration: Result<ScoreCalibration?, FoveaError>
  private let loaded: LoadedModel
  private var modelName: String { loaded.name }

  /// - Parameters:
  ///   - loaded: The model.
  ///   - whole: Its tensors with their shapes at run time.
  ///   - options: The caller's description of the model.
  /// - Throws: `metadata-…` for labels and files that contradict the model, `model-unsupported` for another
  ///   task.
  init(_ loaded: LoadedModel, _ whole: ModelSignature, _ options: ObjectDetector.Options) throws {
    state = StateTensors(of: whole)
    signature = state.visible(whole)
    metadata = Self.metadata(loaded.metadata, without: state, of: whole)
    self.loaded = loaded
    var hints = DetectorHints()
    // The localizer has no names. Everything else about embedded models is known and need not be read at
    // start-up.
    if loaded.embedded != .localizer {
      hints.labels = try loaded.labels(output: loaded.labelOutputIndex ?? 0, locale: options.locale)
    }
    if loaded.embedded == nil {
      if options.family == nil { try loaded.checkTask() }
      hints.task = loaded.exporter?.task
      hints.keypointShape = loaded.exporter?.keypointShape
      hints.scores = options.scoreActivation
      hints.hasBackground = options.hasBackgroundClass
      hints.activations = try loaded.activations()
      hints.postProcess = try loaded.postProcess()
      hints.autoML = loaded.autoML
      try Self.check(loaded.autoML, signature, modelName: loaded.name)
    }
    var recognizer = DetectorRecognizer(
      modelName: loaded.name, signature: signature, metadata: metadata, hints: hints)
    // A label file of another model does not change the number of classes that the exporter trained.
    recognizer.labelCount = loaded.exporter?.names.count ?? hints.labels?.count
    recognizer.hasLooseLabels = loaded.labelFile != nil && loaded.exporter == nil
    if loaded.exporter == nil { recognizer.spareBackground = hints.labels?.spareBackground }
    // The model's own labels have a line for each class; a blank line is a class too.
    if recognizer.spareBackground == .blank, loaded.labelFile == nil { recognizer.spareBackground = nil }
    recognizer.suppression = options.suppression
    recognizer.suppression.iouThreshold = options.suppression.iouThreshold ?? loaded.embedded?.iouThreshold
    var calibration: Result<ScoreCalibration?, FoveaError> = .success(nil)
    if loaded.embedded == nil {
      let bare = recognizer
      calibration = Result { () throws(FoveaError) in try Self.calibration(loaded, bare, options.family) }
    }
    if case .success(let found) = calibration { recognizer.hints.calibration = found }
    self.recognizer = recognizer
    self.calibration = calibration
  }

  /// Returns the decoder of the requested family, else of the recognised one.
  /// - Parameters:
  ///   - kind: The kind of the model.
  ///   - options: The family, and the activation of raw scores.
  ///   - hasClassifier: Whether an activation can apply to a classifier of crops.
  /// - Returns: The decoder.
  /// - Throws: The recognizer's errors; `model-unsupported` for a model with another task; `option-invalid`
  ///   for options that the family does not use.
  func decoder(
    _ kind: ModelKind, _ options: ObjectDetector.Options, hasClassifier: Bool
  ) throws -> any DetectionDecoder {
    if let model = kind.unsupportedModel { throw model.error(modelName: loaded.name) }
    if case .segmenter(let head) = kind {
      throw ModelProfile.error(of: head, modelName: loaded.name, as: "a detector")
    }
    if case .broken(.description(let error)) = kind { throw error }
    let decoder: any DetectionDecoder
    do throws(DetectionError) {
      decoder =
        if case .detector(let found) = kind { found } else { try recognizer.decoder(family: options.family) }
    } catch {
      // The outputs look like a classifier's, but cannot be read as such.
      if error.code == .unknownFamily, case .broken(let problem) = kind { throw problem.error }
      // Recognises again to throw an error that shows the types stored in the file.
      var stored = recognizer
      stored.signature = loaded.asStored(stored.signature)
      if stored.signature != signature { _ = try stored.decoder(family: options.family) }
      throw error
    }
    let isForNobody = options.scoreActivation != nil && !hasClassifier
    if !hasRawScores(decoder), isForNobody || options.hasBackgroundClass != nil {
      let what = isForNobody ? "An activation" : "A background"
      let reason =
        if loaded.embedded == nil {
          "its family '\(decoder.family)' fixes \(isForNobody ? "it" : "the classes")"
        } else {
          isForNobody ? "it already outputs probabilities" : "its classes are known"
        }
      throw FoveaError.optionInvalid(
        "\(what) has no effect on \(model: modelName): \(reason)",
        remedy: "Leave out \(option: isForNobody ? "activation" : "background")")
    }
    return decoder
  }

  /// Returns whether the decoder reads raw scores, which may need an activation or include the background.
  func hasRawScores(_ decoder: any DetectionDecoder) -> Bool {
    decoder.family.hasRawScores && loaded.embedded == nil
  }

  /// Returns the class names of the decoder, one for each class.
  /// - Returns: The names; nil if neither the caller nor the model has any.
  /// - Throws: `metadata-count-mismatch` or `labels-do-not-fit` with the first lines that disagree, if the
  ///   number of names differs from the number of classes, apart from a name for the background.
  func labels(for decoder: any DetectionDecoder) throws(FoveaError) -> LabelMap? {
    let landmarks = (decoder as? LandmarkDecoder)?.head
    guard let labels = recognizer.hints.labels,
      landmarks.map({ loaded.namesSides(labels, of: $0) }) != true
    else {
      return decoder.classNames.map { LabelMap(names: $0, source: "the family '\(decoder.family)'") }
    }
    guard let classes = decoder.classCount ?? classCount(by: labels) else {
      if let error = unsettledLabels(for: decoder)?.headerError { throw error }
      return labels
    }
    do throws(MetadataError) { return try labels.fitted(to: classes, of: "'\(modelName)'") } catch {
      if decoder.family.labels == .oneForEach { throw FoveaError(Self.explained(error, by: decoder)) }
      if labels.misplacement(among: classes, of: "'\(modelName)'") != nil {
        throw FoveaError(FoveaCode(DetectionCode.labelsDoNotFit), error.message, remedy: error.remedy)
      }
      throw FoveaError(
        FoveaCode(DetectionCode.labelsDoNotFit),
        "\(model: modelName) has \(classes) \(classes == 1 ? "class" : "classes"), but \(labels.source) has"
          + " \(labels.count) \(labels.count == 1 ? "label" : "labels")\(labels.disagreement(classes))",
        remedy: Advice(
          labels.fittingRemedy(
            classes, "Give the label file that belongs to the model, one line for each class"))
      )
    }
  }

  /// Returns the error with the numbers that follow the classes in each row, as the model or its description
  /// may be wrong in place of the labels.
  private static func explained(_ error: MetadataError, by decoder: any DetectionDecoder) -> MetadataError {
    guard let clause = decoder.clauseBehindClasses else { return error }
    var error = error
    error.message += "; \(clause)"
    error.reason += "; \(clause)"
    return error
  }

  /// Returns the lines of a label file that might not be labels; nil if there are none, or if the outputs
  /// show the number of classes.
  func unsettledLabels(for decoder: any DetectionDecoder) -> UnsettledLabels? {
    guard loaded.labelFile != nil, decoder.hasClasses, decoder.classCount == nil,
      let labels = recognizer.hints.labels
    else { return nil }
    // If the model's own labels give the number of classes, only a possible background line is in doubt.
    let isCounted = classCount(by: labels) != nil
    let lines = labels.doubtfulLines.filter { !isCounted || $0.kind == .background }
    guard !lines.isEmpty else { return nil }
    return UnsettledLabels(lines: lines, source: labels.source, modelName: modelName)
  }

  /// Returns the number of the model's own labels if the label file fits that number; nil otherwise.
  private func classCount(by labels: LabelMap) -> Int? {
    guard let own = labels.ownNames?.count else { return nil }
    // If both have the same number of labels, the model's own show which one is the background.
    return own == labels.count || labels.counts.contains(own) && labels.canFit(own) ? own : nil
  }

  private static func metadata(
    _ metadata: ModelMetadata?, without state: StateTensors, of whole: ModelSignature
  )
    -> ModelMetadata?
  {
    guard var metadata, !state.pairs.isEmpty, !metadata.subgraphs.isEmpty else { return metadata }
    let (inputs, outputs) = (metadata.inputs, metadata.outputs)
    if inputs.count == whole.inputs.count { metadata.subgraphs[0].inputs = state.inputs.map { inputs[$0] } }
    if outputs.count == whole.outputs.count {
      metadata.subgraphs[0].outputs = state.outputs.map { outputs[$0] }
    }
    return metadata
  }

  /// Returns the score calibration of the first output that has one; as in the Task Library, it has a line
  /// for each label.
  ///
  /// Labels that are not classes, such as a background, have no line.
  private static func calibration(
    _ loaded: LoadedModel, _ recognizer: DetectorRecognizer, _ family: DetectorFamily?
  ) throws(FoveaError) -> ScoreCalibration? {
    guard let index = loaded.metadata?.outputs.firstIndex(where: { $0.scoreCalibration != nil }) else {
      return nil
    }
    let labels = recognizer.hints.labels
    let shown = (try? recognizer.decoder(family: family))?.classCount
    guard labels != nil || recognizer.hints.postProcess?.classCount != nil,
      let classes = shown ?? labels?.count ?? recognizer.hints.postProcess?.classCount
    else {
      throw FoveaError(
        FoveaCode(MetadataCode.missingFile),

        "The metadata of '\(loaded.name)' require a score calibration, which needs labels, but the model"
          + " has none",
        remedy: "Give the model's label file")
    }
    return try loaded.calibration(output: index, classCount: classes)
  }

  /// Throws if `tflite_metadata.json` was written for another model.
  private static func check(
    _ manifest: AutoMLDetection?, _ signature: ModelSignature, modelName: String
  ) throws(FoveaError) {
    guard let manifest, let input = signature.inputs.first else { return }
    let shape = manifest.inputShape
    let fits =
      shape.isEmpty
      || shape.count == input.shape.count && zip(shape, input.shape).allSatisfy { $0 == -1 || $0 == $1 }
    let type = manifest.inferenceType
    let typeFits =
      type == nil || (type == "QUANTIZED_UINT8") == (input.elementType == .uint8)
      || !["QUANTIZED_UINT8", "FLOAT"].contains(type)
    guard fits, typeFits else {
      throw FoveaError(
        FoveaCode(MetadataCode.badManifest),

        "tflite_metadata.json declares an input of \(type ?? "any type") \(shape), but \(model: modelName)"
          + " has \(input)",
        remedy: "Put the model and the tflite_metadata.json of one export in the folder")
    }
  }
}
