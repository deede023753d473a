// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// The rules for an image's results: the detector's options with a call's selection, and the models' own
/// limits.
struct DetectionRules: Sendable {
  var options: ObjectDetector.Options
  /// The models' own score threshold.
  let modelThreshold: Float
  /// The models' own maximum number of objects.
  let modelMaximum: Int
  var filter: ClassFilter
  /// The ranking of the classifier's labels; nil without a classifier.
  var ranking: LabelRanking?

  /// The lowest score of an object.
  var threshold: Float { options.threshold ?? modelThreshold }

  /// Returns the maximum number of objects in an image that is processed in `tiles` tiles.
  func maxObjects(tiles: Int) -> Int {
    options.maxObjects ?? (tiles == 1 ? modelMaximum : max(modelMaximum, Slicing.defaultMaxObjects))
  }
}

extension DetectionPlan {
  /// Returns the rules with a call's selection applied.
  /// - Throws: `option-invalid` for values out of range, and for values that the models do not support.
  func rules(_ selection: ObjectDetector.Selection) throws(FoveaError) -> DetectionRules {
    var rules = rules
    rules.options.apply(selection)
    try rules.options.check()
    try rules.options.checkSmoothing()
    rules.ranking = try ranking(selection)
    if selection.allowedLabels != nil || selection.deniedLabels != nil { try filter(selection, into: &rules) }
    return rules
  }

  private func ranking(_ selection: ObjectDetector.Selection) throws(FoveaError) -> LabelRanking? {
    guard var ranking = rules.ranking else {
      guard selection.labelThreshold == nil && selection.maxLabels == nil else {
        throw .optionInvalid(
          "A label threshold or maximum number of labels can only be used with a classifier, and"
            + " '\(loaded.name)' is used without one",
          remedy: "Remove that option, or use a classifier")
      }
      return nil
    }
    ranking.threshold = selection.labelThreshold ?? ranking.threshold
    ranking.limit = selection.maxLabels ?? ranking.limit
    return ranking
  }

  /// Applies the lists to the detector's classes; if the detector is the localizer, which has none, to the
  /// classifier's classes.
  private func filter(
    _ selection: ObjectDetector.Selection, into rules: inout DetectionRules
  ) throws(FoveaError) {
    let (allowed, denied) = (selection.allowedLabels ?? [], selection.deniedLabels ?? [])
    if loaded.embedded == .localizer || relabeling != nil, let classification {
      rules.ranking?.isAllowed = try classification.filter(allowed: allowed, denied: denied).isAllowed
    } else {
      rules.filter = try ClassFilter(allowed: allowed, denied: denied, labels: labels, modelName: loaded.name)
    }
  }
}
