// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The detections of a frame that take part, best first, and the objects that they were matched with.
struct RankedDetections: Sendable {
  /// The boxes.
  private(set) var boxes: [BoundingBox] = []
  /// The scores, at most 1.
  private(set) var scores: [Double] = []
  /// The object of each detection; −1 if there is none yet.
  var matches: [Int] = []
  private var ranking = DetectionRanking()

  /// The indices in the input.
  var order: [SortKey] { ranking.order }

  /// Ranks the detections of a frame, all of them unmatched.
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
