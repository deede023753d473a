// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The tracker's state of one object.
struct TrackRecord: Sendable {
  var motion: BoxMotion
  var state: TrackState
  /// The identity; nil until one is assigned.
  var identity: Int?
  var hits = 1
  /// The frames of the first and the last detection, by the tracker's own count.
  var firstFrame: Int
  var lastFrame: Int
  /// The time of the last detection, in the tracker's own seconds.
  var lastSeconds: Double
  /// The scores of the last two detections.
  var score: Double
  var previousScore: Double
  var votes = LabelVotes()
  /// Whether the object is matched with a detection of the current frame.
  var isMatched = true

  /// The expected score of the next detection, extrapolated linearly from the last two.
  ///
  /// **Source:** Yang et al., "Hybrid-SORT: Weak Cues Matter for Online Multi-Object Tracking", section 3.2.
  var expectedScore: Double { min(max(2 * score - previousScore, 0), 1) }
}

/// The classes of an object's last eight detections, weighted by their scores.
struct LabelVotes: Sendable {
  private var classes = SIMD8<Int32>(repeating: -1)
  private var weights = SIMD8<Float>.zero
  private var next = 0
  /// The class with the largest weight, the lowest class if several have it; nil if no detection had a class.
  private(set) var winner: Int?

  /// Adds a detection, replacing the oldest of eight.
  mutating func add(_ classIndex: Int?, score: Double) {
    // There is nothing to count without classes.
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
