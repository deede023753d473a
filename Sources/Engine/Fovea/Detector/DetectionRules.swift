// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// What to report of an image: a detector's options, changed as a call asks, and what the models make of them.
struct DetectionRules: Sendable {
  var options: ObjectDetector.Options
  /// The lowest score that the models themselves have for an object.
  let modelThreshold: Float
  /// The most objects that the models themselves give.
  let modelMaximum: Int
  var filter: ClassFilter
  /// How the classifier's labels are picked; nil without one.
  var ranking: LabelRanking?

  /// The lowest score of an object.
  var threshold: Float { options.threshold ?? modelThreshold }

  /// The most objects of an image that is processed in so many tiles.
  func maxObjects(tiles: Int) -> Int {
    options.maxObjects ?? (tiles == 1 ? modelMaximum : max(modelMaximum, Slicing.defaultMaxObjects))
  }
}

extension DetectionPlan {
  /// The rules of the options, changed as a call asks.
  /// - Throws: `option-invalid` for values out of range, and for what the models cannot do.
  func rules(_ selection: ObjectDetector.Selection) throws(FoveaError) -> DetectionRules {
    var rules = rules
    rules.options.apply(selection)
    try rules.options.check()
    rules.ranking = try ranking(selection)
    if selection.allowedLabels != nil || selection.deniedLabels != nil { try filter(selection, into: &rules) }
    return rules
  }

  private func ranking(_ selection: ObjectDetector.Selection) throws(FoveaError) -> LabelRanking? {
    guard var ranking = rules.ranking else {
      guard selection.labelThreshold == nil && selection.maxLabels == nil else {
        throw .optionInvalid(
          "A threshold or number of labels can only be for a classifier, and '\(loaded.name)' is used without one",
          remedy: "Leave that out, or use a classifier")
      }
      return nil
    }
    ranking.threshold = selection.labelThreshold ?? ranking.threshold
    ranking.limit = selection.maxLabels ?? ranking.limit
    return ranking
  }

  /// Lists are about the detector's classes; the localizer has none, so there they are about the classifier's.
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
