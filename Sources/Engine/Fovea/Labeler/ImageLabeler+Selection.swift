// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

extension ImageLabeler {
  /// What to report of one image, in place of the labeler's own options; nil keeps those.
  public struct Selection: Sendable, Hashable {
    /// The lowest confidence of a label, 0…1.
    public var threshold: Float?
    /// The most labels, 1 or more.
    public var maxResults: Int?
    /// The labels to report, as `Options.allowedLabels`; it replaces both lists of the labeler.
    public var allowedLabels: [String]?
    /// The labels never to report, as `Options.deniedLabels`; it replaces both lists of the labeler.
    public var deniedLabels: [String]?

    /// Nothing but what the labeler was made with.
    public init() {}

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      try OptionChecks.range("threshold", threshold, 0...1)
      try OptionChecks.atLeastOne("max-results", maxResults)
    }
  }
}

extension ClassificationPlan {
  /// How labels are picked, changed as a call asks.
  /// - Throws: `option-invalid` for values out of range, and labels that the model does not have.
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
