// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// A Roboflow call's filters for the objects or labels of an image.
struct RoboflowSelection: Sendable {
  /// The minimum confidence, 0…1; nil for the model's own.
  var confidence: Float?
  var maximum: Int?
  /// The largest overlap (IoU) of two boxes, 0…1, in addition to the model's own suppression; nil for only
  /// the model's.
  var overlap: Double?
  /// Whether boxes of different classes suppress each other.
  var isClassAgnostic = false
  /// The requested classes, each string naming one or several separated by commas; nil for all.
  var classes: Set<String>?
  /// Whether the answer includes the image with its boxes.
  var isDrawn = false

  /// The overlap of Roboflow's own server if a call names none.
  private static let usualOverlap = 0.3

  /// Members that do not affect answers here: they concern masks, key points or Roboflow's own records.
  static let unused: Set<String> = [
    "active_learning_target_dataset", "allow_reduced_mask_resolution", "countinference",
    "disable_active_learning", "disable_model_monitoring", "disable_preproc_contrast",
    "disable_preproc_grayscale", "disable_preproc_static_crop", "fix_batch_size", "keypoint_confidence",
    "mask_decode_mode", "response_mask_format", "service_secret", "source", "source_info",
    "source_info_origin", "tradeoff_factor", "usage_billable",
  ]

  /// Reads a fraction of a URL, or a percentage if it is 1 or more, like Roboflow.
  /// - Throws: A refusal that names the option, outside 0…100.
  static func part(_ name: String, _ text: String) throws(Refusal) -> Double {
    try part(name, Double(text), text: text, isOnePercent: true)
  }

  /// Reads a fraction of a JSON body, or a percentage if it is above 1; nil for nil.
  /// - Throws: A refusal that names the option, outside 0…100.
  static func part(_ name: String, _ number: Double?) throws(Refusal) -> Double? {
    guard let number else { return nil }
    return try part(name, number, text: CallNumbers.text(number), isOnePercent: false)
  }

  // 1 is one percent in a URL, but the whole in JSON.
  private static func part(
    _ name: String, _ number: Double?, text: String, isOnePercent: Bool
  ) throws(Refusal) -> Double {
    guard let number, (0...100).contains(number) else {
      throw CallOptions.invalid(
        name, "is '\(text.prefix(40))'; it must be 0…1, or a percentage up to 100",
        "Give 0.4 or 40, for example")
    }
    return number > 1 || number == 1 && isOnePercent ? number / 100 : number
  }

  /// Returns the names of the requested classes, in alphabetical order.
  /// - Parameter known: The model's labels, which decide whether a comma is part of a class.
  /// - Returns: The names; nil for all.
  func names(among known: Set<String>) -> [String]? {
    classes.map { Set(CommaList.names($0, among: known)).sorted() }
  }

  /// Returns the requested objects or labels.
  /// - Parameters:
  ///   - findings: All findings.
  ///   - known: The model's labels, which decide whether a comma is part of a class.
  /// - Returns: The findings reduced to the requested ones.
  func chosen(_ findings: DetectionRecord.Findings, among known: Set<String>) -> DetectionRecord.Findings {
    let names = names(among: known).map { Set($0) }
    var findings = findings
    switch findings.content {
    case .objects(let objects):
      let wanted = separated(objects.filter { names?.contains($0.className) ?? true })
      findings.content = .objects(Array(wanted.prefix(maximum ?? wanted.count)))
    case .labels(let labels):
      findings.content = .labels(labels.filter { names?.contains($0.text ?? "") ?? true })
    case .map: break
    }
    return findings
  }

  private func separated(_ objects: [DetectedObject]) -> [DetectedObject] {
    guard overlap != nil || isClassAgnostic else { return objects }
    let names = Array(Set(objects.map(\.className)).sorted())
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    return nonMaximumSuppression(
      boxes: objects.map(\.box), scores: objects.map(\.score),
      classes: isClassAgnostic ? nil : objects.map { numbers[$0.className] ?? 0 },
      threshold: overlap ?? RoboflowSelection.usualOverlap
    ).map { objects[$0] }
  }

  /// The options for the call.
  var options: CallOptions {
    var options = CallOptions()
    options.upright = true
    options.named.selection.threshold = confidence
    options.named.maxResults = maximum
    // Objects that are filtered out later must not displace others.
    options.named.selection.maxObjects = overlap == nil && !isClassAgnostic && classes == nil ? maximum : nil
    return options
  }
}
#endif
