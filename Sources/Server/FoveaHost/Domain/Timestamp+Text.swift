// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Timestamp {
  /// `2026-11-22T19:16:23.042Z`: always three digits, because Google's Android client parses nothing else.
  package var text: String { CivilDate.text(milliseconds: milliseconds) }

  /// Reads `2026-11-22T19:16:23Z`, or with a fraction of 1 to 9 digits, of which three count; nil for
  /// anything else.
  package init?(text: String) {
    guard let milliseconds = CivilDate.milliseconds(text: text) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// The start of a day.
  init(day: Int64) { self.init(milliseconds: day * 86_400_000) }

  /// The date, as `2026-11-23`.
  var dayText: String { String(text.prefix(10)) }

  /// Returns a day, in days since 1970-01-01, as `2026-11-23`.
  package static func dayText(_ day: Int64) -> String { Timestamp(day: day).dayText }
}
#endif
