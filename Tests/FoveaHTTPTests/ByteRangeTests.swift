// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, 10, .whole), ("bytes=0-", 10, .parts([0..<10])), ("bytes=0-4", 10, .parts([0..<5])),
      ("bytes=-5", 10, .parts([5..<10])), ("bytes=-50", 10, .parts([0..<10])),
      ("bytes=9-", 10, .parts([9..<10])),
      ("bytes=5-2", 10, .whole), ("bytes=10-", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable),
      ("bytes=0-", 0, .unsatisfiable), ("bytes=-1", 0, .unsatisfiable), ("bytes=9e99-", 10, .whole),
      ("bytes=99999999999999999999-", 10, .unsatisfiable),
      ("bytes=0-99999999999999999999", 10, .parts([0..<10])),
      ("bytes=0-1, 4-5", 10, .parts([0..<2, 4..<6])), ("bytes=0-1,\t20-", 10, .parts([0..<2])),
      ("bytes=0-9,0-9", 10, .whole), ("bytes=0-6,4-9", 10, .whole), ("bytes=", 10, .whole),
      ("bytes=-", 10, .whole),
      ("bytes=+1-2", 10, .whole), ("items=0-4", 10, .whole), ("BYTES=0-4", 10, .parts([0..<5])),
      ("bytes 0-4", 10, .whole), ("bytes=0-4,x", 10, .whole), ("bytes=0--4", 10, .whole),
      (String("bytes=" + [String](repeating: "0-0", count: 1000).joined(separator: ",")), 10_000, .whole),
    ] as [(String?, Int64, RangeRequest)])
  func `the ranges that a Range header requests`(header: String?, size: Int64, expected: RangeRequest) {
    #expect(RangeRequest(header, size: size) == expected)
  }

  @Test(arguments: [
    ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("", false),
    ("a", false),
  ])
  func `the tags that If-None-Match matches`(header: String, isMatch: Bool) {
    #expect(EntityTags.matches(header, "\"a\"") == isMatch)
  }
}
#endif
