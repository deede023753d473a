// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// What the tracker keeps of one object.
struct TrackRecord: Sendable {
  var motion: BoxMotion
  var state: TrackState
  /// The identity, once there is one.
  var identity: Int?
  var hits = 1
  /// The frame of the first detection and of the last, by the tracker's own count.
  var firstFrame: Int
  var lastFrame: Int
  /// The tracker's own seconds at the last detection.
  var lastSeconds: Double
  /// The score of the last detection, and of the one before.
  var score: Double
  var previousScore: Double
  var votes = LabelVotes()
  /// Matched with a detection of the frame that is being taken in.
  var isMatched = true

  /// The score that the next detection should have, continued from the last two along a line.
  ///
  /// **Source:** Yang et al., "Hybrid-SORT: Weak Cues Matter for Online Multi-Object Tracking", section 3.2.
  var expectedScore: Double { min(max(2 * score - previousScore, 0), 1) }
}

/// The classes of an object's last eight detections, each with the weight of its score.
struct LabelVotes: Sendable {
  private var classes = SIMD8<Int32>(repeating: -1)
  private var weights = SIMD8<Float>.zero
  private var next = 0
  /// The class of the greatest weight, of equal ones the lowest; nil where no detection had a class.
  private(set) var winner: Int?

  /// Takes in one more detection, in place of the oldest of eight.
  mutating func add(_ classIndex: Int?, score: Double) {
    // Without classes there is nothing to count.
    guard classIndex != nil || winner != nil else { return }
    classes[next] = classIndex.flatMap { Int32(exactly: $0) } ?? -1
    weights[next] = Float(score)
    next = (next + 1) % 8
    var best: Int32 = -1
    var most: Float = 0
    for place in 0..<8 where classes[place] >= 0 {
      let weight = weights.replacing(with: 0, where: classes .!= classes[place]).sum()
      if weight > most || weight == most && (best < 0 || classes[place] < best) {
        best = classes[place]
        most = weight
      }
    }
    winner = best < 0 ? nil : Int(best)
  }
}
