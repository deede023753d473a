// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

extension TextTable {
  /// Returns `2026-11-22 19:16` for a timestamp in an answer.
  static func minute(_ time: String) -> String {
    time.utf8.count >= 16 ? time.prefix(10) + " " + time.dropFirst(11).prefix(5) : time
  }

  /// Returns a percentage without trailing zeros, and without an exponent if six decimals are enough.
  static func percent(_ value: Double) -> String {
    let short = DecimalText.short(value, places: 6)
    return Double(short) == value ? short : String(value)
  }

  /// Returns the line of a warning; empty for nil.
  static func warning(_ text: String?) -> String { text.map { $0.printable + "\n" } ?? "" }

  /// Returns one line about a model, after a change, and one for each warning.
  static func line(_ model: HostAnswer.Model) -> String {
    let line =
      "\(model.name.printable): \(model.channelText); rollout: \(model.rolloutText)\n"
      + warning(model.warning)
    guard let damaged = model.damaged, !damaged.isEmpty else { return line }
    let numbers = damaged.map(String.init).joined(separator: ", ")
    return line
      + "No channel returned to \(damaged.count == 1 ? "version" : "versions") \(numbers): "
      + "\(damaged.count == 1 ? "its file is" : "their files are") damaged on the host's disk.\n"
  }
}

extension HostAnswer.Model {
  /// `stable 3, beta 4`; a dash if the model has no channels.
  var channelText: String {
    let names = channels.keys.sorted { ($0 == "stable" ? "" : $0) < ($1 == "stable" ? "" : $1) }
    return names.isEmpty ? "–" : names.map { "\($0) \(channels[$0] ?? 0)" }.joined(separator: ", ")
  }

  /// `4 to 10 %`, `4 halted`; a dash if no rollout is running.
  var rolloutText: String {
    guard let rollout else { return "–" }
    return rollout.halted
      ? "\(rollout.version) halted" : "\(rollout.version) to \(TextTable.percent(rollout.percent)) %"
  }
}
#endif
