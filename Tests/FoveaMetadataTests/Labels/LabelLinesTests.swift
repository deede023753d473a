// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Labels that are written into a model, and read from it again.
@Suite struct LabelLinesTests {
  static let plain = [
    ["a", "b"], ["a", "", "b"], ["a", "b", "", ""], ["label", "a"], ["background", "a"], ["???", "a"],
    ["1 euro", "2 euro"], ["0-2", "3-9", "60 and more"], ["0 - 2", "3 - 9", "60 and more"],
    ["0 to 2", "3 to 9", "60 and more"], ["1 door", "4 wheels", "9 lamps"], ["#1 seed", "a"],
    ["\"a\"", "b", "c"],
    ["6\"", "8\""], ["tench, Tinca tinca", "goldfish"], ["tile 10 20 5", "brick 20 20 5", "plate 1 1 5"],
  ]

  @Test(arguments: plain, [false, true])
  func `labels are written without quotes if they are read back`(_ labels: [String], _ isCounted: Bool) throws
  {
    let bytes = try LabelLines.bytes(labels, isCounted: isCounted, name: "labels.txt")
    #expect(String(decoding: bytes, as: UTF8.self) == labels.map { $0 + "\n" }.joined())
  }

  static let quoted = [
    ["0 doors", "4 wheels"], ["0 a", "1 b"], ["0: a", "2: b"], ["# a", "b"], ["\"a\"", "\"b\""],
    ["'a'", "'b'", "c"],
    ["cry \"\"", "# b"], ["a, 0", "b, 1"], ["a: 0", "b: 1"], ["names:", "a"], ["- a", "- b"], ["{a}", "b"],
    ["0 a", "1 \"b\""], ["\u{FEFF}a", "b"], ["0", "# x", ""], ["3 cat", "3 dog"],
    ["2 4 1 brick", "1 2 3 plate"], ["cat,128,0,0", "dog,0,1,0"], ["cat:128,0,0::", "dog:0,1,0::"],
    ["cat #800000", "dog #008000"], ["#f00 cat", "#0f0 dog"], ["cat rgb(1, 2, 3)"], ["0:128:0:0:cat"],
    ["cat 128 0 0", "dog 0 128 0"], ["box 200 150 100", "crate 120 80 60"],
    ["n01440764 tench", "n01443537 goldfish"], ["cat (1, 2, 3)", "dog (4, 5, 6)"], ["0 cat", "1", "2 dog"],
    ["0: a", "1:", "2: b"], ["sep=;", "a"], ["<<<<<<< a", "=======", ">>>>>>> b"],
  ]

  @Test(arguments: quoted)
  func `labels that would be read as others are written in quotes`(_ labels: [String]) throws {
    let bytes = try LabelLines.bytes(labels, isCounted: false, name: "labels.txt")
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("\""))
    let map = try LabelMap(parsing: bytes, source: "labels.txt")
    #expect(map.names == labels)
    #expect(map.read(as: labels.count)?.names == labels)
  }

  /// Quoted labels and those of open ranges, as people write them.
  static let files: [(String, [String])] = [
    ("\"0 doors\"\n\"4 wheels\"\n", ["0 doors", "4 wheels"]),
    ("\"1 door\"\n\"2 seats\"\n", ["1 door", "2 seats"]),
    ("\"0 doors\"\n\"4 wheels\"\nlamp\n", ["0 doors", "4 wheels", "lamp"]),
    ("0-2\n3-9\n60 and more\n", ["0-2", "3-9", "60 and more"]),
    ("0 - 2\n3 - 9\n60 and more\n", ["0 - 2", "3 - 9", "60 and more"]),
    ("0 to 2\n3 to 9\n60 and more\n", ["0 to 2", "3 to 9", "60 and more"]),
    ("[\"0 a\", \"1 b\"]", ["0 a", "1 b"]), ("names: ['# a', b]", ["# a", "b"]),
  ]

  @Test(arguments: files, [false, true])
  func `the labels of a file stay the same in a model`(_ file: (String, [String]), _ isCounted: Bool) throws {
    let map = try LabelMap(parsing: Array(file.0.utf8), source: "labels")
    #expect(map.names == file.1)
    let bytes = try LabelLines.bytes(map.names, isCounted: isCounted, name: "labels.txt")
    let read = try LabelMap(parsing: bytes, source: "labels.txt")
    #expect(read.read(as: file.1.count)?.names == file.1)
    if !isCounted { #expect(read.names == file.1) }
  }

  static let unwritable: [([String], String)] = [
    (["0: dog", "1: bird"], "0 is \"0: dog\", and would be read as \"dog\""),
    (["a", "# b", "c"], "1 is \"# b\""),
    (["cat:128,0,0::", "dog:0,1,0::"], "0 is \"cat:128,0,0::\", and would be read as \"cat\""),
    (["a", " b"], "1 is \" b\", and would be read as \"b\""),
  ]

  @Test(arguments: unwritable)
  func `labels that plain lines do not keep are an error with the first of them`(
    _ labels: [String], _ what: String
  ) {
    let error = failure { () throws(MetadataError) in _ = try LabelLines.bytes(labels) }
    #expect(
      error?.message
        == "The labels cannot be written so that they are read back unchanged: that of class \(what)")
    #expect(
      error?.remedy.description
        == "Rename this class: begin its name with a letter, and write no number, sign or space at its ends")
  }

  @Test(arguments: [(["a", "b\nc"], 1), (["a\r", "b"], 0), (["a", "b", "\0"], 2)])
  func `a label that is not a line is an error`(_ labels: [String], _ place: Int) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelLines.bytes(labels, isCounted: true, name: "labels.txt")
    }
    #expect(
      error?.message
        == "The label of class \(place) is \(labels[place].debugDescription), expected one line of text")
    #expect(error?.code == .badLabels)
  }
}
