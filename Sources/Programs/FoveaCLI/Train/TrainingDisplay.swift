// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTraining
import Synchronization

/// The progress of a training: a line for each stage and, on a terminal, an updating progress line.
final class TrainingDisplay: Sendable {
  private struct State {
    var latest: TrainingProgress?
    var meter = ProgressMeter(unit: "photos")
    var began = Duration.zero
    var lastDrawn: Duration?
    var isDrawn = false
  }

  private let state = Mutex(State())
  private let isQuiet: Bool
  private let unit: String
  private let width: Int?
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - isQuiet: Whether to omit progress and notes.
  ///   - unit: The unit that is counted, with an s at its end: photos, images, or crops of them.
  init(isQuiet: Bool, unit: String = "photos") {
    self.isQuiet = isQuiet
    self.unit = unit
    width = !isQuiet && Terminal.isTerminal(STDERR_FILENO) ? Terminal.width(STDERR_FILENO) : nil
  }

  /// Shows the state, at most ten times per second.
  func show(_ progress: TrainingProgress) {
    let time = ContinuousClock.now - start
    state.withLock { state in
      if progress.stage != state.latest?.stage {
        erase(&state)
        begin(progress, in: &state, at: time)
        if !isQuiet { write("fovea: \(text(progress))\n") }
      }
      state.latest = progress
      guard let width, progress.total > 0 else { return }
      if let last = state.lastDrawn, time - last < .milliseconds(100) { return }
      state.lastDrawn = time
      state.meter.total = progress.total
      state.meter.update(done: progress.done, failed: 0, skipped: 0, at: time - state.began)
      state.isDrawn = true
      write("\r" + state.meter.line(width: width) + "\u{1B}[K")
    }
  }

  /// Restarts the meter for a new stage, but not between backbones: the remaining time covers all of them.
  private func begin(_ progress: TrainingProgress, in state: inout State, at time: Duration) {
    if case (.trying?, .trying) = (state.latest?.stage, progress.stage) { return }
    state = State(meter: ProgressMeter(unit: unit(of: progress.stage)), began: time)
  }

  private func unit(of stage: TrainingProgress.Stage) -> String { stage == .detecting ? "photos" : unit }

  /// Returns the message for an interrupted run, with its progress.
  /// - Parameter kept: The results that the next run need not compute again; nil if none are kept.
  /// - Returns: A sentence without its full stop.
  func interruption(kept: String?) -> String {
    guard let latest = state.withLock({ $0.latest }) else { return "interrupted" }
    let all = TrainingDisplay.counted(latest.total, unit(of: latest.stage))
    let place =
      latest.total == 0 ? "during the training" : "after \(DecimalText.grouped(latest.done)) of \(all)"
    return "interrupted \(place)"
      + (kept.map { "; the \($0) are kept, and the same command continues there" } ?? "")
  }

  /// Clears the progress line.
  func end() { state.withLock { erase(&$0) } }

  /// Prints a line, even with `--quiet`.
  func error(_ line: String) {
    end()
    write("fovea: \(line)\n")
  }

  /// Prints a line, except with `--quiet`.
  func note(_ line: String) { if !isQuiet { error(line) } }

  /// Returns `1 photo`, `2 photos`.
  private static func counted(_ count: Int, _ units: String) -> String {
    DecimalText.counted(count, String(units.dropLast()), units)
  }

  /// Returns the line at the start of a stage.
  func text(_ progress: TrainingProgress) -> String {
    switch progress.stage {
    case .trying(let name): "trying the backbone \(name.printable)"
    case .detecting: "finding boxes in \(TrainingDisplay.counted(progress.total, "photos"))"
    case .embedding: "reading \(TrainingDisplay.counted(progress.total, unit))"
    case .learning: "learning"
    }
  }

  private func erase(_ state: inout State) {
    if state.isDrawn { write("\r\u{1B}[K") }
    state.isDrawn = false
  }

  private func write(_ text: String) { _ = Descriptor.write(text.utf8, to: STDERR_FILENO) }
}
