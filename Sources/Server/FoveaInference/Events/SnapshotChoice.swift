// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTracking

/// The choice of the frame that is an event's snapshot: the first in which the object is visible, then each
/// that is better by a tenth and at least a second later.
struct SnapshotChoice: Sendable, Hashable {
  /// The least time between two snapshots of an event, in seconds.
  private static let interval = 1.0

  /// The quality of the chosen frame; nil before the first.
  private var best: SightQuality?
  /// The time of the chosen frame, in seconds of the source.
  private var time = 0.0

  init() {}

  /// Considers the next frame.
  /// - Parameters:
  ///   - quality: The quality of the object's box.
  ///   - seconds: The time of the frame, in seconds of the source, which may step back.
  /// - Returns: True if the frame is chosen.
  mutating func update(_ quality: SightQuality, at seconds: Double) -> Bool {
    guard quality.value > 0 else { return false }
    if let best {
      guard quality.replaces(best), abs(seconds - time) >= SnapshotChoice.interval else { return false }
    }
    (best, time) = (quality, seconds)
    return true
  }
}
#endif
