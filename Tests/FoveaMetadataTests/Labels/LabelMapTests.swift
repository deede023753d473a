// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct LabelMapTests {
  struct ParseCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let names: [String]

    init(_ testDescription: String, _ text: String, _ names: [String], bom: Bool = false) {
      self.testDescription = testDescription
      bytes = (bom ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
      self.names = names
    }
  }

  static let parsed: [ParseCase] = [
    ParseCase("one line", "cat", ["cat"]),
    ParseCase("a line end at the end", "cat\ndog\n", ["cat", "dog"]),
    ParseCase("blank lines at the end", "cat\ndog\n\n \n", ["cat", "dog"]),
    ParseCase("CRLF", "cat\r\ndog\r\n", ["cat", "dog"]),
    ParseCase("a byte order mark", "cat\ndog", ["cat", "dog"], bom: true),
    ParseCase("placeholders and blank lines", "???\ncat\n\ndog", ["???", "cat", "", "dog"]),
    ParseCase("white space around labels", " cat \n\thot  dog\t\r\n", ["cat", "hot  dog"]),
    ParseCase("other scripts", "Čáp\n鳥\n🦜", ["Čáp", "鳥", "🦜"]),
    ParseCase("numbers of Teachable Machine", "0 tshirt\n1 hat\n", ["tshirt", "hat"]),
    ParseCase("numbers from 1", "1 tshirt\n2 hat", ["tshirt", "hat"]),
    ParseCase("numbers and colons", "0: a\n1 :b\n2:c", ["a", "b", "c"]),
    ParseCase("numbers and commas", "0,a, b\n1, c", ["a, b", "c"]),
    ParseCase("numbers and tabs", "0\ta\n1 \t b", ["a", "b"]),
    ParseCase("numbers with zeros before them", "00 a\n01 b", ["a", "b"]),
    ParseCase("names that are numbers", "0 0\n1 1", ["0", "1"]),
    ParseCase("one line with a number", "0 cat", ["cat"]),
    ParseCase("a line without a number", "0 a\n1 b\nc", ["0 a", "1 b", "c"]),
    ParseCase("a blank line among numbers", "0 a\n\n1 b", ["a", "b"]),
    ParseCase("a gap in the numbers", "0 a\n2 b", ["a", "???", "b"]),
    ParseCase("a gap in numbers from 1", "1 a\n3 b", ["1 a", "3 b"]),
    ParseCase("numbers backwards", "1 a\n0 b", ["b", "a"]),
    ParseCase("numbers from 2", "2 a\n3 b", ["2 a", "3 b"]),
    ParseCase("numbers alone", "0\n1\n2", ["0", "1", "2"]),
    ParseCase("a number and a blank", "0 \n1 b", ["0", "1 b"]),
    ParseCase("names that begin with a number", "0a\n1b", ["0a", "1b"]),
    ParseCase("equal names", "1 euro\n2 euro", ["1 euro", "2 euro"]),
    ParseCase("a number too large", "99999999999999999999 a\n1 b", ["99999999999999999999 a", "1 b"]),
  ]

  @Test(arguments: parsed) func `a label file has one label per line`(_ row: ParseCase) throws {
    let map = try LabelMap(parsing: row.bytes, source: "labels.txt")
    #expect(map.names == row.names)
    #expect(map.source == "labels.txt")
    #expect(map.displayNames == nil)
  }

  struct BrokenCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let message: String
    let code: MetadataCode
  }

  static let broken: [BrokenCase] = [
    BrokenCase(testDescription: "empty", bytes: [], message: "labels.txt has no labels", code: .badLabels),
    BrokenCase(
      testDescription: "a line end", bytes: [10], message: "labels.txt has no labels", code: .badLabels),
    BrokenCase(
      testDescription: "blank lines", bytes: [10, 13, 10, 10], message: "labels.txt has no labels",
      code: .badLabels),
    BrokenCase(
      testDescription: "only a byte order mark", bytes: [0xEF, 0xBB, 0xBF],
      message: "labels.txt has no labels",
      code: .badLabels),
    BrokenCase(
      testDescription: "Latin-1", bytes: Array("a\nb\n".utf8) + [0xE9, 10],
      message: "Line 3 of labels.txt is not UTF-8", code: .badLabels),
    BrokenCase(
      testDescription: "UTF-16 without a mark", bytes: [97, 0, 10, 0, 98, 0],
      message: "Line 1 of labels.txt has a NUL byte", code: .badLabels),
    BrokenCase(
      testDescription: "17 MiB", bytes: [UInt8](repeating: 97, count: 17 << 20),
      message: "labels.txt has 17825792 bytes; at most 16777216 are read", code: .tooLarge),
  ]

  @Test(arguments: broken) func `a broken label file is an error`(_ row: BrokenCase) {
    let error = failure { () throws(MetadataError) in try LabelMap(parsing: row.bytes, source: "labels.txt") }
    #expect(error?.message == row.message)
    #expect(error?.code == row.code)
  }

  @Test func `labels that do not fit the output are an error`() throws {
    let map = LabelMap(names: ["a", "b", "c"], source: "labels.txt")
    try map.check(classCount: 3, of: "output 0 'scores'")
    let error = failure { () throws(MetadataError) in try map.check(classCount: 5, of: "output 0 'scores'") }
    #expect(error?.message == "labels.txt has 3 labels, but output 0 'scores' has 5 classes")
    #expect(error?.remedy.description == "Give a label file with 5 lines, one per class")
    for (classes, remedy) in [
      (2, "If the first 2 labels are those of the model, remove the last one; otherwise give a label file"),
      (1, "If the first label is that of the model, remove the others; otherwise give a label file"),
    ] {
      let extra = failure { () throws(MetadataError) in try map.check(classCount: classes, of: "output 0") }
      #expect(extra?.remedy.description.hasPrefix(remedy) == true)
    }
    let one = LabelMap(names: ["a"], source: "x")
    #expect(
      failure { () throws(MetadataError) in try one.check(classCount: 2, of: "output 1") }?.message
        == "x has 1 label, but output 1 has 2 classes")
  }

  @Test func `a folder is not a label file, and a file too large is not read`() throws {
    let folder = try TemporaryFolder()
    let place = failure { () throws(MetadataError) in try LabelMap(contentsOf: folder.path) }
    #expect(place?.message == "'\(folder.path)' is a folder, not a file")
    let path = folder.path + "/large.txt"
    for (count, isRead) in [((1 << 20) + 1, true), ((16 << 20) + 1, false)] {
      try Data([UInt8](repeating: 97, count: count)).write(to: URL(fileURLWithPath: path))
      let error = failure { () throws(MetadataError) in try LabelMap(contentsOf: path) }
      #expect(error?.message == (isRead ? nil : "The file '\(path)' has more than 16777216 bytes"))
      #expect(error?.code == (isRead ? nil : .tooLarge))
    }
  }

  @Test func `the text is the display name if there is one`() {
    let map = LabelMap(names: ["a", "b"], displayNames: ["A", "B"], source: "")
    #expect([-1, 0, 1, 2].map { map.text(for: $0) } == [nil, "A", "B", nil])
    #expect(LabelMap(names: ["a"], source: "").text(for: 0) == "a")
    #expect(LabelMap(names: [], source: "").text(for: .max) == nil)
  }

  @Test func `the metadata leads to class names and display names`() throws {
    let model = try SyntheticModel.rich()
    let output = try #require(try ModelMetadata.read(model)).outputs[1]
    let plain = try #require(try LabelMap.read(for: output, model: model))
    #expect(plain.names == ["cat", "???", "", "dog"])
    #expect(plain.displayNames == nil)
    let english = try #require(try LabelMap.read(for: output, locale: "en", model: model))
    #expect(english.names == plain.names)
    #expect(english.displayNames == ["Cat", "???", "", "Dog"])
    #expect(try LabelMap.read(for: TensorMetadata(), locale: "en", model: model) == nil)
    let error = failure { () throws(MetadataError) in
      try LabelMap.read(for: output, locale: "de", model: model)
    }
    #expect(error?.code == .missingLocale)
    #expect(error?.message == "The model has no labels in the locale 'de'; it has en")
  }

  @Test func `a detector's labels name the values`() throws {
    var output = TensorMetadata(name: "category")
    output.files = [AssociatedFile(name: "map.txt", kind: .valueLabels, locale: "en")]
    var metadata = ModelMetadata()
    metadata.subgraphs = [.init()]
    metadata.subgraphs[0].outputs = [output]
    let model = try MetadataWriter.write(
      metadata, files: [SyntheticModel.file("map.txt", "person\n")], to: SyntheticModel.make())
    #expect(try LabelMap.read(for: output, model: model)?.names == ["person"])
  }

  @Test(arguments: ["", "\n", " \r\n\t\n", "\u{FEFF}"])
  func `a model's own label file without a label is ignored`(_ text: String) throws {
    var output = TensorMetadata(name: "score")
    output.files = [
      AssociatedFile(name: "l.txt", kind: .axisLabels),
      AssociatedFile(name: "e.txt", kind: .axisLabels, locale: "en"),
    ]
    var metadata = ModelMetadata()
    metadata.subgraphs = [.init()]
    metadata.subgraphs[0].outputs = [output]
    let model = try MetadataWriter.write(
      metadata, files: [SyntheticModel.file("l.txt", text), SyntheticModel.file("e.txt", "cat\n")],
      to: SyntheticModel.make())
    #expect(try LabelMap.read(for: output, model: model) == nil)
    let blank = LabelMap.blankFile(for: output, model: model.span)
    #expect(blank?.name == "l.txt" && blank?.isEmpty == text.isEmpty)
    let error = failure { () throws(MetadataError) in
      try LabelMap.read(for: output, locale: "en", model: model)
    }
    #expect(error?.message == "l.txt has no labels" && error?.code == .badLabels)
    for files in [[], [AssociatedFile(name: "e.txt", kind: .axisLabels)]] {
      output.files = files
      let name = LabelMap.blankFile(for: output, model: model.span)?.name
      #expect(name == nil)
    }
    #expect(try LabelMap.read(for: output, model: model)?.names == ["cat"])
  }

  @Test func `label files of different lengths are an error`() throws {
    var output = TensorMetadata(name: "score")
    output.files = [
      AssociatedFile(name: "l.txt", kind: .axisLabels),
      AssociatedFile(name: "e.txt", kind: .axisLabels, locale: "en"),
    ]
    var metadata = ModelMetadata()
    metadata.files = output.files
    let model = try MetadataWriter.write(
      metadata, files: [SyntheticModel.file("l.txt", "a\nb"), SyntheticModel.file("e.txt", "A")],
      to: SyntheticModel.make())
    let error = failure { () throws(MetadataError) in
      try LabelMap.read(for: output, locale: "en", model: model)
    }
    #expect(error?.message == "e.txt has 1 label, but l.txt has 2")
    #expect(error?.code == .countMismatch)
  }

  @Test func `a named file without an archive is an error`() {
    var output = TensorMetadata()
    output.files = [AssociatedFile(name: "l.txt", kind: .axisLabels)]
    let model = SyntheticModel.make()
    let error = failure { () throws(MetadataError) in try LabelMap.read(for: output, model: model) }
    #expect(error?.message == "The metadata names the label file 'l.txt', but no archive follows the model")
  }

  @Test(arguments: ["a", ",", "7", "#", "é"])
  func `a long line is a label, whatever it consists of`(_ sign: String) throws {
    let line = String(repeating: sign, count: 1 << 18)
    for lines in [[line], [line, line + sign]] {
      let map = try LabelMap(parsing: Array(lines.joined(separator: "\n").utf8), source: "labels")
      #expect(map.count == lines.count)
      #expect(map.form == .lines)
      #expect(!map.namesBackground)
      #expect(!map.canFit(5))
    }
  }
}
