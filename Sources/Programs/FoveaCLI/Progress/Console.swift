// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// The output on standard error: messages and, on a terminal, one progress line below them.
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
  /// The number of inputs, once it is known.
  private let total: Total

  /// A count that another task sets; -1 while it is not known.
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

  /// Creates a console.
  ///
  /// `showsProgress` requires a terminal; `unit` is the unit of the count; `now` is the time since the start.
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

  /// Prints an error, even with `--quiet`.
  func error(_ line: String) {
    erase()
    write("fovea: " + line + "\n")
    redraw()
  }

  /// Prints a line, except with `--quiet`.
  func note(_ line: String) {
    if !isQuiet { error(line) }
  }

  /// Prints a line without the program's name at the end of a run, except with `--quiet`.
  func summary(_ line: String) {
    guard !isQuiet else { return }
    erase()
    write(line + "\n")
  }

  /// Prints a line with `--verbose`.
  func detail(_ line: @autoclosure () -> String) {
    if isVerbose { error(line()) }
  }

  /// Writes results while the progress line is cleared.
  func withOutput<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    guard isDrawn && sharesTerminalWithOutput else { return try body() }
    erase()
    try body()
    redraw()
  }

  /// Shows the progress of the run, at most ten times per second.
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

  /// Whether there is a progress line.
  var showsProgress: Bool { meter != nil }

  /// Clears the progress line for the rest of the run.
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
    // A failure of standard error cannot be reported anywhere.
    _ = Descriptor.write(text.utf8, to: descriptor)
  }
}

extension Console {
  /// Creates the console of a run over photos.
  /// - Parameters:
  ///   - output: The file of results; nil for the output descriptor.
  ///   - isQuiet: True without notes, progress and summary.
  ///   - isVerbose: True with details.
  ///   - isBatch: True if there may be several photos, so that progress is shown on a terminal.
  ///   - total: The number of photos, once it is known.
  ///   - start: The start of the run.
  ///   - outputDescriptor: The descriptor for results without a file.
  ///   - errorDescriptor: The descriptor for messages.
  convenience init(
    of output: String?, isQuiet: Bool, isVerbose: Bool = false, isBatch: Bool, total: Total,
    start: ContinuousClock.Instant, outputDescriptor: Int32, errorDescriptor: Int32
  ) {
    let isTerminal = Terminal.isTerminal(errorDescriptor)
    self.init(
      descriptor: errorDescriptor, isQuiet: isQuiet, isVerbose: isVerbose,
      showsProgress: isBatch && isTerminal && !isQuiet,
      sharesTerminalWithOutput: output == nil && Terminal.isTerminal(outputDescriptor),
      width: isTerminal ? Terminal.width(errorDescriptor) : 80, total: total,
      now: { ContinuousClock.now - start })
  }
}

extension Console.Total {
  /// Counts inputs in the background, so that the first result need not wait.
  func count(of inputs: @escaping @Sendable () -> InputExpander) -> Task<Void, Never> {
    Task.detached { [self] in
      var expander = inputs()
      var count = 0
      while !Task.isCancelled {
        guard expander.next() != nil else {
          self.count = count
          return
        }
        count += 1
      }
    }
  }
}
