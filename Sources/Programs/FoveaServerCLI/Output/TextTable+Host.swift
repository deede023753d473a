// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

extension TextTable {
  /// `2026-11-22 19:16` of a moment on the wire.
  static func minute(_ time: String) -> String {
    time.utf8.count >= 16 ? time.prefix(10) + " " + time.dropFirst(11).prefix(5) : time
  }

  /// A percentage without digits that say nothing.
  static func percent(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }

  /// One model in a line, after a change.
  static func line(_ model: HostAnswer.Model) -> String {
    "\(model.name.printable): \(model.channelText); rollout: \(model.rolloutText)\n"
  }
}

extension HostAnswer.Model {
  /// `stable 3, beta 4`; a dash where no channel points anywhere.
  var channelText: String {
    let names = channels.keys.sorted { ($0 == "stable" ? "" : $0) < ($1 == "stable" ? "" : $1) }
    return names.isEmpty ? "–" : names.map { "\($0) \(channels[$0] ?? 0)" }.joined(separator: ", ")
  }

  /// `4 to 10 %`, `4 halted`; a dash where none runs.
  var rolloutText: String {
    guard let rollout else { return "–" }
    return rollout.halted
      ? "\(rollout.version) halted" : "\(rollout.version) to \(TextTable.percent(rollout.percent)) %"
  }
}
#endif
