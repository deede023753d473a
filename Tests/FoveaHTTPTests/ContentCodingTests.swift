// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Testing

@Suite struct ContentCodingTests {
  /// A compressed body, and what it decompresses to or the status of its refusal.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: [UInt8]
    var coding = "gzip"
    var limit = 100
    let expected: String
  }

  private static let empty: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  /// "abc" in a block without compression, whose sum is 0x352441C2.
  private static let abc: [UInt8] =
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 3, 0, 0xFC, 0xFF] + Array("abc".utf8)
    + [0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0]
  /// The same in zlib's form.
  private static let zlib: [UInt8] =
    [0x78, 1, 1, 3, 0, 0xFC, 0xFF] + Array("abc".utf8) + [0x02, 0x4D, 0x01, 0x27]

  private static func empties(_ count: Int) -> [UInt8] { Array(repeatElement(empty, count: count).joined()) }

  static let rows: [Row] = [
    Row(testDescription: "one member", body: abc, expected: "abc"),
    Row(testDescription: "two members", body: abc + abc, expected: "abcabc"),
    Row(testDescription: "an empty member between", body: abc + empty + abc, expected: "abcabc"),
    Row(testDescription: "only an empty member", body: empty, expected: ""),
    Row(testDescription: "x-gzip", body: abc + abc, coding: "x-gzip", expected: "abcabc"),
    Row(testDescription: "at the limit", body: abc + abc, limit: 6, expected: "abcabc"),
    Row(testDescription: "above the limit", body: abc + abc, limit: 5, expected: "413"),
    Row(testDescription: "the most members", body: empties(ContentCoding.mostMembers), expected: ""),
    Row(testDescription: "one more", body: empties(ContentCoding.mostMembers + 1), expected: "400"),
    Row(testDescription: "a truncated second member", body: abc + Array(abc.dropLast()), expected: "400"),
    Row(
      testDescription: "a damaged second member", body: abc + Array(abc.dropLast(5)) + [0, 3, 0, 0, 0],
      expected: "400"),
    Row(testDescription: "the first byte of a member behind", body: abc + [0x1F], expected: "400"),
    Row(testDescription: "a zero behind", body: abc + [0], expected: "400"),
    Row(testDescription: "zlib's data behind", body: abc + zlib, expected: "400"),
    Row(testDescription: "deflate", body: zlib, coding: "deflate", expected: "abc"),
    Row(testDescription: "deflate twice", body: zlib + zlib, coding: "deflate", expected: "400"),
    Row(testDescription: "gzip behind deflate", body: zlib + abc, coding: "deflate", expected: "400"),
  ]

  @Test(arguments: rows) func `a gzip body may have several members`(_ row: Row) {
    let found: String
    do throws(Refusal) {
      found = String(
        decoding: try ContentCoding.decoded(row.body, row.coding, upTo: row.limit), as: UTF8.self)
    } catch {
      found = String(error.status.code)
    }
    #expect(found == row.expected)
  }
}
#endif
