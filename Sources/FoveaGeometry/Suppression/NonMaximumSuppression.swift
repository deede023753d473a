// SPDX-License-Identifier: Apache-2.0

/// Picks the best of overlapping boxes: greedy non-maximum suppression.
///
/// Boxes are taken by falling score, ties in input order; a box is dropped when its IoU with a box already kept is
/// above `threshold`. A box whose score is not a number, or that is empty, is never kept.
///
/// - Parameters:
///   - boxes: The boxes, all in one coordinate space.
///   - scores: One score for each box.
///   - classes: One class for each box, so that only boxes of one class compete; nil lets all compete.
///   - threshold: The largest IoU that two kept boxes may have, 0…1. Raising it keeps more boxes on one object;
///     lowering it merges neighbours.
///   - limit: The most boxes to keep; nil keeps all that survive.
/// - Returns: The indices of the kept boxes, best first.
/// - Precondition: `scores` (and `classes`) are as many as `boxes`.
/// - Complexity: O(n log n + n · kept).
///
/// **Source:** Felzenszwalb et al., "Object Detection with Discriminatively Trained Part-Based Models", section 7.1.
public func nonMaximumSuppression(
  boxes: [BoundingBox], scores: [Float], classes: [Int]? = nil, threshold: Double, limit: Int? = nil
) -> [Int] {
  precondition(boxes.count == scores.count, "\(boxes.count) boxes but \(scores.count) scores")
  if let classes {
    precondition(boxes.count == classes.count, "\(boxes.count) boxes but \(classes.count) classes")
  }
  let limit = limit ?? boxes.count
  var order = boxes.indices.filter { !scores[$0].isNaN && !boxes[$0].isEmpty }
  order.sort { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
  var kept: [Int] = []
  for index in order {
    if kept.count >= limit { break }
    let competes = kept.contains { other in
      (classes == nil || classes?[other] == classes?[index])
        && boxes[index].iou(with: boxes[other]) > threshold
    }
    if !competes { kept.append(index) }
  }
  return kept
}
