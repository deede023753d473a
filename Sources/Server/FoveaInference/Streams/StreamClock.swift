// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage
import FoveaCore

/// Numbers and times that rise, however often a source begins again.
struct StreamClock {
  private(set) var number = 0
  private var seconds = 0.0
  private var numberBefore = 0
  private var secondsBefore = 0.0
  private var first: ContinuousClock.Instant?
  private var begin = ContinuousClock.now

  /// The source is opened: its first frame follows those before, `step` seconds later for a file, and as much later as
  /// has passed for anything live.
  mutating func restart(step: Double?) {
    begin = .now
    guard let first else { return }
    numberBefore = number
    secondsBefore = max(seconds + (step ?? 0), step == nil ? (begin - first).seconds : 0)
  }

  /// The frame with its place in the whole.
  mutating func place(_ frame: VideoFrame) -> VideoFrame {
    var placed = frame
    (placed.number, placed.seconds) = position(frame.number, frame.seconds)
    return placed
  }

  /// The same for a number and a time.
  mutating func position(_ number: Int, _ seconds: Double) -> (number: Int, seconds: Double) {
    if first == nil { first = .now }
    self.number = numberBefore + number
    self.seconds = secondsBefore + seconds
    return (self.number, self.seconds)
  }

  /// When a frame of a file is due, by its time since the file was opened.
  ///
  /// A file that is late goes on from there, and hurries after nothing.
  mutating func due(_ seconds: Double) -> ContinuousClock.Instant {
    let due = begin + .seconds(seconds)
    let now = ContinuousClock.now
    if due < now { begin += now - due }
    return max(due, now)
  }
}
#endif
