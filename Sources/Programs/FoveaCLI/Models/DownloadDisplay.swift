// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels
import Synchronization

/// The progress line of a download on a terminal; elsewhere, a line for each notable event.
final class DownloadDisplay: Sendable {
  private struct State {
    var meter = DownloadMeter()
    var lastDrawn: Duration?
    var phase: DownloadProgress.Phase?
    var isDrawn = false
  }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let width: Int?
  private let isQuiet: Bool
  private let start = ContinuousClock.now

  /// Creates a display on a descriptor; only a terminal gets a progress line.
  init(descriptor: Int32, isQuiet: Bool) {
    self.descriptor = descriptor
    self.isQuiet = isQuiet
    width = !isQuiet && Terminal.isTerminal(descriptor) ? Terminal.width(descriptor) : nil
  }

  /// Shows the state, at most ten times per second.
  func show(_ progress: DownloadProgress) {
    let time = ContinuousClock.now - start
    state.withLock { state in
      let isNewPhase = state.phase != progress.phase
      state.phase = progress.phase
      guard let width else {
        if isNewPhase && !isQuiet { note(progress) }
        return
      }
      if !isNewPhase, let last = state.lastDrawn, time - last < .milliseconds(100) { return }
      state.meter.update(progress, at: time)
      state.lastDrawn = time
      state.isDrawn = true
      write("\r" + state.meter.line(width: width) + "\u{1B}[K")
    }
  }

  /// Clears the line.
  func end() {
    state.withLock { state in
      if state.isDrawn { write("\r\u{1B}[K") }
      state.isDrawn = false
    }
  }

  private func note(_ progress: DownloadProgress) {
    switch progress.phase {
    case .waiting: write("fovea: waiting for another download of this model\n")
    case .retrying: write("fovea: the connection ended after \(progress.bytesDone) bytes, trying again\n")
    default: break
    }
  }

  private func write(_ text: String) {
    // A failure of standard error cannot be reported anywhere.
    _ = Descriptor.write(text.utf8, to: descriptor)
  }
}
