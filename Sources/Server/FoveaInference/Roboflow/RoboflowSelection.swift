// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// What a call of Roboflow's wants of the objects or labels of an image.
struct RoboflowSelection: Sendable {
  /// The lowest confidence, 0…1; nil takes the model's own.
  var confidence: Float?
  var maximum: Int?
  /// The largest overlap (IoU) of two boxes, 0…1, besides what the model itself leaves out; nil takes that alone.
  var overlap: Double?
  /// Whether boxes of two classes overlap as those of one do.
  var isClassAgnostic = false
  /// The classes that are wanted, each text one or several with commas between them; nil for all.
  var classes: Set<String>?
  /// Whether the answer has the image with its boxes.
  var isDrawn = false

  /// The overlap of Roboflow's own server where a call names none.
  private static let usualOverlap = 0.3

  /// What changes no answer here: it is about masks and key points, or about Roboflow's own records.
  static let unused: Set<String> = [
    "active_learning_target_dataset", "allow_reduced_mask_resolution", "countinference",
    "disable_active_learning", "disable_model_monitoring", "disable_preproc_contrast",
    "disable_preproc_grayscale", "disable_preproc_static_crop", "fix_batch_size", "keypoint_confidence",
    "mask_decode_mode", "response_mask_format", "service_secret", "source", "source_info",
    "source_info_origin", "tradeoff_factor", "usage_billable",
  ]

  /// What of the objects or labels is wanted.
  /// - Parameters:
  ///   - findings: What was found.
  ///   - known: The labels of the model, which decide whether a comma is part of a class.
  /// - Returns: The same with what is wanted of it.
  func chosen(_ findings: DetectionRecord.Findings, among known: Set<String>) -> DetectionRecord.Findings {
    let names = classes.map { Set(CommaList.names($0, among: known)) }
    var findings = findings
    switch findings.content {
    case .objects(let objects):
      let wanted = separated(objects.filter { names?.contains($0.className) ?? true })
      findings.content = .objects(Array(wanted.prefix(maximum ?? wanted.count)))
    case .labels(let labels):
      findings.content = .labels(labels.filter { names?.contains($0.text ?? "") ?? true })
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

  /// The options of the call.
  var options: CallOptions {
    var options = CallOptions()
    options.upright = true
    options.named.selection.threshold = confidence
    options.named.maxResults = maximum
    // What is left out afterwards must not take the places of others.
    options.named.selection.maxObjects = overlap == nil && !isClassAgnostic && classes == nil ? maximum : nil
    return options
  }
}
#endif
