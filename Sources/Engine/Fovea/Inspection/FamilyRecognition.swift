// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// The reasons why a model is of its kind, and the requirements to use it, in words.
struct FamilyRecognition {
  private(set) var reason = ""
  private(set) var needs: [Advice] = []
  private let labels: LabelMap?

  init(_ profile: ModelProfile, labels: LabelMap?) {
    self.labels = labels
    let labelCount = labels?.count
    let facts: DetectorFacts
    switch profile.facts {
    case .success(let found): facts = found
    case .failure(let error):
      (reason, needs) = (error.reason, [error.remedy])
      if let kind = profile.kind.unsupportedModel { reason = kind.what }
      return
    }
    explain(profile, facts, labelCount: labelCount)
    if case .failure(let error) = profile.input {
      if profile.kind.name != nil {
        // The requirements of scores and labels matter only once there is an image.
        (reason, needs) = (Self.noImage(facts.signature) ?? error.reason, [])
      }
      needs.append(
        "one image input: float32, uint8, int8 or int32 [1, height, width, 3] or [1, 3, height, width],"
          + " or 1 for grey in place of 3"
      )
    }
    if profile.image?.normalizationSource == .assumed {
      needs.append(
        "the normalisation (\(option: "normalize", "MEAN,STD")) if it is not (pixel − 127.5) / 127.5,"
          + " which is assumed"
      )
    }
  }

  /// Returns why the inputs are not one image; nil if there is one with an image's shape.
  private static func noImage(_ signature: ModelSignature) -> String? {
    let inputs = signature.inputs
    let hasImage = inputs.contains { ImageShape($0.shape) != nil }
    guard inputs.count == 1 else {
      guard !inputs.isEmpty else { return "there is no input" }
      return "there are \(inputs.count) inputs\(hasImage ? "" : " and no image"): "
        + inputs.map(\.description).joined(separator: ", ")
    }
    return hasImage ? nil : "the input \(inputs[0]) is not an image"
  }

  /// Returns the requirement for labels whose number differs from the number of classes.
  private func misfit(_ labelCount: Int, _ classCount: Int, _ outputs: String = "the outputs have") -> Advice
  {
    "labels that fit: there \(labelCount == 1 ? "is" : "are") \(labelCount), but \(outputs)"
      + " \(classCount) \(classCount == 1 ? "class" : "classes")\(labels?.disagreement(classCount) ?? "")"
  }

  /// Describes the outputs.
  private mutating func explain(_ profile: ModelProfile, _ facts: DetectorFacts, labelCount: Int?) {
    switch profile.kind {
    case .detector(let decoder):
      explain(decoder, profile, facts, labelCount: labelCount)
    case .classifier(let head, let confidences):
      explain(head, confidences, profile.signature, labelCount: labelCount)
    case .segmenter(let head):
      explain(head, labelCount: labelCount)
    case .embedding(let kind), .unsupported(let kind):
      (reason, needs) = (kind.what, [kind.remedy])
    case .broken(let problem):
      (reason, needs) = (problem.error.reason, [problem.error.remedy])
    case .unknown(let nearest):
      reason = "nearest to \(nearest.family), but \(nearest.difference)"
      needs += DetectorFamily.all.map { "the outputs of \($0.name): \($0.rule); or" }
      needs.append("the output of a classifier: one, [1, N] or [1, 1, 1, N], of uint8, int8 or float32")
    }
  }

  private mutating func explain(
    _ decoder: any DetectionDecoder, _ profile: ModelProfile, _ facts: DetectorFacts, labelCount: Int?
  ) {
    reason = profile.options.family == nil ? "a detector by its outputs" : "as requested"
    if profile.stateCount > 0 { reason += ", with a memory" }
    needs += decoder.assumptions
    needs += facts.unsettledLabels(for: decoder)?.assumptions ?? []
    if decoder.hasClasses, labelCount == nil, decoder.classNames == nil {
      let lines = decoder.classCount.map { " with \($0) \($0 == 1 ? "line" : "lines")" } ?? ""
      needs.append("a label file\(lines) (\(option: "labels")) to show class names instead of numbers")
    }
    if case .failure(let error) = profile.detectorLabels, let labelCount {
      if let count = decoder.classCount, count != labelCount {
        needs.append(misfit(labelCount, count))
      } else {
        needs.append("labels that fit: \(error.message)")
      }
    }
    if let caution = decoder.family.caution(facts.signature) { needs.append(caution) }
  }

  private mutating func explain(_ head: MapHead, labelCount: Int?) {
    reason = "a map of classes by its output (\(head.family))"
    guard let labelCount else {
      guard head.family != .mask else { return }
      let lines = head.classCount.map { " with \($0) lines" } ?? ""
      needs.append("a label file\(lines) (\(option: "labels")) to show class names instead of numbers")
      return
    }
    if let count = head.classCount, count != labelCount, head.family != .mask || labelCount != 1 {
      needs.append(misfit(labelCount, count, "the output has"))
    }
  }

  private mutating func explain(
    _ head: ClassifierHead, _ confidences: ConfidenceReading, _ signature: ModelSignature, labelCount: Int?
  ) {
    reason = confidences.isBinary ? "one score for two classes" : "one row of scores"
    if labelCount == nil {
      let option: Advice = "\(option: "labels")"
      needs.append(
        head.classCount == 1
          ? "a label file with 1 line, or with 2 if the score is the second of two classes (\(option))"
          : "a label file with \(head.classCount) lines (\(option)) to show names instead of numbers")
    }
    if let labelCount, labelCount != confidences.classCount {
      needs.append(
        head.classCount == 1
          ? """
          labels that fit: there are \(labelCount), but one score has 1, or 2 if it is the second of two \
          classes
          """
          : misfit(labelCount, confidences.classCount, "the output has"))
    } else if let error = labels?.misplacement(among: confidences.classCount, of: "the output") {
      needs.append("labels that fit: \(error.message)")
    }
    let others = signature.outputs.dropFirst().map(\.description).joined(separator: ", ")
    if !others.isEmpty {
      needs.append(
        "another export if boxes are wanted: only the scores \(signature.outputs[0]) are read, not \(others)")
    }
    switch confidences.source {
    case .assumed:
      needs.append(
        "the activation of the scores (\(option: "activation")) if it is not"
          + " a \(confidences.activation.rawValue), which is assumed: the graph ends without one")
    case .values where head.classCount > 1 && labelCount != head.classCount:
      needs.append(
        "the activation of the scores (\(option: "activation")): the graph does not show it, so they are used"
          + " unchanged, as long as all are 0 to 1")
    case .values where head.classCount > 1:
      needs.append(
        "the activation of the scores (\(option: "activation")): the graph does not show it, so all between"
          + " 0 and 1 are used unchanged, and others get a softmax")
    default: break
    }
  }
}
