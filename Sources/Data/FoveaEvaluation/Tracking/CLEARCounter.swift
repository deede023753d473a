// SPDX-License-Identifier: Apache-2.0

/// Computes the CLEAR figures of one sequence.
struct CLEARCounter {
  /// The minimum overlap at which a box counts as found.
  private static let threshold = 0.5 - Double.ulpOfOne
  /// The bonus for a pair that was also matched in the previous frame: more than any sum of overlaps.
  private static let continuation = 1000.0

  private let table: SequenceTable
  private var matcher = FrameMatcher()
  private var metrics = CLEARMetrics()
  /// The tracker's identity of each object when it was last found; -1 for none.
  private var lastIDs: [Int32]
  /// The tracker's identity of each object in the last frame with boxes on both sides; -1 for none.
  private var previousIDs: [Int32]
  /// The objects with an identity in `previousIDs`.
  private var previouslyFound: [Int32] = []
  private var foundCounts: [Int]
  /// The number of times each object was found after not being found.
  private var starts: [Int]

  init(_ table: SequenceTable) {
    self.table = table
    let objects = table.truthCounts.count
    lastIDs = [Int32](repeating: -1, count: objects)
    previousIDs = lastIDs
    foundCounts = [Int](repeating: 0, count: objects)
    starts = foundCounts
  }

  consuming func count() -> CLEARMetrics {
    for frame in table.frames {
      metrics.falseNegatives += frame.truths.count
      metrics.falsePositives += frame.results.count
      // A frame without boxes on one side does not change the last pairs.
      if !frame.truths.isEmpty && !frame.results.isEmpty { match(frame) }
    }
    for (object, count) in table.truthCounts.enumerated() {
      let share = Double(foundCounts[object]) / Double(count)
      if share > 0.8 {
        metrics.mostlyTracked += 1
      } else if share >= 0.2 {
        metrics.partlyTracked += 1
      } else {
        metrics.mostlyLost += 1
      }
      metrics.fragmentations += max(0, starts[object] - 1)
    }
    return metrics
  }

  private mutating func match(_ frame: SequenceTable.Frame) {
    matcher.begin()
    for pair in table.pairs[frame.pairs] where pair.similarity >= CLEARCounter.threshold {
      let (truth, result) = identities(pair, frame)
      let bonus = previousIDs[Int(truth)] == result ? CLEARCounter.continuation : 0
      matcher.allow(row: pair.row, column: pair.column, weight: bonus + pair.similarity)
    }
    matcher.match(rows: frame.truths.count, columns: frame.results.count)
    var found: [(truth: Int32, result: Int32)] = []
    for pair in table.pairs[frame.pairs] where matcher.columnOfRow[Int(pair.row)] == Int(pair.column) {
      found.append(identities(pair, frame))
      metrics.overlapSum += pair.similarity
    }
    metrics.truePositives += found.count
    metrics.falseNegatives -= found.count
    metrics.falsePositives -= found.count
    for (truth, result) in found {
      let object = Int(truth)
      if lastIDs[object] >= 0 && lastIDs[object] != result { metrics.identitySwitches += 1 }
      if previousIDs[object] < 0 { starts[object] += 1 }
      lastIDs[object] = result
      foundCounts[object] += 1
    }
    for object in previouslyFound { previousIDs[Int(object)] = -1 }
    previouslyFound.removeAll(keepingCapacity: true)
    for (truth, result) in found {
      previousIDs[Int(truth)] = result
      previouslyFound.append(truth)
    }
  }

  @inline(__always)
  private func identities(
    _ pair: SequenceTable.Pair, _ frame: SequenceTable.Frame
  ) -> (truth: Int32, result: Int32) {
    (
      table.truthIDs[frame.truths.lowerBound + Int(pair.row)],
      table.resultIDs[frame.results.lowerBound + Int(pair.column)]
    )
  }
}
