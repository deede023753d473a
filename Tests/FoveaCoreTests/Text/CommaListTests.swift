// SPDX-License-Identifier: Apache-2.0

import FoveaCore
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
    ("tabby, tiger, tiger cat, big", ["tabby", "tiger, tiger cat, big"]), ("", [""]), (",", ["", ""]),
  ])
  func `a name with commas counts as one, and the longest wins`(_ text: String, _ names: [String]) {
    #expect(CommaList.names([text], among: Self.known) == names)
  }

  /// Ten pairs, so that no set order is right by chance.
  @Test func `among names that differ in spaces the exact one wins, else always the same`() {
    let letters = "abcdefghij".map(String.init)
    let known = Set(letters.flatMap { ["\($0),y", "\($0), y"] })
    for letter in letters {
      for (text, name) in [
        ("\(letter),y", "\(letter),y"), ("\(letter), y", "\(letter), y"), (" \(letter), y,z", "\(letter), y"),
        ("\(letter),y ,z", "\(letter),y"), ("\(letter) ,\ty,z", "\(letter), y"),
      ] {
        #expect(CommaList.names([text], among: known).first == name, "\(text)")
      }
    }
  }

  @Test func `the names of several texts keep their order`() {
    let texts = ["cat, hot dog", "tabby, tabby cat", "b", "tabby,tiger cat"]
    let names = ["cat", "hot dog", "tabby, tabby cat", "b", "tabby", "tiger cat"]
    #expect(CommaList.names(texts, among: Self.known) == names)
    #expect(CommaList.names([String](), among: Self.known).isEmpty)
  }

  @Test(arguments: [
    ("", ""), (" \t ", ""), ("a", "a"), (" \ta b\t ", "a b"), ("\na ", "\na"), ("\u{A0}a", "\u{A0}a"),
  ])
  func `spaces at both ends are trimmed, and nothing else`(_ text: String, _ trimmed: String) {
    #expect(text.trimmingBlanks == trimmed)
    #expect(("," + text).dropFirst().trimmingBlanks == trimmed)
  }

  @Test(arguments: [
    ("tabby,", ["tabby,"]), ("cat,tabby,", ["cat", "tabby,"]), ("tabby, ", ["tabby,"]),
    ("tabby,,cat", ["tabby,", "cat"]), (",cat", [",cat"]), ("cat,", ["cat", ""]),
    ("tabby,cat", ["tabby", "cat"]),
  ])
  func `a name may begin or end with a comma`(_ text: String, _ names: [String]) {
    #expect(CommaList.names([text], among: ["cat", "tabby,", ",cat"]) == names)
  }

  @Test(arguments: [
    ("b,,c", ["b,", "c"]), ("a, ,c", ["a, ", "c"]), ("b,,a, ", ["b,", "a, "]), (",", [","]),
    ("c,,", ["c", ","]),
    ("c,c,,", ["c", "c", ","]), ("b,,", ["b,", ""]), ("x,y,", ["x", "y,"]), ("x,y", ["x, y"]),
    ("x,y,x,y,", ["x, y", "x", "y,"]), ("x,y,z", ["x, y", "z"]), ("x,y,,c", ["x", "y,", "c"]),
    ("x,y,,z", ["x, y", "", "z"]),
  ])
  func `the longest name leaves names behind it if there are any`(_ text: String, _ names: [String]) {
    let known: Set = ["a, ", "b,", "c", ",", "x, y", "x", "y,"]
    #expect(CommaList.names([text], among: known) == names)
  }

  @Test func `without names with commas a text is split at each comma`() {
    #expect(CommaList.names(["a, b,c"], among: []) == ["a", "b", "c"])
    #expect(CommaList.names(["a, b, c, a,d"], among: ["a, b", "a,b,c"]) == ["a,b,c", "a", "d"])
  }
}
