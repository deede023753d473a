// SPDX-License-Identifier: Apache-2.0

/// The results of one kind per range of sizes and threshold; nil if no object of the range counts.
struct KindTally {
  /// The average precision over the 101 recalls 0, 0.01, … 1, for the 100 best detections of each image.
  var precision: [[Double]?]
  /// The recall with the 100 best detections of each image.
  var recall: [[Double]?]
  /// The recall with the best and with the 10 best detections of each image, for all sizes.
  var recallOfBest: [Double]?
  var recallOfTen: [Double]?
  /// The number of objects that are not crowds.
  var objects: Int
  var crowds: Int
  var detections: Int
}

/// Computes precision and recall from the outcomes of one kind.
///
/// **Source:** `COCOeval.accumulate`, pycocotools 2.0.11.
struct PrecisionCurve {
  private let thresholds: Int
  private var order: [(score: Double, row: Int32)] = []
  private var precisions: [Double] = []
  /// 0, 0.01, … 1, identical to NumPy's `linspace`.
  private let recalls = (0..<100).map { Double($0) * 0.01 } + [1]

  init(thresholds: Int) { self.thresholds = thresholds }

  mutating func tally(_ matcher: borrowing ImageMatcher) -> KindTally {
    order.removeAll(keepingCapacity: true)
    for (row, score) in matcher.scores.enumerated() { order.append((score, Int32(truncatingIfNeeded: row))) }
    // The sort is stable: among equal scores, the one of the earlier image comes first.
    order.sort { $0.score > $1.score }
    var tally = KindTally(
      precision: [], recall: [], objects: 0, crowds: matcher.crowds, detections: matcher.detections)
    for range in AreaRange.allCases {
      let objects = matcher.objects[range.rawValue]
      guard objects > 0 else {
        tally.precision.append(nil)
        tally.recall.append(nil)
        continue
      }
      var precision: [Double] = []
      var recall: [Double] = []
      for threshold in 0..<thresholds {
        let right = walk(matcher, range: range, threshold: threshold)
        precision.append(averagePrecision(objects: objects))
        recall.append(Double(right) / Double(objects))
      }
      tally.precision.append(precision)
      tally.recall.append(recall)
      if range == .all {
        tally.recallOfBest = recallOfBest(1, matcher, objects: objects)
        tally.recallOfTen = recallOfBest(10, matcher, objects: objects)
      }
    }
    tally.objects = matcher.objects[AreaRange.all.rawValue]
    return tally
  }

  /// Collects the precision at each right detection, best detection first.
  /// - Returns: The number of right detections.
  private mutating func walk(_ matcher: borrowing ImageMatcher, range: AreaRange, threshold: Int) -> Int {
    precisions.removeAll(keepingCapacity: true)
    let bit = UInt32(1) << UInt32(threshold)
    var right = 0
    var wrong = 0
    for detection in order {
      let outcome = matcher.outcomes[Int(detection.row) * AreaRange.count + range.rawValue]
      if outcome.ignored & bit != 0 { continue }
      guard outcome.matched & bit != 0 else {
        wrong += 1
        continue
      }
      right += 1
      precisions.append(Double(right) / (Double(wrong) + Double(right) + Double.ulpOfOne))
    }
    return right
  }

  /// Returns the mean over 101 recalls of the best precision at that recall or above; 0 beyond the last.
  private mutating func averagePrecision(objects: Int) -> Double {
    for index in precisions.indices.dropFirst().reversed() {
      precisions[index - 1] = max(precisions[index - 1], precisions[index])
    }
    var sum = 0.0
    var index = 0
    for recall in recalls {
      while index < precisions.count, Double(index + 1) / Double(objects) < recall { index += 1 }
      if index == precisions.count { break }
      sum += precisions[index]
    }
    return sum / Double(recalls.count)
  }

  /// Returns the recall at each threshold with only the best detections of each image.
  private func recallOfBest(_ best: Int, _ matcher: borrowing ImageMatcher, objects: Int) -> [Double] {
    var right = [Int](repeating: 0, count: thresholds)
    for row in matcher.ranks.indices where matcher.ranks[row] < best {
      let outcome = matcher.outcomes[row * AreaRange.count + AreaRange.all.rawValue]
      for threshold in 0..<thresholds where (outcome.matched & ~outcome.ignored) >> threshold & 1 == 1 {
        right[threshold] += 1
      }
    }
    return right.map { Double($0) / Double(objects) }
  }
}
