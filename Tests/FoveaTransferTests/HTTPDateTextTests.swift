// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaTransfer

@Suite struct HTTPDateTextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1970-01-01T00:00:00.000Z"),
    (951_782_400_123, "2000-02-29T00:00:00.123Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (Int.max, "9999-12-31T23:59:59.999Z"),
  ])
  func `times are written as they are read`(_ milliseconds: Int, _ text: String) {
    #expect(HTTPDate.service(milliseconds: milliseconds) == text)
    #expect(HTTPDate.seconds(service: text) == min(max(milliseconds, 0), 253_402_300_799_999) / 1_000)
  }
}
