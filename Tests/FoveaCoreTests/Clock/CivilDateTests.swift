// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct CivilDateTests {
  struct DayCase: CustomTestStringConvertible, Sendable {
    var days: Int64
    var year: Int64
    var month: Int64
    var day: Int64
    /// 0 for Sunday.
    var weekday: Int64
    var testDescription: String { "\(year)-\(month)-\(day)" }

    init(_ days: Int64, _ year: Int64, _ month: Int64, _ day: Int64, weekday: Int64) {
      (self.days, self.year, self.month, self.day, self.weekday) = (days, year, month, day, weekday)
    }
  }

  @Test(arguments: [
    DayCase(0, 1970, 1, 1, weekday: 4), DayCase(-1, 1969, 12, 31, weekday: 3),
    DayCase(11_016, 2000, 2, 29, weekday: 2), DayCase(11_017, 2000, 3, 1, weekday: 3),
    DayCase(47_540, 2100, 2, 28, weekday: 0), DayCase(47_541, 2100, 3, 1, weekday: 1),
    DayCase(2_932_896, 9999, 12, 31, weekday: 5), DayCase(-719_468, 0, 3, 1, weekday: 3),
    DayCase(-719_469, 0, 2, 29, weekday: 2), DayCase(-719_529, -1, 12, 31, weekday: 5),
  ])
  func `days since 1970 convert to dates and back`(_ test: DayCase) {
    let date = CivilDate(daysSince1970: test.days)
    #expect([date.year, date.month, date.day] == [test.year, test.month, test.day])
    #expect(date.daysSince1970 == test.days && date.weekday == test.weekday)
    #expect(CivilDate(year: test.year, month: test.month, day: test.day) == date)
  }

  @Test func `each day of 400 years follows the previous one`() {
    var before = CivilDate(daysSince1970: -73_050)
    for days in Int64(-73_049)...73_048 {
      let date = CivilDate(daysSince1970: days)
      let next: [[Int64]] = [
        [before.year, before.month, before.day + 1], [before.year, before.month + 1, 1],
        [before.year + 1, 1, 1],
      ]
      guard next.contains([date.year, date.month, date.day]), date.daysSince1970 == days else {
        Issue.record("after \(before) comes \(date)")
        return
      }
      before = date
    }
  }

  @Test(
    arguments: [
      [2027, 2, 29], [2100, 2, 29], [2027, 4, 31], [2027, 0, 1], [2027, 13, 1], [2027, 1, 0], [2027, 1, 32],
    ] as [[Int64]])
  func `a day that does not exist is not a date`(_ parts: [Int64]) {
    #expect(CivilDate(year: parts[0], month: parts[1], day: parts[2]) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `times are written as in RFC 3339`(_ milliseconds: Int64, _ text: String) {
    #expect(CivilDate.text(milliseconds: milliseconds) == text)
  }
}
