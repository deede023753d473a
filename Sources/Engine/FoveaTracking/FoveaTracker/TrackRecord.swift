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
