// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// The replacement of a detector's names by a classifier's.
struct Relabeling: Sendable {
  /// The default maximum number of objects that get a name in an image: as many as `ObjectTrainer` learns
  /// from and evaluates with.
  ///
  /// Each costs a run of the classifier.
  static let defaultMaxObjects = 20

  /// The class of objects that belong to none of the others; nil if the classifier has none.
  private let noneClass: Int?

  init(_ classification: ClassificationPlan) { noneClass = classification.noneClass }

  /// Uses only the most likely label, even if this label drops the object: the object must not return with
  /// its second one.
  let ranking = LabelRanking(threshold: 0, limit: 1)

  /// Throws `option-invalid` for options that conflict with relabelling.
  static func check(_ options: ObjectDetector.Options) throws(FoveaError) {
    guard options.classifier.isRelabeling, options.needsMaxLabels else { return }
    throw .optionInvalid(
      "A maximum number of labels was set, but relabelled objects have only one label",
      remedy: "Remove that option, or use the classifier without relabelling")
  }

  /// Returns the named objects by descending score: the box's score times the label's probability.
  func ranked(_ objects: [DetectedObject], _ rules: DetectionRules) -> [DetectedObject] {
    objects.compactMap { scored($0, rules) }.byScore()
  }

  private func scored(_ object: DetectedObject, _ rules: DetectionRules) -> DetectedObject? {
    guard let label = object.labels.first, label.index != noneClass else { return nil }
    if let allowed = rules.ranking?.isAllowed, !allowed[label.index] { return nil }
    guard label.confidence >= rules.ranking?.threshold ?? 0 else { return nil }
    var object = object
    object.score *= label.confidence
    return object.score >= rules.threshold ? object : nil
  }
}
