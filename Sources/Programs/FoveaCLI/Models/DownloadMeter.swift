// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// The progress and speed of a download, as one line of text.
///
/// Independent of clock and terminal.
struct DownloadMeter {
  private var last: DownloadProgress?
  private var lastTime: Duration = .zero
  private var rate: Double?

  /// Seconds over which the rate is smoothed.
  private static let smoothing = 3.0

  /// Updates the meter with the state at a time since the start.
  mutating func update(_ progress: DownloadProgress, at time: Duration) {
    defer { last = progress }
    guard let last, progress.bytesDone >= last.bytesDone, progress.phase == .transferring,
      last.phase == .transferring
    else {
      // Bytes from an earlier run or a restarted transfer do not count for the speed.
      rate = nil
      lastTime = time
      return
    }
    let elapsed = (time - lastTime).seconds
    guard elapsed > 0 else { return }
    let current = Double(progress.bytesDone - last.bytesDone) / elapsed
    rate = rate.map { $0 + (1 - exp(-elapsed / Self.smoothing)) * (current - $0) } ?? current
    lastTime = time
  }

  /// Returns the line, shorter than `width` columns.
  func line(width: Int) -> String {
    guard let last else { return "" }
    var parts: [String] = []
    if last.phase == .waiting {
      parts = ["waiting for another download of this model"]
    } else {
      let done = DecimalText.bytes(last.bytesDone)
      parts.append(last.bytesTotal.map { "\(done) of \(DecimalText.bytes($0))" } ?? done)
      if last.phase == .retrying { parts.append("the connection ended, trying again") }
      if last.phase == .verifying { parts.append("verifying") }
      if last.phase == .transferring, let rate, rate > 0 {
        parts.append("\(DecimalText.bytes(Int(min(rate, 1e15))))/s")
        if let total = last.bytesTotal, total > last.bytesDone {
          parts.append("ETA \(ProgressMeter.clock(Double(total - last.bytesDone) / rate))")
        }
      }
    }
    let text = parts.joined(separator: "  ")
    let room = min(30, width - text.count - 5)
    guard let total = last.bytesTotal, total > 0, last.phase != .waiting, room >= 10 else {
      return String(text.prefix(max(0, width - 1)))
    }
    let filled = min(room, Int(Double(room) * Double(last.bytesDone) / Double(total)))
    return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: room - filled) + "]  "
      + text
  }
}
