// SPDX-License-Identifier: Apache-2.0

/// A clock that follows the times of frames and never goes back.
package struct EventClock: Sendable, Hashable {
  /// The present time in seconds since a fixed but arbitrary moment.
  package private(set) var now = 0.0
  private var last: Double?
  /// The sum of the source's steps back.
  private var offset = 0.0

  /// Creates a clock that starts with the first frame.
  package init() {}

  /// Moves to the time of the next frame; a step back, and a time that is not finite, count as no time.
  /// - Returns: The seconds since the previous frame, 0 or more.
  @discardableResult
  package mutating func advance(to seconds: Double) -> Double {
    guard seconds.isFinite else { return 0 }
    guard let last else {
      (last, now) = (seconds, seconds)
      return 0
    }
    if seconds < last { offset += last - seconds }
    self.last = seconds
    let before = now
    // Without steps back, differences of `now` are exactly differences of the source's times.
    now = max(before, seconds + offset)
    return now - before
  }
}
