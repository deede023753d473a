// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// The rules of the Task Library and of MediaPipe for detectors; Fovea needs none of them.
///
/// **Source:** TensorFlow Lite Support, `cc/task/vision/object_detector.cc`.
extension RuleFacts {
  /// Rules D1 to D7; empty if the model is not a detector.
  var detectorRules: [CompatibilityRule] {
    isDetector
      ? [
        fourOutputs, outputShapes, detectorMetadata, boxContent, boxIndex, classLabels, outputNames,
      ] : []
  }

  private var isPostProcessed: Bool {
    if isDetector, case .detector(let decoder) = profile.kind {
      decoder.family == .ssdPostProcess
    } else {
      false
    }
  }

  /// The output of each of `outputRoles`, by the names in the metadata, otherwise in order.
  private var roles: [Int] {
    let names = metadata?.outputs.map(\.name) ?? []
    let found = ModelProfile.outputRoles.compactMap { names.firstIndex(of: $0) }
    return found.count == 4 ? found : [0, 1, 2, 3]
  }

  private var hasAnchors: Bool {
    guard let metadata else { return false }
    do { return try AnchorMetadata.read(metadata) != nil } catch {
      // MediaPipe cannot read damaged anchors.
      return false
    }
  }

  private var fourOutputs: CompatibilityRule {
    let rule = RuleTitle("D1", "A detector has the four float32 outputs of TFLite_Detection_PostProcess")
    let outputs = signature.outputs
    if !isPostProcessed, hasAnchors {
      return rule.passed(
        "\(outputs.count) outputs and anchors in the metadata, which MediaPipe also accepts")
    }
    let isFloat = outputs.allSatisfy { $0.elementType == .float32 }
    guard outputs.count == 4, isFloat else {
      return rule.broken(
        accepted: true,
        "\(outputs.count) outputs, expected 4 of float32: "
          + outputs.map(\.description).joined(separator: ", "),
        outputs.count == 4 ? .invalidOutputType : .invalidOutputCount,
        outputs.count == 4 ? nil : "Expected 4 output tensors, found \(outputs.count)",
        remedy: "Fovea accepts it; for MediaPipe, export it with TFLite_Detection_PostProcess at its end")
    }
    return rule.passed("4 of float32")
  }

  private var outputShapes: CompatibilityRule {
    let rule = RuleTitle("D2", "Its outputs are boxes [1, N, 4], classes [1, N], scores [1, N] and count [1]")
    guard isPostProcessed else { return rule.notApplicable("a detector of the family \(family ?? "")") }
    let shapes = roles.map { signature.outputs[$0].shape }
    guard shapes[0].count == 3, shapes[0][0] == 1, shapes[0][2] == 4,
      shapes[1] == [1, shapes[0][1]], shapes[2] == shapes[1], shapes[3] == [1]
    else {
      return rule.broken(
        accepted: true, "the outputs are \(shapes.map { "\($0)" }.joined(separator: ", "))",
        .invalidOutputDimensions,
        "Expected locations tensor with dimensions [1, num_detected_boxes, 4] at index 0",
        remedy: "Name the outputs in the metadata: \(term: .addMetadata("FILE --output NEW"))")
    }
    return rule.passed(shapes.map { "\($0)" }.joined(separator: ", "))
  }

  private var detectorMetadata: CompatibilityRule {
    let rule = RuleTitle("D3", "A detector has metadata")
    guard metadata != nil else {
      return rule.broken(
        accepted: true, "there is no metadata", .metadataNotFound,
        remedy: "Write metadata: \(term: .addMetadata("FILE --labels LABELS --output NEW"))")
    }
    return rule.passed("it has metadata")
  }

  private var layout: TensorContent? {
    guard let outputs = metadata?.outputs, outputs.indices.contains(roles[0]) else { return nil }
    return outputs[roles[0]].content
  }

  private var boxContent: CompatibilityRule {
    let rule = RuleTitle("D4", "The metadata of the boxes is BoundingBoxProperties with BOUNDARIES in RATIO")
    guard metadata != nil else { return rule.notApplicable("no metadata; see rule D3") }
    guard isPostProcessed else { return rule.notApplicable("a detector of the family \(family ?? "")") }
    let remedy: Advice = "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))"
    let name = loaded.outputMetadata(roles[0])?.name ?? "#0"
    guard case .boundingBoxes(let boxes)? = layout else {
      return rule.broken(
        accepted: true, "the boxes have no BoundingBoxProperties", .invalidContentProperties,
        "Expected BoundingBoxProperties for tensor \(name), found none.", remedy: remedy)
    }
    guard boxes.kind == .boundaries, boxes.coordinates == .ratio else {
      return rule.broken(
        accepted: true, "the boxes are \(boxes.kind) in \(boxes.coordinates), expected boundaries in ratio",
        .invalidContentProperties,
        boxes.kind == .boundaries
          ? "Mobile SSD only supports CoordinateType RATIO, found PIXEL"
          : "Mobile SSD only supports BoundingBoxType BOUNDARIES, found \(Self.name(of: boxes.kind))",
        remedy: remedy)
    }
    return rule.passed("boundaries in ratio")
  }

  private static func name(of kind: BoundingBoxLayout.Kind) -> String {
    switch kind {
    case .unknown: "UNKNOWN"
    case .boundaries: "BOUNDARIES"
    case .upperLeft: "UPPER_LEFT"
    case .center: "CENTER"
    }
  }

  private var boxIndex: CompatibilityRule {
    let rule = RuleTitle("D5", "The index of the boxes is [1, 0, 3, 2], for top, left, bottom, right")
    guard isPostProcessed, case .boundingBoxes(let boxes)? = layout else {
      return rule.notApplicable("the metadata describes no boxes of a post-processed SSD")
    }
    guard boxes.index == [1, 0, 3, 2] else {
      return rule.broken(
        accepted: true,
        boxes.index.isEmpty
          ? "the index is missing, which means left, top, right, bottom" : "the index is \(boxes.index)",
        .invalidContentProperties,
        remedy: "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))")
    }
    return rule.passed("[1, 0, 3, 2]")
  }

  private var classLabels: CompatibilityRule {
    let rule = RuleTitle("D6", "The output of classes has labels of type TENSOR_VALUE_LABELS, one per class")
    let remedy: Advice = "Write the labels again: \(term: .addMetadata("FILE --labels LABELS --output NEW"))"
    let found: LabelMap?
    switch labels {
    case .success(let map): found = map
    case .failure(let error): return rule.unreadableLabels(error)
    }
    if case .failure(let labelMisfit) = detectorLabels {
      return rule.broken(
        accepted: false, labelMisfit.message, .metadataInconsistency, remedy: labelMisfit.remedy)
    }
    guard let found else {
      return loaded.blankLabels.map { rule.blankLabels($0) }
        ?? rule.passed("no labels: results have indices but no text")
    }
    guard loaded.labelFile == nil, loaded.labelOutputIndex != nil else {
      return rule.passed(
        "\(DecimalText.counted(found.count, "label", "labels")) in \(found.source), next to the model")
    }
    let wanted = isPostProcessed ? roles[1] : loaded.labelOutputIndex ?? 0
    guard loaded.outputMetadata(wanted)?.files(.valueLabels).isEmpty == false else {
      return rule.broken(
        accepted: true,
        "\(found.source) has another type or is at another output, so MediaPipe does not read it",
        .missingLabels, remedy: remedy)
    }
    return rule.passed("\(DecimalText.counted(found.count, "label", "labels")) in \(found.source)")
  }

  private var outputNames: CompatibilityRule {
    let rule = RuleTitle(
      "D7", "Outputs are named location, category, score, number of detections, or are in that order")
    guard metadata != nil else { return rule.notApplicable("no metadata; see rule D3") }
    guard isPostProcessed else { return rule.notApplicable("a detector of the family \(family ?? "")") }
    let names = metadata?.outputs.map { $0.name ?? "" } ?? []
    let missing = ModelProfile.outputRoles.filter { !names.contains($0) }
    return rule.passed(
      missing.isEmpty
        ? "all four are named" : "used in that order; not named: \(missing.joined(separator: ", "))")
  }
}
