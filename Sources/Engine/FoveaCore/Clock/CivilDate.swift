// SPDX-License-Identifier: Apache-2.0

/// A day of the proleptic Gregorian calendar, which extends to the years before its introduction.
///
/// **Source:** Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and
/// `civil_from_days`.
package struct CivilDate: Sendable, Hashable {
  /// The year; 0 is the year before the year 1.
  package let year: Int64
  /// The month, 1 to 12.
  package let month: Int64
  /// The day of the month, 1 to 31.
  package let day: Int64

  /// Creates the date of an existing day; nil for others, such as 30 February.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.init(daysSince1970: CivilDate.days(year, month, day))
    guard self.month == month else { return nil }
  }

  /// Creates the date of a number of days since 1970-01-01, negative for earlier days.
  package init(daysSince1970 days: Int64) {
    // Years start in March here, so the leap day is their last day.
    let (era, dayOfEra) = CivilDate.divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    year = era * 400 + yearOfEra + (monthFromMarch >= 10 ? 1 : 0)
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  }

  /// The number of days since 1970-01-01.
  package var daysSince1970: Int64 { CivilDate.days(year, month, day) }

  /// The day of the week, 0 for Sunday to 6 for Saturday.
  package var weekday: Int64 {
    // 1970-01-01 was a Thursday.
    CivilDate.divided(daysSince1970 + 4, by: 7).remainder
  }

  /// Returns the number of days from 1970-01-01 to a day; a day past the month's end counts into the next
  /// month.
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = divided(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Divides and rounds down, so that the remainder is never negative.
  /// - Precondition: The divisor is positive.
  package static func divided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension CivilDate {
  /// Returns a moment in RFC 3339 form, with milliseconds and in UTC: `2026-11-22T10:00:00.000Z`.
  ///
  /// - Parameter milliseconds: Since 1970; negative for earlier moments.
  /// - Returns: The text, with a four-digit year for the years 0 to 9999.
  package static func text(milliseconds: Int64) -> String {
    let (days, rest) = divided(milliseconds, by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(clock(seconds: rest / 1_000)).\(padded(rest % 1_000, 3))Z"
  }

  /// Returns the seconds since midnight as `08:49:37`.
  static func clock(seconds: Int64) -> String {
    "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
  }

  /// Returns a number with at least `digits` digits.
  static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Returns a moment from RFC 3339 form in UTC, with up to nine decimals, in milliseconds since
  /// 1970-01-01T00:00:00Z: `2026-11-22T10:00:00Z`, `2026-11-22T10:00:00.250Z`; nil for anything else.
  package static func milliseconds(text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      let digits = bytes[range]
      guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), hour < 24,
      minute < 60, second < 60,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == 0x2E, (22...30).contains(bytes.count), number(20..<(bytes.count - 1)) != nil else {
        return nil
      }
      for index in 20..<23 {
        fraction = fraction * 10 + (index < bytes.count - 1 ? Int64(bytes[index] - 0x30) : 0)
      }
    }
    let days = date.daysSince1970
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
  }
}
