// SPDX-License-Identifier: Apache-2.0

extension CivilDate {
  /// Writes a moment as RFC 3339 has it, with milliseconds and in UTC: `2026-11-22T10:00:00.000Z`.
  ///
  /// - Parameter milliseconds: Since 1970; negative for moments before.
  /// - Returns: The text, of which four digits are the year's from 0 to 9999.
  package static func text(milliseconds: Int64) -> String {
    let (days, rest) = divided(milliseconds, by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(clock(seconds: rest / 1_000)).\(padded(rest % 1_000, 3))Z"
  }

  /// Writes the seconds since midnight as `08:49:37`.
  static func clock(seconds: Int64) -> String {
    "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
  }

  /// Writes a number with at least so many digits.
  static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
