// SPDX-License-Identifier: Apache-2.0

extension HTTPDate {
  /// Writes the time of a header: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: Since 1970; those before count as 1970, those after the year 9999 as its end.
  /// - Returns: The text.
  package static func text(seconds: Int) -> String {
    let (days, rest) = CivilDate.divided(Int64(min(max(seconds, 0), 253_402_300_799)), by: 86_400)
    let date = CivilDate(daysSince1970: days)
    let words = [
      weekdays[Int(date.weekday)] + ",", CivilDate.padded(date.day, 2), months[Int(date.month) - 1],
      CivilDate.padded(date.year, 4), CivilDate.clock(seconds: rest), "GMT",
    ]
    return words.joined(separator: " ")
  }

  /// Writes a time as Firebase's REST interfaces have it: `2026-11-22T10:00:00.000Z`.
  ///
  /// - Parameter milliseconds: Since 1970; those before count as 1970, those after the year 9999 as its end.
  /// - Returns: The text.
  package static func service(milliseconds: Int) -> String {
    CivilDate.text(milliseconds: Int64(min(max(milliseconds, 0), 253_402_300_799_999)))
  }
}
