// SPDX-License-Identifier: Apache-2.0

/// Selects the best of overlapping oriented boxes: greedy non-maximum suppression by `probabilisticIoU`.
///
/// Boxes are processed by descending score, ties in input order; a box is dropped if its overlap with a kept
/// box is above `threshold`. An empty box, or one whose score is not a number, is never kept.
///
/// - Parameters:
///   - orientedBoxes: The boxes, all in one coordinate space.
///   - scores: One score for each box.
///   - classes: One class for each box, so that only boxes of one class compete; if nil, all boxes compete.
///   - threshold: The largest overlap that two kept boxes may have, 0…1. A higher threshold keeps more boxes
///     on one object; a lower one merges neighbours.
///   - crossClassThreshold: The largest overlap that two kept boxes of different classes may have, 0…1; nil,
///     the default, does not compare them. No effect without `classes`.
///   - limit: The maximum number of boxes to keep; nil keeps all that survive.
/// - Returns: The indices of the kept boxes, best first.
/// - Precondition: `scores` (and `classes`) have as many elements as `orientedBoxes`.
/// - Complexity: O(n log n + n · kept).
///
/// **Source:** Llerena et al., arXiv 2106.06072, for the overlap.
public func nonMaximumSuppression(
  orientedBoxes: [OrientedBox], scores: [Float], classes: [Int]? = nil, threshold: Double,
  crossClassThreshold: Double? = nil, limit: Int? = nil
) -> [Int] {
  let count = orientedBoxes.count
  precondition(count == scores.count, "\(count) boxes but \(scores.count) scores")
  if let classes { precondition(count == classes.count, "\(count) boxes but \(classes.count) classes") }
  let order = orientedBoxes.indices.filter { !scores[$0].isNaN && !orientedBoxes[$0].isEmpty }
    .sorted { scores[$0] > scores[$1] }
  let limit = min(limit ?? order.count, order.count)
  guard limit > 0 else { return [] }
  // An overlap above the threshold needs a Bhattacharyya distance below this, and so a distance of the
  // middles whose square is below 4 × it × the sum of the largest variances.
  let lowest = min(threshold, crossClassThreshold ?? threshold)
  let farthest = lowest < 0 ? .infinity : -log(1 - (1 - lowest) * (1 - lowest))
  var kept: [(index: Int, gaussian: GaussianBox)] = []
  for index in order {
    let gaussian = GaussianBox(orientedBoxes[index])
    let isDropped = kept.contains { other in
      var threshold = threshold
      if let classes, classes[index] != classes[other.index] {
        guard let crossClassThreshold else { return false }
        threshold = crossClassThreshold
      }
      let (x, y) = (
        gaussian.center.x - other.gaussian.center.x, gaussian.center.y - other.gaussian.center.y
      )
      if (x * x + y * y) > farthest * 4.001 * (gaussian.reach + other.gaussian.reach) { return false }
      return gaussian.overlap(with: other.gaussian) > threshold
    }
    if isDropped { continue }
    kept.append((index, gaussian))
    if kept.count == limit { break }
  }
  return kept.map(\.index)
}
