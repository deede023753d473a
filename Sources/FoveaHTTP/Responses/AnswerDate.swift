// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  /// The `Date` of an answer that no router has made.
  ///
  /// **Source:** RFC 9110, section 5.6.7, the form that alone may be sent.
  enum AnswerDate {
    /// 1 January 1970 was the first of these.
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    /// Years begin in March, so that the day which not all have is their last.
    private static let months = [
      "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb",
    ]

    /// This machine's time.
    static var now: String { text(seconds: Int(WallClock.milliseconds / 1_000)) }

    /// A time as `Sun, 06 Nov 1994 08:49:37 GMT`.
    /// - Parameter seconds: Since 1970; those before count as 1970.
    /// - Returns: The text.
    static func text(seconds: Int) -> String {
      let (days, rest) = max(0, seconds).quotientAndRemainder(dividingBy: 86_400)
      // Days since 1 March of the year 0 in the Gregorian calendar.
      let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
      let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let month = (5 * dayOfYear + 2) / 153
      let day = dayOfYear - (153 * month + 2) / 5 + 1
      let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
      let date = "\(AnswerDate.days[days % 7]), \(two(day)) \(months[month]) \(year)"
      return "\(date) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }
#endif
