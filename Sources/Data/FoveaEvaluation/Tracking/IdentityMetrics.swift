// SPDX-License-Identifier: Apache-2.0

/// The identity figures: boxes at an overlap of 0.5 that keep one identity over the entire sequence.
///
/// Each object is paired with at most one identity of the tracker, so that as many boxes as possible are
/// right.
///
/// **Source:** Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking",
/// ECCV workshops 2016.
public struct IdentityMetrics: Sendable, Hashable {
  /// IDTP: the number of boxes whose object is paired with their identity.
  public internal(set) var truePositives = 0
  /// IDFN: the number of objects without such a box.
  public internal(set) var falseNegatives = 0
  /// IDFP: the number of other boxes of the tracker.
  public internal(set) var falsePositives = 0

  /// IDF1: right boxes ÷ the mean of objects and boxes.
  public var f1: Double {
    Double(truePositives)
      / max(1, Double(truePositives) + 0.5 * Double(falsePositives) + 0.5 * Double(falseNegatives))
  }
  /// IDR: right boxes ÷ objects.
  public var recall: Double { Double(truePositives) / max(1, Double(truePositives + falseNegatives)) }
  /// IDP: right boxes ÷ the tracker's boxes.
  public var precision: Double { Double(truePositives) / max(1, Double(truePositives + falsePositives)) }

  init() {}

  /// Combines the figures of several sequences.
  init(combining parts: [IdentityMetrics]) {
    for part in parts {
      truePositives += part.truePositives
      falseNegatives += part.falseNegatives
      falsePositives += part.falsePositives
    }
  }

  /// Computes the figures of one sequence.
  init(_ table: SequenceTable) {
    var counts = [Int](repeating: 0, count: table.links.count)
    for pair in table.pairs where pair.similarity >= 0.5 { counts[Int(pair.link)] += 1 }
    var matcher = FrameMatcher()
    matcher.begin()
    for (link, count) in zip(table.links, counts) where count > 0 {
      matcher.allow(row: link.truth, column: link.result, weight: Double(count))
    }
    matcher.match(rows: table.truthCounts.count, columns: table.resultCounts.count)
    for (link, count) in zip(table.links, counts)
    where matcher.columnOfRow[Int(link.truth)] == Int(link.result) {
      truePositives += count
    }
    falseNegatives = table.truthIDs.count - truePositives
    falsePositives = table.resultIDs.count - truePositives
  }
}
