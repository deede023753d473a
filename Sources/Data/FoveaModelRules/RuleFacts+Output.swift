// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaMetadata
import FoveaRuntime

extension RuleFacts {
  /// Rules 9 to 12, on scores and their labels.
  var outputRules: [CompatibilityRule] { [scoreShape, scoreType, describedOutputs, labelMap] }

  private var shapeRemedy: Advice {
    isDetector
      ? "Fovea accepts detectors; for ML Kit, use a classifier"
      : "Export a classifier: one output [1, classes]"
  }

  private var scoreShape: CompatibilityRule {
    let rule = RuleTitle("9", "Each output is [1, N] or [1, 1, 1, N]")
    guard !signature.outputs.isEmpty else {
      return rule.broken(accepted: false, "there is no output", .invalidOutputCount, remedy: shapeRemedy)
    }
    for (index, output) in signature.outputs.enumerated() {
      guard let text = Self.shapeRefusal(output.shape, index) else { continue }
      // Only the first output of a classifier is read.
      let accepted = isDetector || (isClassifier && index > 0)
      return rule.broken(
        accepted: accepted, "output \(index) is \(output)", .invalidOutputDimensions, text,
        remedy: shapeRemedy)
    }
    return rule.passed(signature.outputs.map(\.description).joined(separator: ", "))
  }

  /// Returns the Task Library's message for a shape that is not a classifier's; nil for a classifier's.
  static func shapeRefusal(_ shape: [Int], _ index: Int) -> String? {
    guard shape.count == 2 || shape.count == 4 else {
      return
        "Unexpected number of dimensions for output index \(index): got \(shape.count)D, expected either 2D "
        + "(BxN with B=1) or 4D (BxHxWxN with B=1, W=1, H=1)."
    }
    if shape.count == 4, shape[1] != 1 || shape[2] != 1 {
      return "Unexpected WxH sizes for output index \(index): got \(shape[2])x\(shape[1]), expected 1x1."
    }
    guard shape[0] == 1 else {
      return
        "The output array is expected to have a batch size of 1. Got \(shape[0]) for output index \(index)."
    }
    return nil
  }

  private var scoreType: CompatibilityRule {
    let rule = RuleTitle("10", "The outputs are all uint8 or all float32")
    if isDetector { return rule.notApplicable("a detector; see rules D1 to D7") }
    let types = signature.outputs.map(\.elementType)
    if let index = types.firstIndex(where: { ![.uint8, .float32].contains($0) }) {
      let isRead = [.int8, .float16].contains(types[index]) || (isClassifier && index > 0)
      return rule.broken(
        accepted: isRead, "output \(index) is \(types[index]), expected uint8 or float32",
        .invalidOutputType,
        "Type mismatch for output tensor \(signature.outputs[index].name). Requested one of these types: "
          + "kTfLiteUint8/kTfLiteFloat32, got \(types[index].description.uppercased()).",
        remedy: "Convert the model again: converter.inference_output_type = tf.uint8")
    }
    let quantized = types.count { $0 == .uint8 }
    guard quantized == 0 || quantized == types.count else {
      return rule.broken(
        accepted: true, "\(quantized) of \(types.count) outputs are uint8", .invalidOutputType,
        "Got \(quantized) quantized output(s), expected \(types.count) "
          + "(i.e. all provided outputs must be quantized).",
        remedy: "Convert the model again with one type for all outputs")
    }
    return rule.passed(types.first.map { "all \($0)" } ?? "no output")
  }

  private var describedOutputs: CompatibilityRule {
    let rule = RuleTitle("11", "The metadata describes as many outputs as the model has")
    let described = metadata?.outputs.count ?? 0
    guard described > 0 else { return rule.notApplicable("the metadata describes no output") }
    guard described == graph.outputCount else {
      return rule.broken(
        accepted: false,
        "the metadata describes \(described) outputs, but the model has \(graph.outputCount)",
        .metadataInconsistency,
        "Mismatch between number of output tensors (\(graph.outputCount)) and output tensors metadata "
          + "(\(described)).",
        remedy: "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))")
    }
    return rule.passed("\(described) of each")
  }

  private var labelMap: CompatibilityRule {
    let rule = RuleTitle("12", "There are as many labels as classes, and as many display names")
    if isDetector { return rule.notApplicable("a detector; see rule D6") }
    let labels: LabelMap?
    switch storedLabels {
    case .success(let found): labels = found
    case .failure(let error): return rule.unreadableLabels(error)
    }
    guard let labels else {
      return loaded.blankLabels.map { rule.blankLabels($0) }
        ?? rule.passed("no label map: results have indices but no text")
    }
    guard let classes = signature.outputs.first?.shape.last, isClassifier else {
      return rule.notApplicable("the first output has no classes; see rule 9")
    }
    let names = DecimalText.counted(labels.count, "label", "labels")
    let places = DecimalText.counted(classes, "class", "classes")
    guard labels.count == classes || loaded.labelFile != nil && labels.canFit(classes) else {
      return rule.broken(
        accepted: classes == 1 && labels.count == 2 || labels.canFit(classes),
        "\(labels.source) has \(names), but output 0 has \(places)",
        .metadataInconsistency,
        "Got \(classes) class(es) for output index 0, expected \(labels.count) according to the label map.",
        remedy: classes == 1
          ? ClassificationPlan.oneScoreRemedy
          : "\(labels.fittingRemedy(classes, "Give a label file with \(classes) lines, one per class"))")
    }
    if let misplaced = labels.misplacement(among: classes, of: "output 0") {
      return rule.broken(accepted: false, misplaced.message, nil, remedy: misplaced.remedy)
    }
    if let misfit = displayNameMisfit(labels) { return misfit(rule) }
    // A background, a header or blank lines of a label file name no class.
    let used = labels.count == classes ? "" : ", of which \(classes) name the classes"
    return rule.passed("\(places), \(names) in \(labels.source)\(used)")
  }

  /// Returns the broken rule for a locale that does not have one display name for each class name.
  private func displayNameMisfit(_ labels: LabelMap) -> ((RuleTitle) -> CompatibilityRule)? {
    guard loaded.labelFile == nil, let files = loaded.outputMetadata(0)?.files(.axisLabels) else {
      return nil
    }
    for locale in files.compactMap(\.locale) where !locale.isEmpty {
      do { _ = try loaded.labels(output: 0, locale: locale) } catch {
        let message = FoveaError(error).message
        return { rule in
          rule.broken(
            accepted: true, "display names '\(locale)': \(message)", .labelCountMismatch,
            remedy: "Write the labels again: "
              + "\(term: .addMetadata("FILE --labels LABELS --locale-labels \(locale)=NAMES --output NEW"))")
        }
      }
    }
    return nil
  }
}

extension RuleTitle {
  /// Returns the rule as broken because the label file has no labels, which Google's libraries refuse.
  ///
  /// **Source:** TensorFlow Lite Support, `cc/task/core/label_map_item.cc`, `BuildLabelMapFromFiles`.
  func blankLabels(_ file: (name: String, isEmpty: Bool)) -> CompatibilityRule {
    broken(
      accepted: true, "\(file.name) has no labels", file.isEmpty ? .invalidArgument : .metadataInconsistency,
      file.isEmpty ? "Expected non-empty labels file." : nil,
      remedy: "Write the labels: \(term: .addMetadata("FILE --labels LABELS --output NEW"))")
  }

  /// Returns the rule as broken because the labels cannot be read.
  func unreadableLabels(_ error: FoveaError) -> CompatibilityRule {
    broken(
      accepted: false, error.message,
      error.code == MetadataCode.missingFile ? .associatedFileNotFound : .associatedFileArchive,
      remedy: "\(error.remedy), or write them again: "
        + "\(term: .addMetadata("FILE --labels LABELS --output NEW"))")
  }
}
