// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

extension ImageLabeler {
  /// The results to report for one image, instead of the labeler's own options; nil keeps those.
  public struct Selection: Sendable, Hashable {
    /// The lowest confidence of a label, 0…1.
    public var threshold: Float?
    /// The maximum number of labels, 1 or more.
    public var maxResults: Int?
    /// The labels to report, like `Options.allowedLabels`; replaces both lists of the labeler.
    public var allowedLabels: [String]?
    /// The labels never to report, like `Options.deniedLabels`; replaces both lists of the labeler.
    public var deniedLabels: [String]?

    /// Creates a selection that keeps all of the labeler's options.
    public init() {}

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      try OptionChecks.range("threshold", threshold, 0...1)
      try OptionChecks.atLeastOne("max-results", maxResults)
    }
  }
}

extension ClassificationPlan {
  /// Returns how labels are ranked, with a call's selection applied.
  /// - Throws: `option-invalid` for values out of range, and for labels that the model does not have.
  func ranking(_ selection: ImageLabeler.Selection) throws(FoveaError) -> LabelRanking {
    try selection.check()
    var ranking = ranking
    ranking.threshold = selection.threshold ?? ranking.threshold
    ranking.limit = selection.maxResults ?? ranking.limit
    if selection.allowedLabels != nil || selection.deniedLabels != nil {
      ranking.isAllowed = try filter(
        allowed: selection.allowedLabels ?? [], denied: selection.deniedLabels ?? []
      ).isAllowed
    }
    return ranking
  }
}
