// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The progress and speed of a run, as one line of text.
///
/// Independent of clock and terminal.
struct ProgressMeter {
  /// The unit of the count, as in "images/s".
  let unit: String
  /// The number of inputs; nil until they are counted.
  var total: Int?
  private(set) var done = 0
  private(set) var failed = 0
  private var skipped = 0
  private var rate: Double?
  private var lastTime: Duration = .zero
  private var lastWorked = 0

  /// Seconds over which the rate is smoothed: long enough to be readable, short enough to follow a change.
  private static let smoothing = 5.0

  init(unit: String = "images") { self.unit = unit }

  /// Updates the meter with the counts at a time since the start.
  mutating func update(done: Int, failed: Int, skipped: Int, at time: Duration) {
    self.done = done
    self.failed = failed
    self.skipped = skipped
    let worked = done - skipped
    let elapsed = (time - lastTime).seconds
    guard elapsed > 0 else { return }
    let current = Double(worked - lastWorked) / elapsed
    let weight = 1 - exp(-elapsed / ProgressMeter.smoothing)
    rate = rate.map { $0 + weight * (current - $0) } ?? current
    lastTime = time
    lastWorked = worked
  }

  /// Returns the line, shorter than `width` columns.
  func line(width: Int) -> String {
    var parts: [String] = []
    if let total {
      parts.append("\(DecimalText.grouped(done))/\(DecimalText.grouped(max(total, done)))")
    } else {
      parts.append("\(DecimalText.grouped(done))")
    }
    if let rate, rate > 0 {
      parts.append("\(DecimalText.fixed(rate, places: 1)) \(unit)/s")
      if let total, total > done { parts.append("ETA \(ProgressMeter.clock(Double(total - done) / rate))") }
    }
    if failed > 0 { parts.append("\(DecimalText.grouped(failed)) failed") }
    let text = parts.joined(separator: "  ")
    let room = min(30, width - text.count - 5)
    guard let total, total > 0, room >= 10 else { return String(text.prefix(max(0, width - 1))) }
    let filled = min(room, room * done / total)
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: room - filled)
    return "[\(bar)]  \(text)"
  }

  /// Formats seconds as 0:07, 12:34 or 1:02:03.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "--:--" }
    let whole = Int(seconds.rounded(.up))
    let tail = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    return hours > 0
      ? "\(hours):\(tail(minutes)):\(tail(whole % 60))" : "\(minutes):\(tail(whole % 60))"
  }
}
