// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// When the clocks change in years that a zone's file does not list: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// **Source:** POSIX.1-2024, 8.3, TZ; RFC 9636 section 3.3.1 for hours beyond a day.
struct TimeZoneRule: Sendable, Equatable {
  /// A change on a weekday of a month: the last one where `week` is 5.
  struct Change: Sendable, Equatable {
    var month: Int64
    var week: Int64
    var weekday: Int64
    /// Seconds after midnight by the clocks before the change.
    var time: Int64
  }

  var standard: Int64
  var summer: Int64 = 0
  var begin: Change?
  var end: Change?

  /// Reads a rule; nil where the text is none, or has days that are not weekdays of a month.
  init?(_ text: String) {
    var rest = text[...]
    guard TimeZoneRule.takeName(&rest), let offset = TimeZoneRule.takeTime(&rest) else { return nil }
    standard = -offset
    guard !rest.isEmpty else { return }
    guard TimeZoneRule.takeName(&rest) else { return nil }
    summer = standard + 3600
    if rest.first != "," {
      guard let offset = TimeZoneRule.takeTime(&rest) else { return nil }
      summer = -offset
    }
    guard let begin = TimeZoneRule.takeChange(&rest), let end = TimeZoneRule.takeChange(&rest), rest.isEmpty
    else { return nil }
    self.begin = begin
    self.end = end
  }

  /// The offset at a moment, both in seconds.
  func offset(at moment: Int64) -> Int64 {
    guard let begin, let end else { return standard }
    let today = CivilDate.divided(moment + standard, by: 86_400).quotient
    let year = CivilDate(daysSince1970: today).year
    let from = begin.moment(in: year) - standard
    let to = end.moment(in: year) - summer
    let isSummer = from < to ? moment >= from && moment < to : moment >= from || moment < to
    return isSummer ? summer : standard
  }

  private static func takeName(_ rest: inout Substring) -> Bool {
    if rest.first == "<" {
      guard let close = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: close)...]
      return true
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  /// `-3`, `5:30`, `+1:00:00`, in seconds.
  private static func takeTime(_ rest: inout Substring) -> Int64? {
    var sign: Int64 = 1
    if let first = rest.first, first == "-" || first == "+" {
      sign = first == "-" ? -1 : 1
      rest = rest.dropFirst()
    }
    let text = rest.prefix { $0.isASCII && $0.isNumber || $0 == ":" }
    rest = rest[text.endIndex...]
    let parts = text.split(separator: ":").map { Int64($0) ?? -1 }
    guard (1...3).contains(parts.count), parts.allSatisfy({ (0...200).contains($0) }) else { return nil }
    return sign * zip(parts, [3600, 60, 1] as [Int64]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// `,M3.5.0/2`.
  private static func takeChange(_ rest: inout Substring) -> Change? {
    guard rest.hasPrefix(",M") else { return nil }
    rest = rest.dropFirst(2)
    let date = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    rest = rest[date.endIndex...]
    let parts = date.split(separator: ".").compactMap { Int64($0) }
    guard parts.count == 3, (1...12).contains(parts[0]), (1...5).contains(parts[1]),
      (0...6).contains(parts[2])
    else { return nil }
    var time: Int64 = 7200
    if rest.first == "/" {
      rest = rest.dropFirst()
      guard let given = takeTime(&rest) else { return nil }
      time = given
    }
    return Change(month: parts[0], week: parts[1], weekday: parts[2], time: time)
  }
}

extension TimeZoneRule.Change {
  /// When it is in a year, in seconds as if the clocks showed UTC.
  fileprivate func moment(in year: Int64) -> Int64 {
    let first = CivilDate.days(year, month, 1)
    let weekdayOfFirst = CivilDate(daysSince1970: first).weekday
    var day = first + (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
    let next = month == 12 ? CivilDate.days(year + 1, 1, 1) : CivilDate.days(year, month + 1, 1)
    if day >= next { day -= 7 }
    return day * 86_400 + time
  }
}
#endif
