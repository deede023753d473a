// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTraining
import Synchronization

/// The progress of a quantisation on standard error: on a terminal, one line that is updated.
final class QuantizationDisplay: Sendable {
  private let isDrawn = Mutex(false)
  private let isQuiet: Bool
  private let isTerminal: Bool

  /// The number of photos that choose the ranges below which they are a guess.
  private static let fewPhotos = 10

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isTerminal = Terminal.isTerminal(STDERR_FILENO)
  }

  /// Shows a step, with a note if few photos choose the ranges.
  func show(_ step: Quantizer.Step) {
    if case .photos(let count) = step, count < Self.fewPhotos {
      note(
        "only \(DecimalText.counted(count, "photo shows", "photos show")) the ranges of numbers; give "
          + "\(Self.fewPhotos + Quantizer.leastCompared) different photos or more, of which "
          + "\(Self.fewPhotos) show them")
    }
    guard !isQuiet, isTerminal else { return }
    let text =
      switch step {
      case .photos: "ranges of numbers: 0 %"
      case .ranges(let done, let all): "ranges of numbers: \(100 * done / max(all, 1)) %"
      case .noise(let done, let all): "noise of layers: \(done) of \(all)"
      case .comparison(let count): "comparing with \(count) layers in float"
      }
    isDrawn.withLock { isDrawn in
      isDrawn = true
      write("\r\(text)\u{1B}[K")
    }
  }

  /// Clears the progress line.
  func end() {
    isDrawn.withLock { isDrawn in
      if isDrawn { write("\r\u{1B}[K") }
      isDrawn = false
    }
  }

  /// Prints a line, even with `--quiet`.
  func error(_ line: String) {
    end()
    write("fovea: \(line)\n")
  }

  /// Prints a line, except with `--quiet`.
  func note(_ line: String) { if !isQuiet { error(line) } }

  private func write(_ text: String) { _ = Descriptor.write(text.utf8, to: STDERR_FILENO) }
}
