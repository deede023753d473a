// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Files in which each line has a class number, with classes left out.
@Suite struct NumberedLineTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let names: [String]
    let form: LabelForm
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ names: [String], _ form: LabelForm = .numberedLines) {
      (self.text, self.names, self.form) = (text, names, form)
    }
  }

  private static func gaps(_ count: Int) -> [String] { Array(repeating: "???", count: count) }

  /// The labels at the classes 0, 2 and 7.
  static let sparse = ["zero", "???", "two"] + gaps(4) + ["seven"]

  static let gapped = [
    Row("0 zero\n2 two\n7 seven", sparse), Row("0 zero\n2 two\n\n7 seven\n", sparse),
    Row("# of the model\n0 zero\n2 two\n7 seven", sparse), Row("0: zero\n2: two\n7: seven\n", sparse),
    Row("000\tzero\n002\ttwo\n007\tseven", sparse), Row("[0] zero\n[2] two\n[7] seven", sparse),
    Row("0,zero\n2,two\n7,seven", sparse), Row("0 - zero\n2 - two\n7 - seven", sparse),
    Row("1 one\n7 seven", ["one"] + gaps(5) + ["seven"]), Row("0 zero\n2 two", ["zero", "???", "two"]),
    Row("1 one\n2 two\n9 nine", ["one", "two"] + gaps(6) + ["nine"]),
    // Below a header.
    Row("label\n0 zero\n2 two\n7 seven", sparse), Row("id label\n0 zero\n2 two\n7 seven", sparse),
    Row("Klasse\n0 zero\n2 two\n7 seven", sparse), Row("Nummer und Name:\n\n0 zero\n2 two\n7 seven", sparse),
    // Other forms in which each line has a number.
    Row("0.0,zero\n2.0,two\n7.0,seven", sparse, .table), Row("zero,0\ntwo,2\nseven,7", sparse, .table),
    Row("zero: 0\ntwo: 2\nseven: 7", sparse, .yaml),
  ]

  @Test(arguments: gapped)
  func `numbers that rise from 0 or 1 are those of classes, and a class that is left out has no label`(
    _ row: Row
  ) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
    #expect(map.doubtfulLines == [])
    #expect(try map.fitted(to: row.names.count, of: "'m'").names == row.names)
  }

  static let own = [
    "2 wheeler\n7 seater", "3 musketeers\n7 dwarfs", "car\n1 wheeler\n3 wheeler", "1 door\n4 doors\nhatch",
    "\"0 doors\"\n\"4 wheels\"", "7 seven\n0 zero\n2 two", "0 - 2 years\n3 - 9 years\n10 - 19 years",
    "0 - 1 years\n2 - 3 years\n4 - 5 years", "0–2 years\n3–9 years", "0 – 2 years\n3 – 9 years",
    "0 to 2 years\n3 to 9 years\n10 to 19 years", "1 cent\n5 cent\n1 euro\n5 euro", "1 star\n3 star\n5 star",
    "stop, 1\nlimit, 30\nend, 50", "0 a\n100000 b",
  ]

  @Test(arguments: own)
  func `numbers that belong to the labels stay`(_ text: String) throws {
    let names = text.replacing("\"", with: "").split(separator: "\n").map(String.init)
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.names == names)
    #expect(map.form == .lines)
    #expect(try map.fitted(to: names.count, of: "'m'").names == names)
  }

  static let misfits: [(String, Int, String)] = [
    (
      "0 zero\n2 two\n7 seven", 3,
      "has 8 labels (numbered lines), but 'm' has 3 classes; the extra one is line 3 'seven'; no line has the number 1"
    ),
    (
      "1 one\n2 two\n4 four", 3,
      "has 4 labels (numbered lines), but 'm' has 3 classes; the extra one is line 3 'four'; no line has the number 3"
    ),
    (
      "id label\n0 zero\n3 three\n1 one", 3,
      "has 4 labels (numbered lines), but 'm' has 3 classes; the extra one is line 3 'three'; no line has the number 2"
    ),
    (
      "label\n0 zero\n2 two", 9,
      "has 3 labels (numbered lines), but 'm' has 9 classes; the last is line 3 'two'; no line has the number 1"
    ),
  ]

  @Test(arguments: misfits)
  func `numbered lines that do not fit are an error with the first number that is missing`(
    _ text: String, _ classes: Int, _ message: String
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: classes, of: "'m'") }
    #expect(error?.message == "labels " + message)
    #expect(
      error?.remedy.description
        == """
        Give the label file that belongs to the model, or write one label per line without numbers; labels that \
        begin with a number need quotes
        """
    )
  }

  static let settled: [(String, Int, [String])] = [
    ("0 zero\n\n1 one", 2, ["zero", "one"]), ("id label\n0 zero\n1 one", 2, ["zero", "one"]),
    // A first line that is hardly a header may be a class.
    ("car\n0 wheeler\n1 seater", 3, ["car", "0 wheeler", "1 seater"]),
    ("car\n0 wheeler\n1 seater", 2, ["wheeler", "seater"]),
    // Folders in the order of their names.
    (
      "1 a\n10 j\n2 b\n3 c\n4 d\n5 e\n6 f\n7 g\n8 h", 9,
      ["1 a", "10 j", "2 b", "3 c", "4 d", "5 e", "6 f", "7 g", "8 h"]
    ),
  ]

  @Test(arguments: settled)
  func `the number of classes settles only what may be a class`(
    _ text: String, _ classes: Int, _ names: [String]
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(try map.fitted(to: classes, of: "'m'").names == names)
  }

  @Test(arguments: ["0 zero\n\n1 one", "id label\n0 zero\n1 one", "# x\nlabel\n0 zero\n1 one"])
  func `a blank line, a comment or a header is not a class among numbered lines`(_ text: String) throws {
    #expect(try !LabelMap(parsing: Array(text.utf8), source: "labels").canFit(3))
  }

  @Test func `a column with gaps whose name is not that of class numbers is an error`() {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array("lfd,Klasse\n0,zero\n2,two\n7,seven".utf8), source: "labels")
    }
    #expect(
      error?.message == "labels has a column of numbers that may be the classes or not: 'lfd'")
    #expect(error?.code == .badLabels)
  }
}
