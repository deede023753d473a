// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaErrors
import FoveaLabeling
import FoveaRuntime

/// The attempt to find out how a model can be used.
struct FamilyRecognition {
  var signature: ModelSignature
  var family: String?
  var reason = ""
  var needs: [Advice] = []
  /// How the model computes where that is not as usual.
  var notes: [String] = []
  var input: ImageInputTensor?
  /// How graph or family want the image, whatever option and metadata say; nil where neither tells.
  var told: ImageInputTensor?

  /// How a classifier's numbers become confidences; nil for other models.
  var confidences: ConfidenceReading?
  /// The pairs of state inputs and outputs.
  var stateCount = 0

  init(_ loaded: LoadedModel, _ options: ObjectDetector.Options, labelCount: Int?) {
    signature = loaded.signature
    let session: Session
    let facts: DetectorFacts
    do {
      if let kind = try loaded.unsupportedInput() {
        (reason, needs) = (kind.what, [kind.remedy])
        return
      }
      try loaded.checkInput()
      session = try Session(model: loaded.model)
      notes = session.notes
      signature.inputs = session.inputs
      signature.outputs = session.outputs
      facts = try DetectorFacts(loaded, session, options)
    } catch {
      let error = FoveaError(error)
      reason = error.message
      needs = [error.remedy]
      return
    }
    stateCount = facts.state.pairs.count
    let usual = recognizeOutputs(loaded, facts, options, labelCount: labelCount)
    do {
      input = try ImageInputTensor(
        modelName: loaded.name, signature: facts.signature, metadata: facts.metadata,
        normalization: options.normalization, family: usual, scale: try loaded.pixelScale())
      let alone = try ImageInputTensor(
        modelName: loaded.name, signature: facts.signature, metadata: nil, normalization: nil, family: usual,
        scale: try loaded.graphScale())
      if [.graph, .family].contains(alone.normalizationSource) { told = alone }
    } catch {
      if family != nil {
        reason = Self.noPicture(facts.signature) ?? FoveaError(error).message
        // What scores and labels need matters once there is an image.
        needs = []
      }
      family = nil
      needs.append(
        "one image input: float32, uint8 or int8 [1, height, width, 3] or [1, 3, height, width], or grey with 1 for 3"
      )
    }
    // What a model of no known family wants of its pixels cannot be told.
    if family == nil {
      input = nil
      told = nil
    }
    if input?.normalizationSource == .assumed {
      needs.append(
        "the normalisation (\(term: .normalization(isValue: true))) if it is not (pixel − 127.5) / 127.5, which is assumed"
      )
    }
  }

  /// Why the inputs are not one image; nil where there is one of an image's shape.
  private static func noPicture(_ signature: ModelSignature) -> String? {
    let inputs = signature.inputs
    let hasPicture = inputs.contains { PictureShape($0.shape) != nil }
    guard inputs.count == 1 else {
      guard !inputs.isEmpty else { return "there is no input" }
      return "there are \(inputs.count) inputs\(hasPicture ? "" : " and no picture"): "
        + inputs.map(\.description).joined(separator: ", ")
    }
    return hasPicture ? nil : "the input \(inputs[0]) is no picture"
  }

  /// What is needed where labels and classes are not as many.
  private static func misfit(_ labelCount: Int, _ classCount: Int, _ outputs: String = "the outputs have")
    -> Advice
  {
    "labels that fit: there \(labelCount == 1 ? "is" : "are") \(labelCount), but \(outputs)"
      + " \(classCount) \(classCount == 1 ? "class" : "classes")"
  }

  /// Finds the family by the outputs.
  /// - Returns: How the family wants its image.
  private mutating func recognizeOutputs(
    _ loaded: LoadedModel, _ facts: DetectorFacts, _ options: ObjectDetector.Options, labelCount: Int?
  ) -> DetectorInput {
    let hasLabels = labelCount != nil
    var refusal: DetectionError?
    do throws(DetectionError) {
      let decoder = try facts.recognizer.decoder(family: options.family)
      family = decoder.family.name
      reason = options.family == nil ? "a detector by its outputs" : "as asked for"
      if stateCount > 0 { reason += ", with a memory" }
      needs += decoder.assumptions
      if decoder.hasClasses, !hasLabels, decoder.classNames == nil {
        let lines = decoder.classCount.map { " with \($0) \($0 == 1 ? "line" : "lines")" } ?? ""
        needs.append("a label file\(lines) (\(term: .labels())) for names of classes in place of numbers")
      }
      do {
        _ = try facts.labels(for: decoder)
      } catch {
        if let count = decoder.classCount, let labelCount { needs.append(Self.misfit(labelCount, count)) }
      }
      if let caution = decoder.family.caution(facts.signature) { needs.append(caution) }
      return loaded.detectorInput(decoder.input, fit: options.fit)
    } catch {
      refusal = error
    }
    if options.family == nil, let head = try? ClassifierHead(modelName: loaded.name, signature: signature) {
      recognizeClassifier(head, loaded, options, labelCount: labelCount)
      return loaded.classifierInput
    }
    if let refusal, refusal.code != .unknownFamily {
      reason = refusal.message
      needs.append(refusal.remedy)
      return DetectorInput()
    }
    if options.family == nil,
      let kind = try? loaded.unsupportedKind(facts.signature, labelCount: labelCount)
    {
      (reason, needs) = (kind.what, [kind.remedy])
      return DetectorInput()
    }
    let nearest = NearestFamily(to: facts.signature)
    reason = "nearest to \(nearest.family), but \(nearest.difference)"
    needs += DetectorFamily.all.map { "the outputs of \($0.name): \($0.rule); or" }
    needs.append("the output of a classifier: one, [1, N] or [1, 1, 1, N], of uint8, int8 or float32")
    return DetectorInput()
  }

  /// Takes a model with one row of numbers for a classifier, unless they are something else.
  private mutating func recognizeClassifier(
    _ head: ClassifierHead, _ loaded: LoadedModel, _ options: ObjectDetector.Options, labelCount: Int?
  ) {
    do {
      if options.scoreActivation == nil,
        let kind = try loaded.unsupportedKind(signature, labelCount: labelCount)
      {
        (reason, needs) = (kind.what, [kind.remedy])
        return
      }
      let isCalibrated = try loaded.calibration(output: 0, classCount: head.classCount) != nil
      confidences = try loaded.confidences(
        of: head, asked: options.scoreActivation, labelCount: labelCount, isCalibrated: isCalibrated)
    } catch {
      let error = FoveaError(error)
      (reason, needs) = (error.message, [error.remedy])
      return
    }
    family = "classifier"
    reason = confidences?.isBinary == true ? "one score for two classes" : "one row of scores"
    if labelCount == nil {
      needs.append(
        head.classCount == 1
          ? "a label file with 1 line, or with 2 if the score is the second of two classes (\(term: .labels()))"
          : "a label file with \(head.classCount) lines (\(term: .labels())) for names in place of numbers")
    }
    if let labelCount, let count = confidences?.classCount, labelCount != count {
      needs.append(
        head.classCount == 1
          ? "labels that fit: there are \(labelCount), but one score has 1, or 2 if it is the second of two classes"
          : Self.misfit(labelCount, count, "the output has"))
    }
    let others = signature.outputs.dropFirst().map(\.description).joined(separator: ", ")
    if !others.isEmpty {
      needs.append(
        "another export if boxes are wanted: only the scores \(signature.outputs[0]) are read, not \(others)")
    }
    switch confidences?.source {
    case .assumed:
      needs.append(
        "what the scores need (\(term: .activation())) if it is not a \(confidences?.activation.rawValue ?? ""), which is assumed:"
          + " the graph ends without one")
    case .values where head.classCount > 1:
      needs.append(
        "what the scores need (\(term: .activation())): the graph does not tell, so that all between 0 and 1 are taken as they are,"
          + " and others get a softmax")
    default: break
    }
  }
}
