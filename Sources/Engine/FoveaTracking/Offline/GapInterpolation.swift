// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Fills the gaps of recorded tracks: between two boxes of an object each edge moves along a straight line.
///
/// It knows what comes later, and so is for files only, not for results while a video runs.
///
/// **Source:** Zhang et al., "ByteTrack", 2022, section 4.1.
public struct GapInterpolation: Sendable, Hashable {
  /// The most frames from one box of an object to its next one that are bridged, 1…10,000; 20 by default.
  ///
  /// 1 bridges nothing. Raising it fills longer occlusions, where a straight line is less true.
  public var longestGap: Int
  /// The fewest boxes of a track whose gaps are filled, 1 or more; 5 by default.
  ///
  /// Raising it leaves more tracks alone that may be false.
  public var fewestBoxes: Int

  /// Makes an interpolation; numbers beyond the ranges count as the nearest in them.
  public init(longestGap: Int = 20, fewestBoxes: Int = 5) {
    self.longestGap = min(max(longestGap, 1), 10_000)
    self.fewestBoxes = max(fewestBoxes, 1)
  }

  /// The boxes with the gaps filled.
  /// - Parameter boxes: The boxes of one video, in any order. Of two boxes of one object in one frame both stay, and a
  ///   gap begins at the later one given.
  /// - Returns: All boxes by rising frame and then identity, those put between marked as `isInterpolated`; their score is
  ///   that of the line between the two scores, their class that of the box before.
  /// - Complexity: O(n log n) in the boxes that are returned.
  public func fill(_ boxes: [RecordedBox]) -> [RecordedBox] {
    // Within one object by frame; places keep those of one frame in their order.
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
