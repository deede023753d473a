// SPDX-License-Identifier: Apache-2.0

/// Finds all overlapping pairs of two lists of intervals that are sorted by their lower ends.
///
/// Each pair is found once: starting with the interval that begins first, the other list is scanned while its
/// intervals start before that interval ends.
enum PairSweep {
  /// Calls `body` with the indices of each pair.
  /// - Parameters:
  ///   - first: The lower ends of the first list, ascending.
  ///   - second: The lower ends of the second list, ascending.
  ///   - firstEnd: Returns the upper end of an interval of the first list.
  ///   - secondEnd: Returns the upper end of an interval of the second list.
  ///   - body: Receives the index in the first list and the index in the second.
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
