// SPDX-License-Identifier: Apache-2.0

extension HTTPDate {
  /// A time as Firebase's REST interfaces have it: `2026-11-22T10:00:00.000Z`.
  ///
  /// - Parameter milliseconds: Since 1970; those before count as 1970, those after the year 9999 as its end.
  /// - Returns: The text.
  package static func service(milliseconds: Int) -> String {
    let milliseconds = min(max(milliseconds, 0), 253_402_300_799_999)
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    // Days since 1 March of the year 0 in the Gregorian calendar, by years that begin in March.
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    let date = [padded(year, 4), padded(month < 10 ? month + 3 : month - 9, 2), padded(day, 2)]
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "." + padded(rest % 1_000, 3)
      + "Z"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
