// SPDX-License-Identifier: Apache-2.0

/// The identity figures: boxes at an overlap of 0.5 that keep one identity over the whole sequence.
///
/// Each object is paired with one identity of the tracker at most, so that as many boxes as possible are right.
///
/// **Source:** Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking", ECCV
/// workshops 2016.
public struct IdentityMetrics: Sendable, Hashable {
  /// IDTP: boxes whose object has the identity that it is paired with.
  public internal(set) var truePositives = 0
  /// IDFN: objects without such a box.
  public internal(set) var falseNegatives = 0
  /// IDFP: the tracker's other boxes.
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

  /// The figures of several sequences together.
  init(combining parts: [IdentityMetrics]) {
    for part in parts {
      truePositives += part.truePositives
      falseNegatives += part.falseNegatives
      falsePositives += part.falsePositives
    }
  }

  /// The figures of one sequence.
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
