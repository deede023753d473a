// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct DoubtfulLineTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let lines: [DoubtfulLine]
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ lines: [(DoubtfulLine.Kind, Int, Int, String)]) {
      self.text = text
      self.lines = lines.map { DoubtfulLine(kind: $0.0, classIndex: $0.1, number: $0.2, text: $0.3) }
    }
  }

  static let rows = [
    Row("a\nb\n", []), Row("a\nb\n\n\n", []), Row("# x\na\nb", []), Row("label\n", []),
    Row("label\na\nb", [(.header, 0, 1, "label")]), Row("Class name\na", [(.header, 0, 1, "Class name")]),
    Row("Labels:\na\nb", [(.header, 0, 1, "Labels:")]), Row("id name\na\nb", [(.header, 0, 1, "id name")]),
    Row("text\ntitle\nlist", [(.possibleHeader, 0, 1, "text")]),
    // The name of a column with numbers is the header of no list of names.
    Row("key\nwallet", []), Row("a\nlabel\nb", []), Row("item\na", []), Row("label_0\nlabel_1", []),
    Row("\na\nb", [(.blank, 0, 1, "")]),
    Row("a\n\nb\n\n\nc\n", [(.blank, 1, 2, ""), (.blank, 3, 4, ""), (.blank, 4, 5, "")]),
    Row("\nname\na", [(.blank, 0, 1, ""), (.header, 1, 2, "name")]),
    Row("#1 seed\na", [(.comment, 0, 1, "#1 seed")]), Row("a\n; x\nb", [(.comment, 1, 2, "; x")]),
    Row("#\n!\n%", []), Row("background\na", [(.background, 0, 1, "background")]),
    Row("???\n\na", [(.background, 0, 1, "???"), (.blank, 1, 2, "")]), Row("none\na", []),
    Row("0 background\n1 a", [(.background, 0, 1, "background")]),
    // The form shows which lines are labels.
    Row("0 label\n1 a\n\n2 b", []), Row("id label\n0 a\n1 b", []), Row("id,label\n0,a\n\n1,b", []),
    Row("[\"label\", \"\", \"a\"]", []), Row("names:\n  - label\n  - a\n", []),
    Row("animal,latin\ncat,felis\ndog,canis", [(.possibleHeader, 0, 1, "animal,latin")]),
    Row("Objekt;Gruppe\na;b\nc;d", [(.possibleHeader, 0, 1, "Objekt;Gruppe")]),
    Row("animal,latin\ncat,felis\ndog", []), Row("hen, bird\ncat, felis", []), Row("a;b", []),
    Row("item { id: 1 name: 'label' }\n\nitem { id: 2 name: 'a' }", []),
  ]

  @Test(arguments: rows)
  func `lines that may not be labels are known with their classes`(_ row: Row) throws {
    #expect(try LabelMap(parsing: Array(row.text.utf8), source: "labels").doubtfulLines == row.lines)
  }

  @Test func `a map without a file has no such line`() {
    #expect(LabelMap(names: ["label", "", "a"], source: "labels").doubtfulLines == [])
  }

  @Test func `the number of classes settles each line`() throws {
    let map = try LabelMap(parsing: Array("label\na\n\nb".utf8), source: "labels")
    #expect(map.doubtfulLines.count == 2)
    for (classes, names) in [(2, ["a", "b"]), (3, ["label", "a", "b"]), (4, ["label", "a", "", "b"])] {
      #expect(try map.fitted(to: classes, of: "'m'").names == names)
    }
  }
}
