// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

/// Through expressions, which name zones.
@Suite struct TimeZoneTests {
  /// A time on the clocks of a zone, and its moment.
  static let rows: [(String, String, String)] = [
    ("2025-01-01T00:00:00", "Europe/Lisbon", "2025-01-01T00:00:00.000Z"),
    ("2025-07-01T00:00:00", "Europe/Lisbon", "2025-06-30T23:00:00.000Z"),
    ("2025-07-01T12:00:00", "Asia/Kathmandu", "2025-07-01T06:15:00.000Z"),
    ("2025-07-01T12:00:00", "America/St_Johns", "2025-07-01T14:30:00.000Z"),
    ("2025-12-01T12:00:00", "Australia/Sydney", "2025-12-01T01:00:00.000Z"),
    ("2025-07-01T12:00:00", "Etc/GMT+5", "2025-07-01T17:00:00.000Z"),
    ("2025-07-01T12:00:00", "Etc/GMT", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "Etc/GMT-14", "2025-06-30T22:00:00.000Z"),
    // Names without an area.
    ("2025-07-01T12:00:00", "UTC", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "GMT", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "GMT0", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "GMT+0", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "GMT-0", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "Zulu", "2025-07-01T12:00:00.000Z"),
    ("2025-07-01T12:00:00", "CET", "2025-07-01T10:00:00.000Z"),
    ("2025-07-01T12:00:00", "EST", "2025-07-01T17:00:00.000Z"),
    ("2025-07-01T12:00:00", "PST8PDT", "2025-07-01T19:00:00.000Z"),
    ("2025-07-01T12:00:00", "GB", "2025-07-01T11:00:00.000Z"),
    ("2025-07-01T12:00:00", "NZ", "2025-07-01T00:00:00.000Z"),
    // An old name that the list keeps.
    ("2025-07-01T12:00:00", "Asia/Calcutta", "2025-07-01T06:30:00.000Z"),
    // The last year whose rules Foundation knows.
    ("2100-07-01T12:00:00", "Europe/Berlin", "2100-07-01T10:00:00.000Z"),
    ("2100-12-01T12:00:00", "Europe/Berlin", "2100-12-01T11:00:00.000Z"),
    ("2100-12-01T12:00:00", "Australia/Sydney", "2100-12-01T01:00:00.000Z"),
    // Shown twice: the first one. Skipped: as if the clocks had not changed.
    ("2025-10-26T02:30:00", "Europe/Berlin", "2025-10-26T00:30:00.000Z"),
    ("2025-03-30T02:30:00", "Europe/Berlin", "2025-03-30T01:30:00.000Z"),
    ("2025-03-30T01:59:59", "Europe/Berlin", "2025-03-30T00:59:59.000Z"),
    ("2025-03-30T03:00:00", "Europe/Berlin", "2025-03-30T01:00:00.000Z"),
  ]

  @Test(arguments: rows)
  func `a time in a zone is the moment at which its clocks show it`(
    local: String, zone: String, moment: String
  ) throws {
    let expression = try ConfigExpression("dateTime >= dateTime('\(local)', '\(zone)')")
    let time = try #require(Timestamp(text: moment))
    let unit = ConfigUnit(installation: "", appID: "x")
    #expect(expression.holds(for: unit, at: time))
    #expect(!expression.holds(for: unit, at: time.advanced(seconds: -0.001)))
  }

  @Test(arguments: [
    "posix/Europe/Berlin", "right/UTC", "tzdata.zi", "", "/etc/localtime", "Europe", ".", "a b", "/",
    "Europe/", "/Berlin", "utc", "europe/berlin",
    // Names that Foundation takes for an unlikely zone, or for UTC.
    "ACT", "AST", "BST", "CST", "IST", "JST", "PST", "SST", "GMT+8", "gmt+8", "GMT-8", "GMT-08:00",
    "GMT+0800", "GMT+00", "UTC+8", "UTC-0", "Etc/Unknown", "SystemV/PST8", "SystemV/EST5EDT",
    "US/Pacific-New", "Canada/East-Saskatchewan",
  ])
  func `an unknown zone is rejected`(zone: String) {
    #expect(throws: ExpressionFailure.self) {
      try ConfigExpression("dateTime >= dateTime('2025-01-01T00:00:00', '\(zone)')")
    }
  }
}
#endif
