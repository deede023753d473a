// SPDX-License-Identifier: Apache-2.0

/// Selects the best of overlapping boxes: greedy non-maximum suppression.
///
/// Boxes are processed by falling score, ties in input order; a box is dropped if its IoU with a kept box is
/// above `threshold`. An empty box, or one whose score is not a number, is never kept.
///
/// The result is identical to comparing each box with all kept ones; an index of the kept boxes by size and
/// position saves most of the comparisons.
///
/// - Parameters:
///   - boxes: The boxes, all in one coordinate space.
///   - scores: One score for each box.
///   - classes: One class for each box, so that only boxes of one class compete; if nil, all boxes compete.
///   - threshold: The largest IoU that two kept boxes may have, 0…1. A higher threshold keeps more boxes on
///     one object; a lower one merges neighbours.
///   - crossClassThreshold: The largest IoU that two kept boxes of different classes may have, 0…1; nil, the
///     default, does not compare them. No effect without `classes`.
///   - limit: The maximum number of boxes to keep; nil keeps all that survive.
/// - Returns: The indices of the kept boxes, best first.
/// - Precondition: `scores` (and `classes`) have as many elements as `boxes`.
/// - Complexity: O(n log n) if few boxes overlap or few are kept; O(n · kept) in the worst case.
///
/// **Source:** Felzenszwalb et al., "Object Detection with Discriminatively Trained Part-Based Models",
/// section 7.1.
public func nonMaximumSuppression(
  boxes: [BoundingBox], scores: [Float], classes: [Int]? = nil, threshold: Double,
  crossClassThreshold: Double? = nil, limit: Int? = nil
) -> [Int] {
  precondition(boxes.count == scores.count, "\(boxes.count) boxes but \(scores.count) scores")
  if let classes {
    precondition(boxes.count == classes.count, "\(boxes.count) boxes but \(classes.count) classes")
  }
  let order = rankedIndices(boxes: boxes, scores: scores)
  let limit = min(limit ?? order.count, order.count)
  guard limit > 0 else { return [] }
  var kept = KeptBoxes(threshold: threshold, capacity: limit)
  var others: KeptBoxes?
  // No IoU is above 1, and with one class there are no other classes.
  if let crossClassThreshold, crossClassThreshold < 1, let classes, let first = classes.first,
    classes.contains(where: { $0 != first })
  {
    others = KeptBoxes(threshold: crossClassThreshold, rivals: .otherClasses, capacity: limit)
  }
  for rank in order {
    let index = Int(truncatingIfNeeded: rank & 0xffff_ffff)
    let (box, classIndex) = (boxes[index], classes?[index] ?? 0)
    if kept.suppresses(box, classIndex: classIndex) { continue }
    if others?.suppresses(box, classIndex: classIndex) == true { continue }
    kept.keep(box, index: index, classIndex: classIndex)
    others?.keep(box, index: index, classIndex: classIndex)
    if kept.count == limit { break }
  }
  return kept.indices
}

/// Returns the boxes that can be kept, best first: the lower half of each number is the index, the upper half
/// falls as the score rises, so that plain numbers can be sorted and ties stay in input order.
private func rankedIndices(boxes: [BoundingBox], scores: [Float]) -> [UInt64] {
  var ranks: [UInt64] = []
  ranks.reserveCapacity(boxes.count)
  for index in boxes.indices where !scores[index].isNaN && !boxes[index].isEmpty {
    // Adding 0 makes −0 and 0 equal; then the bits of positive floats rise with their value, those of
    // negative ones fall.
    let bits = (scores[index] + 0).bitPattern
    let rising = bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
    ranks.append(UInt64(~rising) << 32 | UInt64(UInt32(truncatingIfNeeded: index)))
  }
  ranks.sort()
  return ranks
}
