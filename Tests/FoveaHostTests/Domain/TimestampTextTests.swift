// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@Suite struct TimestampTextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_812_931_199_042, "2027-06-13T23:59:59.042Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `times convert to text and back`(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
    #expect(Timestamp(text: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("2027-06-15T00:00:00Z", 0), ("2027-06-15T00:00:00.5Z", 500), ("2027-06-15T00:00:00.123456789Z", 123),
    ("2027-06-15T00:00:00.04Z", 40),
  ])
  func `fractions of one to nine digits`(text: String, fraction: Int64) {
    #expect(Timestamp(text: text)?.milliseconds == 1_813_017_600_000 + fraction)
  }

  @Test(arguments: [
    "", "2027-06-15", "2027-06-15T00:00:00", "2027-06-15T00:00:00+00:00", "2027-02-30T00:00:00Z",
    "2027-13-01T00:00:00Z",
    "2027-06-15T24:00:00Z", "2027-06-15T00:00:00.Z", "2027-06-15T00:00:00.1234567890Z",
    "2027-06-15 00:00:00Z",
    "２027-06-15T00:00:00Z", "2027-06-15T00:00:00.1aZ",
  ])
  func `text that is not a time`(text: String) { #expect(Timestamp(text: text) == nil) }
}
#endif
