// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Fills the gaps of recorded tracks: each edge moves along a straight line between two boxes of an object.
///
/// It uses later frames, so it is only for recorded videos, not for live results.
///
/// **Source:** Zhang et al., "ByteTrack", 2022, section 4.1.
public struct GapInterpolation: Sendable, Hashable {
  /// The longest gap to bridge, in frames from one box of an object to its next, 1…10,000; 20 by default.
  ///
  /// 1 bridges nothing. Raising it fills longer occlusions, in which a straight line is less accurate.
  public var longestGap: Int
  /// The smallest number of boxes in a track for its gaps to be filled, 1 or more; 5 by default.
  ///
  /// Raising it excludes more tracks that may be false.
  public var fewestBoxes: Int

  /// Creates an interpolation; values outside their ranges are clamped.
  public init(longestGap: Int = 20, fewestBoxes: Int = 5) {
    self.longestGap = min(max(longestGap, 1), 10_000)
    self.fewestBoxes = max(fewestBoxes, 1)
  }

  /// Returns the boxes with filled gaps.
  /// - Parameter boxes: The boxes of one video, in any order. If an object has two boxes in one frame, both
  ///   are kept, and a gap starts at the later one in the array.
  /// - Returns: All boxes by ascending frame, then identity; the added ones are marked as `isInterpolated`,
  ///   with an interpolated score and the class of the box before the gap.
  /// - Complexity: O(n log n) in the number of returned boxes.
  public func fill(_ boxes: [RecordedBox]) -> [RecordedBox] {
    // By identity, then frame; indices keep the order of boxes in one frame.
    let order = boxes.indices.sorted {
      (boxes[$0].identity, boxes[$0].frame, $0) < (boxes[$1].identity, boxes[$1].frame, $1)
    }
    var filled = boxes
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, boxes[order[end]].identity == boxes[order[start]].identity { end += 1 }
      if end - start >= fewestBoxes {
        for place in start + 1..<max(end, start + 1) {
          bridge(boxes[order[place - 1]], boxes[order[place]], into: &filled)
        }
      }
      start = end
    }
    let result = filled.indices.sorted {
      (filled[$0].frame, filled[$0].identity, $0) < (filled[$1].frame, filled[$1].identity, $1)
    }
    return result.map { filled[$0] }
  }

  private func bridge(_ first: RecordedBox, _ second: RecordedBox, into filled: inout [RecordedBox]) {
    let (gap, overflow) = second.frame.subtractingReportingOverflow(first.frame)
    guard !overflow, gap > 1, gap <= longestGap else { return }
    for step in 1..<gap {
      let part = Double(step) / Double(gap)
      func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * part }
      let box = BoundingBox(
        minX: between(first.box.minX, second.box.minX), minY: between(first.box.minY, second.box.minY),
        maxX: between(first.box.maxX, second.box.maxX), maxY: between(first.box.maxY, second.box.maxY))
      filled.append(
        RecordedBox(
          frame: first.frame + step, identity: first.identity, box: box,
          score: between(first.score, second.score), classIndex: first.classIndex, isInterpolated: true))
    }
  }
}
