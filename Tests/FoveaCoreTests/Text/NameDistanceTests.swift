// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct NameDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "acbd", 1),
    ("abc", "abc", 0),
  ])
  func `a distance is the number of changes`(first: String, second: String, distance: Int) {
    #expect(NameDistance.distance(Array(first.utf8), Array(second.utf8)) == distance)
    #expect(NameDistance.distance(Array(second.utf8), Array(first.utf8)) == distance)
    #expect(NameDistance.changes(from: first.uppercased(), to: second[...]) == distance)
  }
}
