// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// A result that ends the examination of a model early.
struct Ending: Error {
  let kind: ModelKind
  /// The error for callers that want to run the model.
  let error: FoveaError

  init(_ problem: ModelProblem) {
    kind = .broken(problem)
    error = problem.error
  }

  init(_ model: UnsupportedModel, modelName: String) {
    kind = ModelKind(model)
    error = model.error(modelName: modelName)
  }
}

extension ModelProfile {
  static func check(_ loaded: LoadedModel) throws(Ending) {
    let unsupported: UnsupportedModel?
    do throws(FoveaError) {
      unsupported = try loaded.unsupportedInput()
      if unsupported == nil { try loaded.checkInputSize() }
    } catch {
      throw Ending(.input(error))
    }
    if let unsupported { throw Ending(unsupported, modelName: loaded.name) }
  }

  /// Compiles the model, runs it once if nothing else shows whether it works, and keeps the session with it.
  /// - Returns: The tensors with their shapes at run time, and the notes of the session.
  static func compile(
    _ loaded: LoadedModel, _ options: SessionOptions
  ) throws(Ending) -> (ModelSignature, notes: [String]) {
    do throws(RuntimeError) {
      let session = try loaded.session(options)
      // If the graph computes shapes, only a run shows whether it works. A failure may be due to the empty
      // image.
      if loaded.computesShapes { try? session.run() }
      // Some outputs have a shape only after the model is compiled.
      let signature = ModelSignature(
        key: loaded.model.signatures[0].key, inputs: session.inputs, outputs: session.outputs)
      let notes = session.notes
      loaded.keep(session, options)
      return (signature, notes)
    } catch {
      if let foreign = loaded.foreign(error) { throw Ending(foreign, modelName: loaded.name) }
      throw Ending(.compiling(FoveaError(error)))
    }
  }

  static func facts(
    _ loaded: LoadedModel, _ signature: ModelSignature, _ options: ObjectDetector.Options
  ) throws(Ending) -> DetectorFacts {
    do { return try DetectorFacts(loaded, signature, options) } catch {
      let error = FoveaError(error)
      // Unreadable labels do not matter if there are no classes.
      if options.family == nil, error.code.rawValue.hasPrefix(MetadataCode.domain),
        let ends = try? loaded.activations(),
        let kind = UnsupportedModel.ofShapes(signature, ends: ends, labelCount: nil)
          ?? noImage(loaded, signature, options)
      {
        throw Ending(kind, modelName: loaded.name)
      }
      throw Ending(.description(error))
    }
  }

  /// Returns the kind of a classifier whose input is not an image, if its own labels cannot be read; nil for
  /// others.
  private static func noImage(
    _ loaded: LoadedModel, _ signature: ModelSignature, _ options: ObjectDetector.Options
  ) -> UnsupportedModel? {
    guard loaded.labelFile == nil, let head = ClassifierHead(of: signature), !head.hasBoxes(signature) else {
      return nil
    }
    return try? ImageEvidence.refusal(loaded, signature, normalization: options.normalization, labels: nil)
  }

  /// Identifies the kind of the model by its outputs.
  static func kind(
    _ loaded: LoadedModel, _ facts: DetectorFacts, _ signature: ModelSignature,
    _ options: ObjectDetector.Options
  ) -> ModelKind {
    let refusal: DetectionError
    do throws(DetectionError) {
      let decoder = try facts.recognizer.decoder(family: options.family)
      if case .failure(let error) = facts.calibration { return .broken(.description(error)) }
      return .detector(decoder)
    } catch {
      refusal = error
    }
    let labels = facts.recognizer.hints.labels
    let head = ClassifierHead(of: signature)
    let labelCount = labels?.count(fitting: head?.classCount)
    do {
      if refusal.code == .unknownFamily, options.family == nil, options.scoreActivation == nil,
        let head = try loaded.landmarkHead(signature),
        // Other labels of a caller do not fit, unless there is one for each number of a row.
        try labels == nil || labelCount == 1 || loaded.namesSides(labels, of: head)
          || loaded.labelFile != nil
            && Landmarks.recognized(signature, ends: loaded.activations(), labelCount: labelCount) != nil
      {
        return .detector(LandmarkDecoder(head, modelName: loaded.name))
      }
      if options.family == nil, refusal.code == .unknownFamily,
        let kind = IncompleteDetector.recognized(
          signature, described: signature.outputs.indices.map { loaded.outputMetadata($0)?.name })
      {
        return .unsupported(kind)
      }
      if options.family == nil, let head, !head.hasBoxes(signature) {
        return try classifier(head, loaded, signature, options, labels)
      }
      guard refusal.code == .unknownFamily else { throw refusal }
      if options.family == nil,
        let kind = try loaded.unsupportedKind(facts.signature, labelCount: labelCount)
      {
        return ModelKind(kind)
      }
      if options.family == nil,
        let head = try loaded.mapHead(loaded.asStored(signature), labelCount: labelCount)
      {
        if let kind = try ImageEvidence.refusal(
          loaded, signature, normalization: options.normalization, labels: labels)
        {
          return .unsupported(kind)
        }
        return .segmenter(head)
      }
      return .unknown(NearestFamily(to: facts.signature))
    } catch {
      return .broken(.outputs(FoveaError(error)))
    }
  }

  /// Treats a model with one row of numbers as a classifier, unless they are not scores, or its input is not
  /// an image.
  private static func classifier(
    _ head: ClassifierHead, _ loaded: LoadedModel, _ signature: ModelSignature,
    _ options: ObjectDetector.Options, _ labels: LabelMap?
  ) throws -> ModelKind {
    let labelCount = labels?.count(fitting: head.classCount)
    if options.scoreActivation == nil,
      let kind = try loaded.unsupportedKind(signature, labelCount: labelCount)
    {
      return ModelKind(kind)
    }
    if let kind = try ImageEvidence.refusal(
      loaded, signature, normalization: options.normalization, labels: labels)
    {
      return .unsupported(kind)
    }
    let isCalibrated = try loaded.calibration(output: 0, classCount: head.classCount) != nil
    if options.scoreActivation == nil,
      let kind = RawNumbers.recognized(
        head, signature.outputs[head.outputIndex].description,
        end: try loaded.activations()[head.outputName],
        isDeclared: isCalibrated || labels != nil || loaded.declaresScores)
    {
      return .unsupported(kind)
    }
    let reading = try loaded.confidences(
      of: head, asked: options.scoreActivation, labelCount: labelCount, isCalibrated: isCalibrated)
    return .classifier(head, reading)
  }

  static func input(
    _ loaded: LoadedModel, _ facts: DetectorFacts, _ kind: ModelKind, _ options: ObjectDetector.Options
  ) -> Result<ImageInputTensor, FoveaError> {
    Result { () throws(FoveaError) in
      try ImageInputTensor(
        modelName: loaded.name, signature: facts.signature, metadata: facts.metadata,
        normalization: options.normalization, family: usualInput(loaded, kind, options),
        scale: options.normalization == nil ? try loaded.pixelScale() : nil,
        takesRawPixels: loaded.isRewritten)
    }
  }

  /// Returns the input that the kind of model expects, for facts that neither the caller nor the model
  /// states.
  private static func usualInput(
    _ loaded: LoadedModel, _ kind: ModelKind, _ options: ObjectDetector.Options
  ) -> DetectorInput {
    switch kind {
    case .detector(let decoder): loaded.detectorInput(decoder.input, fit: options.fit)
    case .classifier: loaded.classifierInput
    case .segmenter(let head): loaded.detectorInput(head.family.input, fit: options.fit)
    case .embedding, .unsupported, .unknown, .broken: DetectorInput()
    }
  }

  /// Returns the normalisation that the graph or the family implies, regardless of option and metadata; nil
  /// if neither does.
  package func ownNormalization() throws(FoveaError) -> InferredNormalization? {
    guard let known, image != nil else { return nil }
    let own = try ImageInputTensor(
      modelName: loaded.name, signature: known.signature, metadata: nil, normalization: nil,
      family: Self.usualInput(loaded, kind, options), scale: try loaded.graphScale(),
      takesRawPixels: loaded.isRewritten)
    return [.graph, .family].contains(own.normalizationSource) ? InferredNormalization(own) : nil
  }
}
