// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct TextTableTests {
  struct TableCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rows: [[String]]
    var leftAligned: Set<Int>?
    var indent = ""
    let text: String
  }

  @Test(arguments: [
    TableCase(testDescription: "empty", rows: [], text: ""),
    TableCase(testDescription: "one row without cells", rows: [[]], text: "\n"),
    TableCase(testDescription: "one cell", rows: [["a"]], text: "a\n"),
    TableCase(
      testDescription: "left", rows: [["A", "B"], ["longer", "x"], ["", "–"]],
      text: "A       B\nlonger  x\n        –\n"),
    TableCase(
      testDescription: "right but for one", rows: [["a", "b", "c"], ["wide", "wide", "wide"]],
      leftAligned: [1],
      text: "   a  b        c\nwide  wide  wide\n"),
    TableCase(
      testDescription: "rows of other lengths, indented", rows: [["a"], ["b", "c"]], leftAligned: [0],
      indent: "  ", text: "  a\n  b  c\n"),
    TableCase(
      testDescription: "hostile", rows: [["A"], ["x\u{1B}[31m\ny"]], text: "A\nx\\u{1b}[31m\\ny\n"),
  ])
  func `columns are as wide as their widest text`(row: TableCase) {
    #expect(TextTable.text(row.rows, leftAligned: row.leftAligned, indent: row.indent) == row.text)
  }
}
