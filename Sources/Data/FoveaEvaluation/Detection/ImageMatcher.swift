// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Matches the detections of one image and kind with its objects, and keeps the outcomes of one kind.
///
/// Detections choose in falling order of score, each the object with the largest overlap that is still free;
/// objects that count in the range of sizes come before those that do not. A crowd stays free.
///
/// **Source:** `COCOeval.evaluateImg`, pycocotools 2.0.11.
struct ImageMatcher {
  /// The outcome of one detection for one range of sizes: one bit per threshold.
  struct Outcome {
    /// The thresholds at which it matched an object.
    var matched: UInt32 = 0
    /// The thresholds at which it is neither right nor wrong.
    var ignored: UInt32 = 0
  }

  /// The largest number of detections of an image and kind that count, but for keypoints.
  static let maximumDetections = 100
  /// The same for keypoints.
  static let maximumOfKeypoints = 20

  /// The scores of the kind's detections, image by image.
  private(set) var scores: [Double] = []
  /// The number of better detections of the same image and kind.
  private(set) var ranks: [UInt8] = []
  /// The outcomes of each detection for all, small, medium and large.
  private(set) var outcomes: [Outcome] = []
  /// The number of objects that count in each range of sizes, and the number of crowds.
  private(set) var objects = [Int](repeating: 0, count: AreaRange.count)
  private(set) var crowds = 0
  /// The number of detections of the kind, including those beyond the 100 best.
  private(set) var detections = 0

  private let thresholds: [Double]
  private let similarity: KeypointSimilarity?
  private let limit: Int
  private let every: UInt32
  private var best: [(score: Double, row: Int32)] = []
  private var overlaps: [Double] = []
  private var truthOrder: [Int] = []
  private var taken: [UInt32] = []

  /// Creates a matcher.
  /// - Parameters:
  ///   - thresholds: The overlaps from which a detection counts as right.
  ///   - similarity: The measure of keypoints if they are compared; nil for boxes and masks.
  init(thresholds: [Double], similarity: KeypointSimilarity? = nil) {
    self.similarity = similarity
    limit = similarity == nil ? Self.maximumDetections : Self.maximumOfKeypoints
    // Allows for a rounding error in an overlap of 1.
    self.thresholds = thresholds.map { min($0, 1 - 1e-10) }
    every = thresholds.count == 32 ? .max : (1 << UInt32(thresholds.count)) - 1
  }

  /// Starts the next kind.
  mutating func begin() {
    scores.removeAll(keepingCapacity: true)
    ranks.removeAll(keepingCapacity: true)
    outcomes.removeAll(keepingCapacity: true)
    for range in objects.indices { objects[range] = 0 }
    crowds = 0
    detections = 0
  }

  /// Matches one image's detections of the kind, given as rows.
  mutating func match(
    _ found: borrowing COCODetections, _ rows: ArraySlice<Int32>,
    with table: borrowing GroundTruthTable, _ truthRows: ArraySlice<Int32>
  ) {
    let truths = table.rows
    for row in truthRows {
      let truth = truths[Int(row)]
      if truth.isCrowd { crowds += 1 }
      for range in 0..<AreaRange.count where truth.ignored >> range & 1 == 0 { objects[range] += 1 }
    }
    guard !rows.isEmpty else { return }
    detections += rows.count
    chooseBest(found, rows)
    let overlapping = measure(found, table, truthRows)
    for range in 0..<AreaRange.count {
      if overlapping { sort(truths, truthRows, range: range) }
      for place in best.indices {
        let outside = AreaRange.outside(found.area(Int(best[place].row))) >> range & 1 == 1
        var outcome = Outcome()
        if overlapping { outcome = self.outcome(place, truths, truthRows, range: range) }
        if outside { outcome.ignored |= every & ~outcome.matched }
        outcomes[(outcomes.count - best.count * AreaRange.count) + place * AreaRange.count + range] = outcome
      }
    }
  }

  /// Selects the best detections, best first; of equal ones the first.
  private mutating func chooseBest(_ found: borrowing COCODetections, _ rows: ArraySlice<Int32>) {
    best.removeAll(keepingCapacity: true)
    for row in rows { best.append((found.scores[Int(row)], row)) }
    if best.count > 1 {
      // The sort is stable.
      best.sort { $0.score > $1.score }
    }
    if best.count > limit { best.removeLast(best.count - limit) }
    for (rank, detection) in best.enumerated() {
      scores.append(detection.score)
      ranks.append(UInt8(truncatingIfNeeded: rank))
      for _ in 0..<AreaRange.count { outcomes.append(Outcome()) }
    }
  }

  /// Computes all overlaps.
  /// - Returns: Whether any reaches a threshold.
  private mutating func measure(
    _ found: borrowing COCODetections, _ table: borrowing GroundTruthTable, _ truthRows: ArraySlice<Int32>
  ) -> Bool {
    let masks = table.masks
    overlaps.removeAll(keepingCapacity: true)
    var largest = 0.0
    for detection in best {
      let box = found.boxes[Int(detection.row)]
      var mask: RunLengths?
      if !masks.isEmpty, let first = truthRows.first {
        mask = found.mask(Int(detection.row), in: masks[Int(first)]?.size)
      }
      for row in truthRows {
        let truth = table.rows[Int(row)]
        let overlap: Double
        if let similarity {
          let (points, area) = table.keypoints[Int(row)]
          overlap = similarity.similarity(
            found.keypoints[Int(detection.row)] ?? [], to: points, box: truth.box, area: area)
        } else if masks.isEmpty {
          overlap = box.overlap(with: truth.box, isCrowd: truth.isCrowd)
        } else {
          overlap = ImageMatcher.overlap(mask, masks[Int(row)], isCrowd: truth.isCrowd)
        }
        overlaps.append(overlap)
        largest = max(largest, overlap)
      }
    }
    return largest >= thresholds[0]
  }

  private static func overlap(_ mask: RunLengths?, _ truth: RunLengths?, isCrowd: Bool) -> Double {
    guard let mask, let truth else { return 0 }
    return mask.overlap(with: truth, isCrowd: isCrowd)
  }

  /// Orders the objects, those that count in the range first, and marks them all as free.
  private mutating func sort(_ truths: [GroundTruthTable.Row], _ truthRows: ArraySlice<Int32>, range: Int) {
    truthOrder.removeAll(keepingCapacity: true)
    taken.removeAll(keepingCapacity: true)
    for ignored in 0...1 {
      for (place, row) in truthRows.enumerated() where Int(truths[Int(row)].ignored >> range & 1) == ignored {
        truthOrder.append(place)
        taken.append(0)
      }
    }
  }

  /// Matches one detection at each threshold.
  private mutating func outcome(
    _ place: Int, _ truths: [GroundTruthTable.Row], _ truthRows: ArraySlice<Int32>, range: Int
  ) -> Outcome {
    var outcome = Outcome()
    let firstOverlap = place * truthRows.count
    for (index, threshold) in thresholds.enumerated() {
      let bit = UInt32(1) << UInt32(index)
      var bestOverlap = threshold
      var chosen: Int?
      var chosenIgnored = false
      for (order, truthPlace) in truthOrder.enumerated() {
        let truth = truths[Int(truthRows[truthRows.startIndex + truthPlace])]
        if taken[order] & bit != 0 && !truth.isCrowd { continue }
        let isIgnored = truth.ignored >> range & 1 == 1
        // An object that counts comes before one that does not, whatever their overlaps.
        if chosen != nil && !chosenIgnored && isIgnored { break }
        let overlap = overlaps[firstOverlap + truthPlace]
        if overlap < bestOverlap { continue }
        bestOverlap = overlap
        chosen = order
        chosenIgnored = isIgnored
      }
      guard let chosen else { continue }
      taken[chosen] |= bit
      if chosenIgnored { outcome.ignored |= bit }
      if truths[Int(truthRows[truthRows.startIndex + truthOrder[chosen]])].isCounted {
        outcome.matched |= bit
      }
    }
    return outcome
  }
}
