// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct PartSearchTests {
  @Test(
    arguments: [
      ("", "", 0..<0), ("abc", "", 0..<0), ("", "a", nil), ("abc", "abc", 0..<3), ("abc", "abcd", nil),
      ("abc", "c", 2..<3), ("abc", "cd", nil), ("abab", "ab", 0..<2), ("aab", "ab", 1..<3),
      ("abacabad", "abad", 4..<8), ("aaab", "aab", 1..<4), ("straße", "ße", 4..<6), ("abc", "B", nil),
      // A letter with its accent is one, however it is written.
      ("cafe\u{301}", "e", nil), ("cafe\u{301}", "caf\u{e9}", 0..<4), ("a\r\nb", "\n", nil),
    ] as [(String, String, Range<Int>?)]
  )
  func `a part is found where it occurs first`(text: String, part: String, place: Range<Int>?) {
    let found = text.firstPlace(of: part).map {
      text.distance(
        from: text.startIndex, to: $0.lowerBound)..<text.distance(from: text.startIndex, to: $0.upperBound)
    }
    #expect(found == place)
    #expect(text.contains(part: part) == (place != nil))
  }

  @Test(
    arguments: [
      ([], [], 0..<0), ([], [1], nil), ([1, 2, 3], [], 0..<0), ([1, 1, 2], [1, 2], 1..<3),
      ([1, 2], [2, 1], nil),
    ] as [([UInt8], [UInt8], Range<Int>?)])
  func `the indices of a slice are those of its base`(bytes: [UInt8], part: [UInt8], place: Range<Int>?) {
    #expect(
      ([9, 9] + bytes).dropFirst(2).firstPlace(of: part)
        == place.map { $0.lowerBound + 2..<$0.upperBound + 2 })
  }

  @Test(arguments: [
    ("", "a", "b", ""), ("abc", "", "x", "abc"), ("abc", "b", "", "ac"), ("aaa", "aa", "b", "ba"),
    ("a''b''", "''", "'", "a'b'"), ("it''''s", "''", "'", "it''s"), ("abc", "d", "x", "abc"),
    // Inserted text is not searched.
    ("aab", "ab", "b", "ab"), ("a", "a", "aa", "aa"),
  ])
  func `each occurrence is replaced from the start on`(
    text: String, part: String, other: String, result: String
  ) {
    #expect(text.replacing(part: part, with: other) == result)
    #expect(("-" + text).dropFirst().replacing(part: part, with: other) == result)
  }
}
