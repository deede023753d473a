// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// How a classifier names what a detector has found in place of the detector.
struct Relabeling: Sendable {
  /// The most objects of an image that get a name, where the caller asks for no number: as many as `ObjectTrainer` learns
  /// from and judges by.
  ///
  /// Each costs a run of the classifier.
  static let defaultMaxObjects = 20

  /// The class of what is none of the others; nil where the classifier has none.
  private let noneClass: Int?

  init(_ classification: ClassificationPlan) { noneClass = classification.noneClass }

  /// The likeliest label alone, whatever it is: what is dropped for it must not come back with its second one.
  let ranking = LabelRanking(threshold: 0, limit: 1)

  /// Throws `option-invalid` for what a name in place of the detector's leaves no room for.
  static func check(_ options: ObjectDetector.Options) throws(FoveaError) {
    guard options.classifier.isRelabeling, options.needsMaxLabels else { return }
    throw .optionInvalid(
      "A number of labels was given, but an object that is labelled again has one, the likeliest",
      remedy: "Leave that out, or use the classifier without taking the detector's place")
  }

  /// The objects that are something, by falling score: of the box, times the probability of the label.
  func ranked(_ objects: [DetectedObject], _ rules: DetectionRules) -> [DetectedObject] {
    let named = objects.compactMap { scored($0, rules) }
    // Equal scores keep the detector's order.
    return named.enumerated().sorted { first, second in
      let (a, b) = (first.element.score, second.element.score)
      return a == b ? first.offset < second.offset : a > b
    }.map(\.element)
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
