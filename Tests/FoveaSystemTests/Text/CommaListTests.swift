// SPDX-License-Identifier: Apache-2.0

import FoveaSystem
import Testing

@Suite struct CommaListTests {
  private static let known: Set = [
    "cat", "hot dog", "tabby, tabby cat", "tiger cat", "tabby", "tiger, tiger cat, big", "a,b",
  ]

  @Test(arguments: [
    ("cat", ["cat"]), (" cat ", ["cat"]), ("cat, hot dog", ["cat", "hot dog"]),
    ("cat,hot dog,", ["cat", "hot dog", ""]),
    ("tabby, tabby cat", ["tabby, tabby cat"]), ("tabby,tabby cat", ["tabby, tabby cat"]),
    ("cat,tabby, tabby cat,tabby", ["cat", "tabby, tabby cat", "tabby"]), ("tabby, cat", ["tabby", "cat"]),
    ("tiger, tiger cat, big, tiger cat", ["tiger, tiger cat, big", "tiger cat"]),
    ("tiger, tiger cat", ["tiger", "tiger cat"]), ("a,b", ["a,b"]), ("a, b", ["a,b"]), ("b,a", ["b", "a"]),
    ("", [""]), (",", ["", ""]),
  ])
  func `a name with commas counts as one, and the longest wins`(_ text: String, _ names: [String]) {
    #expect(CommaList.names(text, among: Self.known) == names)
  }

  @Test(arguments: [
    ("", ""), (" \t ", ""), ("a", "a"), (" \ta b\t ", "a b"), ("\na ", "\na"), ("\u{A0}a", "\u{A0}a"),
  ])
  func `blanks at both ends are left out, and nothing else`(_ text: String, _ trimmed: String) {
    #expect(text.trimmingBlanks == trimmed)
    #expect(("," + text).dropFirst().trimmingBlanks == trimmed)
  }

  @Test func `without names with commas a text is taken apart at each`() {
    #expect(CommaList.names("a, b,c", among: []) == ["a", "b", "c"])
  }
}
