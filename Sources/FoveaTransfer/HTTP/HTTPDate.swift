// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// Times as servers write them, in seconds since 1970.
///
/// **Source:** RFC 9110, section 5.6.7, its preferred form (`Sun, 06 Nov 1994 08:49:37 GMT`), which alone may be sent;
/// and the times of Firebase ML's REST interface (`2026-11-22T10:00:00.000Z`).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// This machine's time.
  package static var now: Int { Int(time(nil)) }

  /// Reads the time of a header; nil for what is none.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
      let day = number(words[1], 2), let month = months.firstIndex(of: String(words[2])),
      let year = number(words[3], 4)
    else { return nil }
    return seconds(year, month + 1, day, time: words[4])
  }

  /// Reads a time of exactly the form `YYYY-MM-DDTHH:MM:SS[.fff]Z`; nil for every other text.
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
    _ year: Int, _ month: Int, _ day: Int, time text: some StringProtocol
  ) -> Int? {
    let clock = text.split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2), (1...12).contains(month), hour < 24, minute < 60, second <= 60,
      day >= 1, day <= days(month, of: year)
    else { return nil }
    // Days since 1970 in the Gregorian calendar, by years that begin in March.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func days(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ text: some StringProtocol, _ digits: Int) -> Int? {
    text.utf8.count == digits ? HTTPHead.count(text) : nil
  }
}
