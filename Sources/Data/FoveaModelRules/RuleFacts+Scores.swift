// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaRuntime

extension RuleFacts {
  /// Rules 13 to 16, on scores, detectors and missing metadata.
  var scoreRules: [CompatibilityRule] { [scoreOptions, heads, withoutMetadata, noDetector] }

  private var scoreOptions: CompatibilityRule {
    let rule = RuleTitle("13", "A score calibration, if any, has labels and a matching file")
    let threshold = loaded.scoreThreshold.map { "threshold \($0)" } ?? "no threshold, so 0"
    guard metadata?.outputs.contains(where: { $0.scoreCalibration != nil }) == true else {
      return rule.passed("\(threshold), no calibration")
    }
    if let calibrationError {
      return rule.broken(
        accepted: false, calibrationError.message, .malformedScoreCalibration,
        remedy: calibrationError.remedy)
    }
    if case .success(nil) = labels {
      return rule.broken(
        accepted: !isDetector, "there is a calibration, but there are no labels", .missingLabels,
        remedy: "Write the labels: \(term: .addMetadata("FILE --labels LABELS --output NEW"))")
    }
    return rule.passed("\(threshold), with calibration")
  }

  private var heads: CompatibilityRule {
    let rule = RuleTitle("14", "ML Kit reads only the first of several outputs")
    if isDetector { return rule.notApplicable("a detector") }
    let count = signature.outputs.count
    return rule.passed(count == 1 ? "one output" : "\(count) outputs; Fovea also reads only the first")
  }

  private var withoutMetadata: CompatibilityRule {
    let rule = RuleTitle("15", "Float32 models need metadata; uint8 models without them return only indices")
    if let metadata {
      return rule.passed("it has metadata\(metadata.name.map { " '\($0)'" } ?? "")")
    }
    guard signature.inputs.first?.elementType == .float32 else {
      var source: String?
      if case .success(let labels) = labels { source = labels?.source }
      return rule.passed(
        "no metadata; \(source.map { "labels are in \($0)" } ?? "results have indices but no text")")
    }
    let isKnown = normalization.verdict == .differs
    return rule.broken(
      accepted: isKnown, "a float32 model without metadata", .missingNormalization,
      remedy: "Write metadata: "
        + "\(term: .addMetadata("FILE --labels LABELS --normalize MEAN,STD --output NEW"))")
  }

  private var noDetector: CompatibilityRule {
    let rule = RuleTitle("16", "The model is a classifier: ML Kit refuses detectors")
    if isClassifier {
      guard refusal != nil else { return rule.passed("a classifier by its outputs") }
      return rule.passed(
        "a classifier by its outputs, which is all that ML Kit reads; Fovea refuses it for another reason")
    }
    guard isDetector, let family else {
      return rule.notApplicable(
        "neither classifier nor detector\(refusal.map { ". \($0.message)" } ?? "; see rule 9")")
    }
    let first = signature.outputs.enumerated().lazy.compactMap { Self.shapeRefusal($1.shape, $0) }.first
    return rule.broken(
      accepted: true, "a detector of the family \(family)", .invalidOutputDimensions, first,
      remedy: "Fovea accepts it in CustomObjectDetectorOptions; for ML Kit, use a classifier")
  }

  /// Rule 17: the container of the metadata.
  var container: CompatibilityRule {
    let rule = RuleTitle(
      "17", "Files in the model are stored uncompressed, and none named in the metadata is missing")
    let named = metadata?.allFiles ?? []
    let isLabelFileGiven = loaded.labelFile != nil
    if let missing = named.first(where: { archive?.entry(named: $0.name) == nil }) {
      return rule.broken(
        accepted: isLabelFileGiven || !Self.isNeeded(missing),
        "the metadata names '\(missing.name)', but the model does not contain it", .associatedFileNotFound,
        remedy: "Write the file again: \(term: .addMetadata("FILE --labels LABELS --output NEW"))")
    }
    if let packed = archive?.entries.first(where: { !$0.isStored }) {
      return rule.broken(
        accepted: true, "'\(packed.name)' is compressed, expected stored", .associatedFileArchive,
        "Expected uncompressed zip archive.", remedy: "Pack the files again without compression: zip -0")
    }
    guard let archive else { return rule.notApplicable("the model contains no files") }
    return rule.passed(archive.entries.map(\.name).joined(separator: ", "))
  }

  /// Whether Fovea needs a file to give the answers that the model declares.
  private static func isNeeded(_ file: AssociatedFile) -> Bool {
    [.axisLabels, .valueLabels, .axisScoreCalibration].contains(file.kind)
  }
}
