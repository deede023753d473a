// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage
import FoveaCore

/// Frame numbers and times that keep increasing, however often a source restarts.
struct StreamClock {
  private(set) var number = 0
  private var seconds = 0.0
  private var numberBefore = 0
  private var secondsBefore = 0.0
  private var first: ContinuousClock.Instant?
  private var begin = ContinuousClock.now

  /// Handles a reopened source: its first frame follows the previous ones, `step` seconds later for a file,
  /// or after the elapsed time for a live source.
  mutating func restart(step: Double?) {
    begin = .now
    guard let first else { return }
    numberBefore = number
    secondsBefore = max(seconds + (step ?? 0), step == nil ? (begin - first).seconds : 0)
  }

  /// Returns the frame with its overall number and time.
  mutating func place(_ frame: VideoFrame) -> VideoFrame {
    var placed = frame
    (placed.number, placed.seconds) = position(frame.number, frame.seconds)
    return placed
  }

  /// Returns the overall number and time for a frame's own.
  mutating func position(_ number: Int, _ seconds: Double) -> (number: Int, seconds: Double) {
    if first == nil { first = .now }
    self.number = numberBefore + number
    self.seconds = secondsBefore + seconds
    return (self.number, self.seconds)
  }

  /// Returns the time to process a file's frame, given its time since the file was opened.
  ///
  /// A late file continues from there, without catching up.
  mutating func due(_ seconds: Double) -> ContinuousClock.Instant {
    let due = begin + .seconds(seconds)
    let now = ContinuousClock.now
    if due < now { begin += now - due }
    return max(due, now)
  }
}
#endif
