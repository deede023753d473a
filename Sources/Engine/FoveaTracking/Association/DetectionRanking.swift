// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The detections of a frame that are associated, by falling score.
///
/// Detections of equal score are sorted by edges and class, so that the order of the input plays no part.
struct DetectionRanking: Sendable {
  /// The places in the input, best first; the keys are the scores with the sign changed, at most 1 before it.
  private(set) var order: [SortKey] = []
  private var sorter = KeySorter()

  /// The farthest edge that is associated, in pixels: squares of larger numbers lose their meaning.
  private static let farthestEdge = 1e9

  /// Takes the detections of a frame.
  /// - Parameters:
  ///   - input: The detections.
  ///   - lowScore: The lowest score that is associated.
  ///   - limit: The most detections that are associated.
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

  /// Whether a box has an area, and edges that arithmetic bears.
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
