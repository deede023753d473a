// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// What goes to standard error: messages and, on a terminal, one progress line that stays below everything else.
final class Console {
  private let descriptor: Int32
  private let isQuiet: Bool
  let isVerbose: Bool
  private let width: Int
  private let sharesTerminalWithOutput: Bool
  private let now: () -> Duration

  private var meter: ProgressMeter?
  private var isDrawn = false
  private var lastDrawn: Duration?
  /// How many inputs there are, once they are counted; -1 before.
  private let total: Total

  /// A count that another task finds out.
  final class Total: Sendable {
    private let value = Atomic<Int>(-1)
    var count: Int? {
      get {
        let count = value.load(ordering: .relaxed)
        return count < 0 ? nil : count
      }
      set { value.store(newValue ?? -1, ordering: .relaxed) }
    }
  }

  /// `showsProgress` says that the line is wanted and the descriptor is a terminal; `unit` is what is
  /// counted; `now` is the time since the start of the run.
  init(
    descriptor: Int32, isQuiet: Bool = false, isVerbose: Bool = false, showsProgress: Bool = false,
    unit: String = "images",
    sharesTerminalWithOutput: Bool = false, width: Int = 80, total: Total = Total(),
    now: @escaping () -> Duration
  ) {
    self.descriptor = descriptor
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.sharesTerminalWithOutput = sharesTerminalWithOutput
    self.width = width
    self.total = total
    self.now = now
    meter = showsProgress ? ProgressMeter(unit: unit) : nil
  }

  /// A line that is always shown: an error.
  func error(_ line: String) {
    erase()
    write("fovea: " + line + "\n")
    redraw()
  }

  /// A line that `--quiet` leaves out.
  func note(_ line: String) {
    if !isQuiet { error(line) }
  }

  /// A line without the program's name, for the end of a run; `--quiet` leaves it out.
  func summary(_ line: String) {
    guard !isQuiet else { return }
    erase()
    write(line + "\n")
  }

  /// A line for `--verbose`.
  func detail(_ line: @autoclosure () -> String) {
    if isVerbose { error(line()) }
  }

  /// Writes results while the progress line is out of the way.
  func withOutput<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    guard isDrawn && sharesTerminalWithOutput else { return try body() }
    erase()
    try body()
    redraw()
  }

  /// Shows how far the run is, ten times a second at most.
  func progress(done: Int, failed: Int, skipped: Int) {
    guard meter != nil else { return }
    let time = now()
    if let lastDrawn, time - lastDrawn < .milliseconds(100) { return }
    lastDrawn = time
    meter?.total = total.count
    meter?.update(done: done, failed: failed, skipped: skipped, at: time)
    isDrawn = true
    redraw()
  }

  /// Whether there is a progress line to fill.
  var showsProgress: Bool { meter != nil }

  /// Takes the progress line away.
  func endProgress() {
    erase()
    isDrawn = false
    meter = nil
  }

  private func erase() {
    if isDrawn { write("\r\u{1B}[K") }
  }

  private func redraw() {
    guard isDrawn, let meter else { return }
    write("\r" + meter.line(width: width) + "\u{1B}[K")
  }

  private func write(_ text: String) {
    // Nothing can be done, and no one told, when standard error itself fails.
    _ = Descriptor.write(text.utf8, to: descriptor)
  }
}
