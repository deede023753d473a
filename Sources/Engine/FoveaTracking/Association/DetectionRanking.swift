// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The detections of a frame that take part in association, by descending score.
///
/// Detections with equal scores are sorted by edges and class, so the order of the input does not matter.
struct DetectionRanking: Sendable {
  /// The indices in the input, best first; the keys are the negated scores, clipped at 1.
  private(set) var order: [SortKey] = []
  private var sorter = KeySorter()

  /// The largest coordinate of a usable box, in pixels: squares of larger numbers lose precision.
  private static let farthestEdge = 1e9

  /// Ranks the detections of a frame.
  /// - Parameters:
  ///   - input: The detections.
  ///   - lowScore: The lowest score to keep.
  ///   - limit: The largest number of detections to keep.
  mutating func rank(_ input: [TrackingDetection], lowScore: Double, limit: Int) {
    order.removeAll(keepingCapacity: true)
    for (index, detection) in input.enumerated()
    where detection.score >= lowScore && Self.isUsable(detection.box) {
      order.append(SortKey(key: -min(detection.score, 1), index: index))
    }
    sorter.sort(&order) { first, second in
      first.key != second.key
        ? first.key < second.key : Self.precedes(input[first.index], input[second.index])
    }
    if order.count > limit { order.removeSubrange(limit...) }
  }

  /// Returns whether a box has an area and coordinates that are safe for arithmetic.
  static func isUsable(_ box: BoundingBox) -> Bool {
    // Comparisons with NaN are false.
    abs(box.minX) <= farthestEdge && abs(box.minY) <= farthestEdge && abs(box.maxX) <= farthestEdge
      && abs(box.maxY) <= farthestEdge && !box.isEmpty
  }

  private static func precedes(_ first: TrackingDetection, _ second: TrackingDetection) -> Bool {
    if first.box.minX != second.box.minX { return first.box.minX < second.box.minX }
    if first.box.minY != second.box.minY { return first.box.minY < second.box.minY }
    if first.box.maxX != second.box.maxX { return first.box.maxX < second.box.maxX }
    if first.box.maxY != second.box.maxY { return first.box.maxY < second.box.maxY }
    return (first.classIndex ?? -1) < (second.classIndex ?? -1)
  }
}
