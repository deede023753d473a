// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-99/1000", 0, 100, 1000), ("bytes 0-99/*", 0, 100, nil), ("bytes */1000", nil, nil, 1000),
      ("bytes */*", nil, nil, nil), ("bytes 5-5/6", 5, 6, 6),
    ] as [(String, Int64?, Int64?, Int64?)])
  func `ranges of upload chunks`(text: String, first: Int64?, end: Int64?, total: Int64?) throws {
    let range = try #require(ContentRange(text))
    #expect(range.bytes?.lowerBound == first)
    #expect(range.bytes?.upperBound == end)
    #expect(range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-99", "bytes 5-2/10", "bytes 0-10/10", "bytes -5/10", "bytes 0-/10", "items 0-1/2",
    "bytes 0-1/x",
    "bytes 0-1/-2", "bytes a-b/10", "bytes 0-99999999999999999999/*", "bytes 0-9223372036854775807/*",
    "bytes  0-1/2",
  ])
  func `text that is not a range`(text: String) { #expect(ContentRange(text) == nil) }
}
#endif
