// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The detections of a frame that take part, best first, and which objects they were given to.
struct RankedDetections: Sendable {
  /// Their boxes.
  private(set) var boxes: [BoundingBox] = []
  /// Their scores, 1 at most.
  private(set) var scores: [Double] = []
  /// The object of each; −1 for none so far.
  var matches: [Int] = []
  private var ranking = DetectionRanking()

  /// The places in the input.
  var order: [SortKey] { ranking.order }

  /// Takes the detections of a frame, none of them given to an object.
  mutating func take(_ input: [TrackingDetection], lowScore: Double, limit: Int) {
    ranking.rank(input, lowScore: lowScore, limit: limit)
    boxes.removeAll(keepingCapacity: true)
    scores.removeAll(keepingCapacity: true)
    matches.removeAll(keepingCapacity: true)
    for key in ranking.order {
      boxes.append(input[key.index].box)
      scores.append(-key.key)
      matches.append(-1)
    }
  }
}
