// SPDX-License-Identifier: Apache-2.0

/// A tracker's own count of frames and seconds, which never decreases.
struct TrackingClock: Sendable {
  /// The number of frames since the first one, including dropped ones.
  private(set) var frame = 0
  /// The number of seconds since the first frame.
  private(set) var seconds = 0.0
  /// The number of processed frames with detections.
  var updates = 0

  private let frameRate: Double
  private var last: FrameTime?

  /// The largest number of steps in one call: no unseen object is kept for that long.
  private static let mostSteps = 1_000_000_000

  init(frameRate: Double) { self.frameRate = frameRate }

  /// Advances to a frame.
  ///
  /// A number that is not greater than the previous one is treated as the next frame, because a frame was
  /// processed in any case. Seconds that decrease, or are NaN, count as one frame.
  /// - Returns: The number of frames since the last call; 0 for the first.
  mutating func advance(to time: FrameTime) -> Int {
    guard let last else {
      self.last = time
      return 0
    }
    self.last = time
    let (difference, overflow) = time.number.subtractingReportingOverflow(last.number)
    // Only a difference of numbers with opposite signs overflows, upwards if the later number is above 0.
    let whole = overflow ? (time.number > 0 ? Self.mostSteps : 1) : difference
    let steps = min(max(whole, 1), Self.mostSteps)
    frame &+= steps
    var elapsed = Double(steps) / frameRate
    if let now = time.seconds, let before = last.seconds, now - before >= 0, (now - before).isFinite {
      elapsed = now - before
    }
    seconds += elapsed
    return steps
  }
}
