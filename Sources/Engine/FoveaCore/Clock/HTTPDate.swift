// SPDX-License-Identifier: Apache-2.0

/// Times in server formats, in seconds since 1970.
///
/// **Source:** RFC 9110, section 5.6.7, its preferred form (`Sun, 06 Nov 1994 08:49:37 GMT`), the only one
/// that may be sent; and the times of Firebase ML's REST interface (`2026-11-22T10:00:00.000Z`).
package enum HTTPDate {
  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The machine's current time.
  package static var now: Int { Int(WallClock.milliseconds / 1_000) }

  /// Returns the time of a header; nil if it is invalid.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
      let day = number(words[1], 2), let month = months.firstIndex(of: String(words[2])),
      let year = number(words[3], 4)
    else { return nil }
    return seconds(year, Int64(month) + 1, day, time: words[4])
  }

  /// Returns the time of a string with exactly the form `YYYY-MM-DDTHH:MM:SS[.fff]Z`; nil for any other
  /// string.
  package static func seconds(service text: String) -> Int? {
    guard text.hasSuffix("Z") else { return nil }
    let halves = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    let parts = halves[1].split(separator: ".", omittingEmptySubsequences: false)
    guard date.count == 3, let year = number(date[0], 4), let month = number(date[1], 2),
      let day = number(date[2], 2), parts.count == 1 || parts.count == 2 && number(parts[1], 3) != nil
    else { return nil }
    return seconds(year, month, day, time: parts[0])
  }

  private static func seconds(
    _ year: Int64, _ month: Int64, _ day: Int64, time text: some StringProtocol
  ) -> Int? {
    let clock = text.split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2), hour < 24, minute < 60, second <= 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return Int(date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// Returns a number of exactly `digits` digits.
  private static func number(_ text: some StringProtocol, _ digits: Int) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int64(text)
  }
}

extension HTTPDate {
  /// Returns a time in the form of a header: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: Since 1970; earlier times count as 1970, times after the year 9999 as its end.
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

  /// Returns a time in the form of Firebase's REST interfaces: `2026-11-22T10:00:00.000Z`.
  ///
  /// - Parameter milliseconds: Since 1970; earlier times count as 1970, times after the year 9999 as its end.
  /// - Returns: The text.
  package static func service(milliseconds: Int) -> String {
    CivilDate.text(milliseconds: Int64(min(max(milliseconds, 0), 253_402_300_799_999)))
  }
}
