// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  extension Timestamp {
    /// `2026-11-22T19:16:23.042Z`: always three digits, because Google's Android client parses nothing else.
    package var text: String {
      let (day, rest) = Timestamp.floorDivide(milliseconds, by: 86_400_000)
      let (year, month, dayOfMonth) = Timestamp.civil(day)
      let seconds = rest / 1000
      return "\(Timestamp.padded(year, 4))-\(Timestamp.padded(month, 2))-\(Timestamp.padded(dayOfMonth, 2))T"
        + "\(Timestamp.padded(seconds / 3600, 2)):\(Timestamp.padded(seconds / 60 % 60, 2)):"
        + "\(Timestamp.padded(seconds % 60, 2)).\(Timestamp.padded(rest % 1000, 3))Z"
    }

    /// Reads `2026-11-22T19:16:23Z` or with a fraction of 1 to 9 digits, of which three count; nil for anything else.
    package init?(text: String) {
      let bytes = Array(text.utf8)
      guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == 0x2D, bytes[7] == 0x2D,
        bytes[10] == 0x54,
        bytes[13] == 0x3A, bytes[16] == 0x3A
      else { return nil }
      func number(_ range: Range<Int>) -> Int64? {
        let digits = bytes[range]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
      }
      guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
        let hour = number(11..<13),
        let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month),
        (1...31).contains(day),
        hour < 24, minute < 60, second < 60
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
      let days = Timestamp.day(year, month, day)
      guard Timestamp.civil(days) == (year, month, day) else { return nil }
      self.init(milliseconds: ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction)
    }

    /// The number of days since 1970-01-01, the inverse of ``civil(_:)``.
    static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
      let shifted = month <= 2 ? year - 1 : year
      let (era, yearOfEra) = floorDivide(shifted, by: 400)
      let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of days since 1970-01-01 of a moment in seconds.
    static func day(ofSeconds seconds: Int64) -> Int64 { floorDivide(seconds, by: 86_400).0 }

    /// The year of a number of days since 1970-01-01.
    static func year(ofDay day: Int64) -> Int64 { civil(day).year }

    private static func padded(_ value: Int64, _ digits: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
      let quotient = value >= 0 ? value / divisor : (value - divisor + 1) / divisor
      return (quotient, value - quotient * divisor)
    }

    /// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
    ///
    /// **Source:** Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
      let shifted = day + 719_468
      let (era, dayOfEra) = floorDivide(shifted, by: 146_097)
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let monthFromMarch = (5 * dayOfYear + 2) / 153
      let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
      return (
        yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
      )
    }
  }
#endif
