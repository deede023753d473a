// SPDX-License-Identifier: Apache-2.0

/// A tracker's own count of frames and seconds, which never goes back.
struct TrackingClock: Sendable {
  /// Frames since the first one, dropped ones included.
  private(set) var frame = 0
  /// Seconds since the first frame.
  private(set) var seconds = 0.0
  /// How many frames of detections were taken in.
  var updates = 0

  private let frameRate: Double
  private var last: FrameTime?

  /// The most steps of one call: no object is kept through so many frames that no one sees.
  private static let mostSteps = 1_000_000_000

  init(frameRate: Double) { self.frameRate = frameRate }

  /// Goes on to a frame.
  ///
  /// A number that is not above the last one counts as the next frame, because a frame was taken in any case. Seconds
  /// that go back, or that are no number, count as those of one frame.
  /// - Returns: How many frames later it is; 0 for the first.
  mutating func advance(to time: FrameTime) -> Int {
    guard let last else {
      self.last = time
      return 0
    }
    self.last = time
    let (difference, overflow) = time.number.subtractingReportingOverflow(last.number)
    // Only a difference of numbers of opposite signs overflows: upwards when the later one is above 0.
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
