// SPDX-License-Identifier: Apache-2.0

/// Finds all pairs of two lists of intervals that overlap, from their lower ends in rising order.
///
/// Each pair is found once: from the interval that begins first, the other list is followed while it begins before that
/// one ends.
enum PairSweep {
  /// Calls `body` with the indices of each pair.
  /// - Parameters:
  ///   - first: The lower ends of one list, rising.
  ///   - second: The lower ends of the other, rising.
  ///   - firstEnd: The upper end of an interval of the first list.
  ///   - secondEnd: The upper end of an interval of the second list.
  ///   - body: Takes the index in the first list and that in the second.
  @inline(__always)
  static func overlaps(
    _ first: [SortKey], _ second: [SortKey], firstEnd: (Int) -> Double, secondEnd: (Int) -> Double,
    _ body: (Int, Int) -> Void
  ) {
    var left = 0
    var right = 0
    while left < first.count, right < second.count {
      if first[left].key <= second[right].key {
        let index = first[left].index
        let end = firstEnd(index)
        var other = right
        while other < second.count, second[other].key < end {
          body(index, second[other].index)
          other += 1
        }
        left += 1
      } else {
        let index = second[right].index
        let end = secondEnd(index)
        var other = left
        while other < first.count, first[other].key < end {
          body(first[other].index, index)
          other += 1
        }
        right += 1
      }
    }
  }
}
