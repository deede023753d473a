// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Sun, 06-Nov-94 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
    ("Sun, 29 Feb 2023 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("", nil), ("5", nil),
  ])
  func `times in headers are read`(_ text: String, _ seconds: Int?) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ] as [(Int, String)])
  func `times in headers are written in the form of RFC 9110`(_ seconds: Int, _ text: String) {
    #expect(HTTPDate.text(seconds: seconds) == text)
    #expect(HTTPDate.seconds(text) == min(max(seconds, 0), 253_402_300_799))
  }

  @Test(arguments: [
    ("1994-11-06T08:49:37Z", 784_111_777), ("1994-11-06T08:49:37.123Z", 784_111_777),
    ("2000-02-29T00:00:00.000Z", 951_782_400), ("1900-02-29T00:00:00Z", nil),
    ("1994-11-06T08:49:37.12Z", nil), ("1994-11-06T08:49:37.1234Z", nil), ("1994-11-06T08:49:37", nil),
    (" 1994-11-06T08:49:37Z", nil), ("1994-11-06 08:49:37Z", nil), ("1994-11-06T08:49:37+00:00", nil),
    ("1994-13-06T08:49:37Z", nil), ("1994-00-06T08:49:37Z", nil), ("1994-11-31T08:49:37Z", nil),
    ("1994-11-06T08:61:37Z", nil), ("-994-11-06T08:49:37Z", nil), ("", nil), ("Z", nil), ("T:Z", nil),
  ])
  func `times of hosts have one form`(_ text: String, _ seconds: Int?) {
    #expect(HTTPDate.seconds(service: text) == seconds)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1970-01-01T00:00:00.000Z"),
    (951_782_400_123, "2000-02-29T00:00:00.123Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (Int.max, "9999-12-31T23:59:59.999Z"),
  ])
  func `times of hosts are written as they are read`(_ milliseconds: Int, _ text: String) {
    #expect(HTTPDate.service(milliseconds: milliseconds) == text)
    #expect(HTTPDate.seconds(service: text) == min(max(milliseconds, 0), 253_402_300_799_999) / 1_000)
  }
}
