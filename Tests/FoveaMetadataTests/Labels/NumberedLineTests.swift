// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Files in which each line has a class number, and labels that only look so.
@Suite struct NumberedLineTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let names: [String]
    let form: LabelForm
    var testDescription: String { String(text.prefix(60)).debugDescription }

    init(_ text: String, _ names: [String], _ form: LabelForm = .numberedLines) {
      (self.text, self.names, self.form) = (text, names, form)
    }
  }

  // MARK: COCO's 91 numbers

  /// The numbers of 1 to 90 that COCO does not use.
  static let unused: Set<Int> = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]

  /// The labels of the numbers 1 to 90, with a string for those that are unused.
  static func coco(_ unused: String) -> [String] {
    (1...90).map { self.unused.contains($0) ? unused : "n\($0)" }
  }

  /// Lines for these labels, without those that are nil.
  static func lines(_ names: [String?], _ sign: String = " ") -> String {
    names.enumerated().compactMap { place, name in name.map { "\(place + 1)\(sign)\($0)\n" } }.joined()
  }

  static let unnamed = ["N/A", "n/a", "NA", "none", "null", "--", "unused", "???", "Background"]

  @Test(arguments: unnamed, [" ", ": ", ",", "\t", " => "])
  func `numbers that COCO does not use may have any name for no object`(_ name: String, _ sign: String) throws
  {
    let map = try LabelMap(parsing: Array(Self.lines(Self.coco(name), sign).utf8), source: "labels")
    #expect(map.form == .numberedLines)
    #expect(map.names == Self.coco(name))
    #expect(try map.fitted(to: 90, of: "'m'").names == Self.coco(name))
    #expect(map.read(as: 91)?.names == ["???"] + Self.coco(name))
  }

  static let dropped: [(String, String)] = [
    ("no line", lines(coco("").map { $0.isEmpty ? nil : $0 })), ("only a number", lines(coco(""))),
    ("a number and a colon", lines(coco(""), ":")), ("a number and a comma", lines(coco(""), ",")),
    ("a number and an arrow", lines(coco(""), " -> ")), ("empty quotes", lines(coco("\"\""), ": ")),
    ("a dash", lines(coco("-"))),
  ]

  @Test(arguments: dropped)
  func `numbers that COCO does not use may have no name`(_ what: String, _ text: String) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    let names = Self.coco("???")
    #expect(map.form == .numberedLines)
    #expect(map.names == names)
    #expect(try map.fitted(to: 90, of: "'m'").names == names)
    #expect(try map.fitted(to: 80, of: "'m'").names == names.filter { $0 != "???" })
  }

  // MARK: Comments and signs

  static let forms = [
    Row("0 a\n# x\n1 b", ["a", "b"]), Row("0 a\n#x\n1 b", ["a", "b"]), Row("0 a\n1 b\n# x", ["a", "b"]),
    Row("0 a\n// x\n1 b\n;x\n2 c", ["a", "b", "c"]), Row("#\n0 a\n#\n1 b\n2 c", ["a", "b", "c"]),
    Row("#0 is the first\n0: a\n1: b", ["a", "b"]), Row("# x\nid label\n#x\n0 a\n1 b", ["a", "b"]),
    Row("0,a\n#x\n1,b", ["a", "b"]), Row("a,0\n#x\nb,1", ["a", "b"], .table),
    Row("id,label\n0,a\n#x\n1,b", ["a", "b"], .table),
    Row("\"0\",\"a\"\n#x\n\"1\",\"b\"", ["a", "b"], .table),
    // Each is a class, even if it begins as a comment.
    Row("#1 seed\n#2 seed", ["#1 seed", "#2 seed"], .lines),
    Row("#room 7,red\n#room 8,green", ["#room 7,red", "#room 8,green"], .lines),
    Row("0 => person\n1 => car", ["person", "car"]), Row("0=>person\n1=>car", ["person", "car"]),
    Row("0 -> person\n1 -> car", ["person", "car"]), Row("0->person\n1->car", ["person", "car"]),
    Row("0 – person\n1 – car", ["person", "car"]), Row("0 — person\n1 — car", ["person", "car"]),
    Row("0 → person\n1 → car", ["person", "car"]), Row("0 ⇒ person\n1 ⇒ car", ["person", "car"]),
    Row("0 := person\n1 := car", ["person", "car"]), Row("0 :: person\n1 :: car", ["person", "car"]),
    Row("0\t=>\tperson\n1\t=>\tcar", ["person", "car"]), Row("[0] => person\n[1] => car", ["person", "car"]),
    Row("0 => 'person',\n1 => 'car',", ["person", "car"]), Row("2 -> c\n0 -> a\n1 -> b", ["a", "b", "c"]),
    Row("0 : person\n1 : car", ["person", "car"]), Row("0 – 'person'\n1 – \"car\"", ["person", "car"]),
    Row("(2) c\n(0) a\n(1) b", ["a", "b", "c"]), Row("2\u{A0}c\n0\u{A0}a\n1\u{A0}b", ["a", "b", "c"]),
    Row("2\u{3000}c\n0\u{2003}a\n1\u{2007}b", ["a", "b", "c"]),
    Row("\"2\": \"c\",\n\"0\": \"a\",\n\"1\": \"b\"", ["a", "b", "c"]),
    Row("'2': 'c',\n'0': 'a',\n'1': 'b',", ["a", "b", "c"]), Row("\"1\" => b\n\"0\" => a", ["a", "b"]),
    Row("id=2 name=c d\nid=0 name=a\nid=1 name=b", ["a", "b", "c d"]),
    Row("id: 1, label: \"b\"\nid: 0, label: \"a\"", ["a", "b"]),
    Row("name=c d id=2\nname=a id=0\nname=b id=1", ["a", "b", "c d"]),
    // The number is last.
    Row("c d 2\na 0\nb 1", ["a", "b", "c d"]), Row("/a/x 0\n/a/y 1\n/b/z 2", ["/a/x", "/a/y", "/b/z"]),
    Row("c=3\na=1\nb=2", ["a", "b", "c"]), Row("c = 2,\na = 0,\nb = 1,", ["a", "b", "c"]),
    Row("c\u{A0}2\na\u{A0}0\nb\u{A0}1", ["a", "b", "c"]), Row("c (2)\na (0)\nb (1)", ["a", "b", "c"]),
    Row("c => 2\na => 0\nb => 1", ["a", "b", "c"]), Row("name id\nc 2\na 0\nb 1", ["a", "b", "c"]),
    Row("c - 2\na - 0\nb - 1", ["a", "b", "c"]), Row("a – 0\nb – 1\nc – 2", ["a", "b", "c"]),
    Row("c — 2\na 0\nb . 1", ["a", "b", "c"]), Row("c :: 2\na :: 0\nb :: 1", ["a", "b", "c"]),
    Row("c,(2)\na,(0)\nb,(1)", ["a", "b", "c"]),
    Row("2: c;\n0: a;\n1: b;", ["a", "b", "c"]), Row("c 2,\na 0,\nb 1,", ["a", "b", "c"]),
    Row("a;\nb;\nc;", ["a", "b", "c"], .lines), Row("2;c;\n0;a;\n1;b;", ["a", "b", "c"]),
    Row("2,85 c\n0,17 a\n1,33 b", ["17 a", "33 b", "85 c"]),
    Row("c::2\na::0\nb::1", ["a", "b", "c"]), Row("c - (2)\na - (0)\nb - (1)", ["a", "b", "c"]),
    Row("m1 - 0\nm2 - 1\nroute 66 - 2", ["m1", "m2", "route 66"]),
    Row("age 0 - 1\nage 1 - 2\nage 2 - 3", ["age 0 - 1", "age 1 - 2", "age 2 - 3"], .lines),
    // A dash for a label, unless the labels are signs.
    Row("0,a\n1,-\n2,c", ["a", "???", "c"]), Row("0;a\n1;–\n2;c", ["a", "???", "c"]),
    Row("0: a\n1: -\n2: c", ["a", "???", "c"]), Row("0\ta\n1\t-\n2\tc", ["a", "???", "c"]),
    Row("0,a\n1,-\n3,c", ["a", "???", "???", "c"]), Row("0,+\n1,-\n2,*", ["+", "-", "*"]),
    // Signs below the header of a table.
    Row("ID Name\n-- ----\n2 c\n0 a\n1 b", ["a", "b", "c"]),
    Row("ID Name\n== ====\n0  a\n1  b\n2  c", ["a", "b", "c"]),
    Row("id,name\n---,---\n2,c\n0,a\n1,b", ["a", "b", "c"], .table),
    Row("label\n--\na\nb", ["label", "--", "a", "b"], .lines),
    // Names for no object have a number too.
    Row("c 2\na 0\n??? 1", ["a", "???", "c"]), Row("???=2\na=0\n???=1", ["a", "???", "???"]),
    Row("N/A (2)\na (0)\n-- (1)", ["a", "--", "N/A"]),
    Row("* 1\n** 2\n*** 3", ["* 1", "** 2", "*** 3"], .lines),
    // Numbers behind or before an id.
    Row("n02119789 1 kit fox\nn02100735 2 dog", ["kit fox", "dog"]),
    Row("n01440764\t1\tdog\nn01443537\t0\tcat", ["cat", "dog"]),
    Row("1: n01440764 dog\n0: n01443537 cat", ["cat", "dog"]),
    Row("0,/m/01,cat\n1,/m/02,\"dog, big\"", ["cat", "dog, big"]),
    Row("n01440764: cat\nn01443537: dog", ["cat", "dog"], .lines),
    // Only a number is behind the id, which is the name.
    Row("n01440764 0\nn01443537 1\nn01484850 2", ["n01440764", "n01443537", "n01484850"]),
    Row("n01484850 2\nn01440764 0\nn01443537 1", ["n01440764", "n01443537", "n01484850"]),
    Row("n01443537 1\nn01440764 0", ["n01440764", "n01443537"]),
    Row("/m/01 1\n/m/02 2\n/m/03 3", ["/m/01", "/m/02", "/m/03"]),
    // A number without a label, in any order.
    Row("id,name\n2,c\n0,a\n1", ["a", "???", "c"]),
    Row("boeing 707\nboeing 737\nairbus 320", ["boeing 707", "boeing 737", "airbus 320"], .lines),
    Row("class 0\nclass 1\nclass 2", ["class 0", "class 1", "class 2"], .lines),
    Row("a 1\nb 2\nc", ["a 1", "b 2", "c"], .lines), Row("mark 1\nii 2", ["mark 1", "ii 2"], .lines),
    // A sign needs a space if it may be part of a label.
    Row("0–2\n3–9", ["0–2", "3–9"], .lines), Row("1—a\n2—b", ["1—a", "2—b"], .lines),
    Row("person => 0\ncar => 2", ["person => 0", "car => 2"], .lines),
  ]

  @Test(arguments: forms)
  func `comments between numbered lines are ignored, and any usual sign follows a number`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
    #expect(try map.fitted(to: row.names.count, of: "'m'").names == row.names)
  }

  // MARK: Background

  static let backgrounds = [
    Row("0 cat\n1 dog\n2 bird\nbackground", ["cat", "dog", "bird", "background"]),
    Row("0: cat\n1: dog\n2: bird\n---", ["cat", "dog", "bird", "---"]),
    Row("0,cat\n1,dog\n2,bird\n\n???\n", ["cat", "dog", "bird", "???"]),
    Row("id label\n0 cat\n1 dog\n2 bird\n__background__", ["cat", "dog", "bird", "__background__"]),
    Row("0 cat\n1 dog\n2 bird\nnone", ["cat", "dog", "bird", "none"]),
    Row("cat 0\ndog 1\nbird 2\nbackground", ["cat", "dog", "bird", "background"]),
    Row("\"cat\",0\n\"dog\",1\n\"bird\",2\nbackground", ["cat", "dog", "bird", "background"]),
    Row("cat=0\ndog=1\nbird=2\nbackground", ["cat", "dog", "bird", "background"]),
    Row("cat (0)\ndog (1)\nbird (2)\n???", ["cat", "dog", "bird", "???"]),
    Row("n01440764 0\nn01443537 1\nn01484850 2\nnone", ["n01440764", "n01443537", "n01484850", "none"]),
    Row("n01440764 0 cat\nn01443537 1 dog\nbackground", ["cat", "dog", "background"]),
    // Names that hold their numbers, and a name of an object.
    Row("opus 1\nsonata 2\nrondo 3\nnone", ["opus 1", "sonata 2", "rondo 3", "none"], .lines),
    Row("1 egg\n2 loaves\nnone", ["1 egg", "2 loaves", "none"], .lines),
    Row("0 doors\n4 wheels\nbackground", ["0 doors", "4 wheels", "background"], .lines),
    Row("0 cat\n1 dog\nbird", ["0 cat", "1 dog", "bird"], .lines),
  ]

  @Test(arguments: backgrounds)
  func `a background without a number may follow numbered lines`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.form == row.form)
    #expect(try map.fitted(to: row.names.count, of: "'m'").names == row.names)
    guard row.form == .numberedLines else { return }
    #expect(try map.fitted(to: row.names.count - 1, of: "'m'").names == row.names.dropLast())
  }

  static let firsts = [
    "background\n0: cat\n1: dog\n2: bird", "dummy\n0 cat\n1 dog\n2 bird", "background\ncat 0\ndog 1\nbird 2",
    "???\ncat=0\ndog=1\nbird=2",
  ]

  @Test(arguments: firsts)
  func `a background without a number may precede numbered lines from 0`(_ text: String) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    let names = ["cat", "dog", "bird"]
    #expect(map.counts == [3, 4])
    #expect(try map.fitted(to: 3, of: "'m'").names == names)
    let first = try #require(text.split(separator: "\n").first)
    #expect(try map.fitted(to: 4, of: "'m'").names == [String(first)] + names)
  }

  @Test func `a background before numbers in another order is none of their classes`() throws {
    let map = try LabelMap(parsing: Array("background\n2: bird\n0: cat\n1: dog".utf8), source: "labels")
    #expect(map.counts == [3] && map.names == ["cat", "dog", "bird"])
  }

  static let tables = [
    "2,bird,17\n0,cat,250\n1,dog,31", "0,cat,250\n1,dog,31", "2,17,bird\n0,250,cat\n1,31,dog",
    "2;bird;17\n0;cat;250\n1;dog;31", "2|bird|17\n0|cat|250\n1|dog|31",
    "2\tbird\t17\n0\t???\t250\n1\tdog\t31", "2,2,bird\n0,0,cat\n1,1,dog",
    "2, bird, 17\n0, cat, 250\n1, dog, 31", "2,0.85,bird\n0,0.17,cat\n1,0.3,dog",
    "1,bird,animal\n0,cat,animal", "2,\"bird, big\",17\n0,cat,250\n1,dog,31",
  ]

  @Test(arguments: tables)
  func `columns of other numbers need a header`(_ text: String) throws {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.message.hasPrefix("labels has columns without a header: line 1 is '") == true)
    let lines = text.split(separator: "\n")
    let sign = try #require(lines[0].first { ",;|\t".contains($0) })
    let isLabelLast = lines[0].last?.isLetter == true
    let header = (isLabelLast ? ["id", "other", "label"] : ["id", "label", "other"]).joined(
      separator: "\(sign)")
    let map = try LabelMap(parsing: Array("\(header)\n\(text)".utf8), source: "labels")
    #expect(map.form == .table && ["cat", "???"].contains(map.names[0]))
  }

  @Test(arguments: [
    "2:bird:17\n0:cat:250\n1:dog:31",
    "2 - bird - 17\n0 - cat - 250\n1 - a - 3",
  ])
  func `columns of numbers behind other signs are an error`(_ text: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.message.hasPrefix("labels has columns without a header: line 1 is '") == true)
    #expect(
      error?.remedy.description
        == "Write only the class number and the label in each line, or the labels in quotes if they contain"
        + " the rest")
  }

  @Test(arguments: [
    "0: cat,250\n1: dog,31", "0,1,4-dioxane\n1,2,4-xylenol", "0,limit, 30\n1,limit, 50",
    "0 boeing 737\n1 cat\n2 route 66", "0 boeing 737\n1 airbus 320\n2 cessna 172",
    "0 Audi S4 Sedan 2012\n1 BMW X5 SUV 2007\n2 Fiat 500 Abarth 2012",
    "0 tench, Tinca tinca\n1 goldfish, Carassius auratus", "0: windows 95\n1: windows 98\n2: windows 10",
  ])
  func `signs and numbers of labels are no columns`(_ text: String) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.form == .numberedLines)
  }

  @Test func `numbers from 1 above a background leave its class open`() throws {
    let map = try LabelMap(parsing: Array("1 cat\n2 dog\n3 bird\nbackground".utf8), source: "labels")
    let fitted = try map.fitted(to: 3, of: "'m'")
    #expect(fitted.names == ["cat", "dog", "bird"])
    #expect(fitted.remarks == ["numbered from 1", "without the background"])
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: 4, of: "'m'") }
    #expect(
      error?.remedy.description
        == "Add the missing label with its number: 4 for the last class, 0 for a background")
  }

  // MARK: Quotes

  static let quoted = [
    Row("\"a\"\n\"b\"\nc", ["a", "b", "c"], .lines), Row("a\n\"b\"\n\"c\"", ["a", "b", "c"], .lines),
    Row("'a'\n'b'\nc", ["a", "b", "c"], .lines), Row("'a'\n\"it's\"\n'c'", ["a", "it's", "c"], .lines),
    Row("\"a\"\n\n\"b\"\nN/A\n\"c\"", ["a", "", "b", "N/A", "c"], .lines),
    Row("\"a\",\n\"b\",\nnull,\n\"c\"", ["a", "b", "null", "c"], .lines),
    Row("a\n\"cry \"\"b\"\"\"\nc", ["a", "cry \"b\"", "c"], .lines),
    Row("\"a\"\n12\n\"b\"", ["a", "12", "b"], .lines),
    Row("\"0 doors\"\n\"4 wheels\"\nlamp", ["0 doors", "4 wheels", "lamp"], .lines),
    // Quotes around one label of several may belong to it.
    Row("\"a\"\nb\nc", ["\"a\"", "b", "c"], .lines), Row("'a'\nb", ["'a'", "b"], .lines),
    Row("'s\nrock 'n' roll\n'tis", ["'s", "rock 'n' roll", "'tis"], .lines),
    Row("6\"\n8\"\n10\"", ["6\"", "8\"", "10\""], .lines),
  ]

  @Test(arguments: quoted)
  func `quotes around most labels do not belong to them`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
  }

  static let fields = [
    Row("\"0\",\"person\"\n\"1\",\"car\"", ["person", "car"], .table),
    Row("\"0\", \"person\"\n\"1\", \"car\"", ["person", "car"], .table),
    Row("\"1\";\"person\"\n\"2\";\"car\"", ["person", "car"], .table),
    Row("\"1\"\t\"person\"\n\"0\"\t\"car\"", ["car", "person"], .table),
    Row("\"person\",\"0\"\n\"car\",\"1\"", ["person", "car"], .table),
    Row("\"0\",\"a, b\"\n\"1\",\"c \"\"d\"\"\"", ["a, b", "c \"d\""], .table),
    Row("\"0\",person\n\"1\",car", ["person", "car"], .table),
    Row("0,\"person\"\n1,\"car\"", ["person", "car"]),
    Row("\"0\",\"person\",\"1\"\n\"1\",\"car\",\"1\"", ["person", "car"], .table),
    Row("\"0\",\"person\",\"\"\n\"1\",\"car\",\"\"", ["person", "car"], .table),
    Row("\"n01\",\"1\",\"person\"\n\"n01\",\"2\",\"car\"", ["person", "car"], .table),
    // No column has unique class numbers, or several may have the labels.
    Row("\"0,5\"\n\"1,5\"", ["0,5", "1,5"], .lines),
  ]

  @Test(arguments: fields)
  func `quoted fields need no header if a column has the class numbers`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
    #expect(try map.fitted(to: row.names.count, of: "'m'").names == row.names)
  }

  @Test func `quoted fields with several columns that may have the labels are an error`() {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(
        parsing: Array("\"0\",\"cat\",\"Katze\"\n\"1\",\"dog\",\"Hund\"".utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    #expect(error?.message == "labels has 2 columns that may have the labels: 'cat', 'Katze'")
    // A class without a name does not make the other column the labels.
    let blank = failure { () throws(MetadataError) in
      _ = try LabelMap(
        parsing: Array("\"1\",\"cat\",\"n1x\"\n\"0\",\"\",\"n2x\"".utf8), source: "labels")
    }
    #expect(blank?.message == "labels has 2 columns that may have the labels: 'cat', 'n1x'")
  }

  // MARK: Gaps

  private static func gaps(_ count: Int) -> [String] { Array(repeating: "???", count: count) }

  /// The labels at the classes 0, 2 and 7.
  static let sparse = ["zero", "???", "two"] + gaps(4) + ["seven"]

  static let gapped = [
    Row("0 person\n2 car", ["person", "???", "car"]), Row("0 zero\n2 two\n7 seven", sparse),
    Row("0 zero\n2 two\n\n7 seven\n", sparse), Row("# x\n0 zero\n#x\n2 two\n7 seven", sparse),
    Row("0: zero\n2: two\n7: seven\n", sparse), Row("000\tzero\n002\ttwo\n007\tseven", sparse),
    Row("[0] zero\n[2] two\n[7] seven", sparse), Row("0,zero\n2,two\n7,seven", sparse),
    Row("0 - zero\n2 - two\n7 - seven", sparse), Row("0 => zero\n2 => two\n7 => seven", sparse),
    Row("0  zero\n2  two\n7  seven", sparse), Row("0) zero\n2) two\n7) seven", sparse),
    Row("1: one\n7: seven", ["one"] + gaps(5) + ["seven"]),
    Row("1  one\n7  seven", ["one"] + gaps(5) + ["seven"]),
    Row("1\tperson\n3\tcar", ["person", "???", "car"]),
    Row("label\n0 zero\n2 two\n7 seven", sparse), Row("id label\n0 zero\n2 two\n7 seven", sparse),
    Row("0 zero\n1 N/A\n4 four\n20 twenty", ["zero", "N/A"] + gaps(2) + ["four"] + gaps(15) + ["twenty"]),
    Row("0.0,zero\n2.0,two\n7.0,seven", sparse, .table), Row("zero,0\ntwo,2\nseven,7", sparse, .table),
    Row("\"0\",\"zero\"\n\"2\",\"two\"\n\"7\",\"seven\"", sparse, .table),
    Row("zero: 0\ntwo: 2\nseven: 7", sparse, .yaml),
  ]

  @Test(arguments: gapped)
  func `a class that numbered lines leave out has no label`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
    #expect(map.doubtfulLines == [])
    #expect(try map.fitted(to: row.names.count, of: "'m'").names == row.names)
  }

  static let own = [
    // Ages, the last class without an end.
    "0-2\n3-9\n60 and more", "0 - 2\n3 - 9\n60 and more", "0 – 2\n3 – 9\n60 and more",
    "0 to 2\n3 to 9\n60 and more", "0 bis 2\n3 bis 9\n60 und mehr", "0 - 2 years\n3 - 9 years\n10 - 19 years",
    "0 - 1 years\n2 - 3 years\n4 - 5 years", "0 - 1 years\n2 - 3 years\n4 and more",
    "0-2 years\n3-9 years\n60+ years", "0 to 2 years\n3 to 9 years\n10 to 19 years\n60 or more",
    "0 or less\n1 to 5\n6 or more", "0 or less\n10 or more", "1 to 5\n6 to 10\n11 and more",
    "1: 0 to 2 years\n4: 3 to 9 years", "0 years\n18 years or more",
    // Quantities.
    "1 door\n4 wheels\n9 lamps", "2 wheeler\n7 seater", "3 musketeers\n7 dwarfs", "1 door\n4 doors\nhatch",
    "1 cent\n5 cent\n1 euro\n5 euro", "1 star\n3 star\n5 star", "0 A4\n5 B5", "0.5 litre\n1.5 litre",
    "\"0 doors\"\n\"4 wheels\"", "'0 a'\n'1 b'\n'2 c'",
    // No order of classes.
    "7 seven\n0 zero\n2 two", "car\n1 wheeler\n3 wheeler", "stop, 1\nlimit, 30\nend, 50", "0 a\n100000 b",
    "cat,1\ndog,30\nowl,7",
  ]

  @Test(arguments: own)
  func `numbers that belong to the labels stay`(_ text: String) throws {
    let names = text.replacing("\"", with: "").replacing("'", with: "").split(separator: "\n").map(
      String.init)
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.names == names)
    #expect(map.form == .lines)
    #expect(try map.fitted(to: names.count, of: "'m'").names == names)
  }

  // MARK: Forms that are not known

  static let unread: [(text: String, lines: String)] = [
    ("2-c\n0-a\n1-b", "line 1 is '2-c', line 2 is '0-a'"), ("1/b\n0/a", "line 1 is '1/b', line 2 is '0/a'"),
    ("2.c\n0.a\n1.b", "line 1 is '2.c', line 2 is '0.a'"),
    ("02.c\n00.a\n01.b", "line 1 is '02.c', line 2 is '00.a'"),
    ("#2 c\n#0 a\n#1 b", "line 1 is '#2 c', line 2 is '#0 a'"),
    ("2c\n0a\n1b", "line 1 is '2c', line 2 is '0a'"),
    ("class 2: c\nclass 0: a\nclass 1: b", "line 1 is 'class 2: c', line 2 is 'class 0: a'"),
    ("2：c\n0：a\n1：b", "line 1 is '2：c', line 2 is '0：a'"),
    ("<2> c\n<0> a\n<1> b", "line 1 is '<2> c', line 2 is '<0> a'"),
    ("2.0 c\n0.0 a\n1.0 b", "line 1 is '2.0 c', line 2 is '0.0 a'"),
    ("c_3\na_1\nb_2", "line 1 is 'c_3', line 2 is 'a_1'"),
    ("2 *\n0 -\n1 +", "line 1 is '2 *', line 2 is '0 -'"),
    ("a_2\nb_0\nc_1", "line 1 is 'a_2', line 2 is 'b_0'"),
    // With gaps, among 20 lines or more, and in a column of their own.
    (
      (0..<30).reversed().filter { $0 != 7 }.map { "\($0)-n\($0)x\n" }.joined(),
      "line 1 is '29-n29x', line 2 is '28-n28x'"
    ),
    ("4,c\n7,a\n2,b", "line 1 is '4,c', line 2 is '7,a'"),
    // With classes without a name.
    ("c 2 17\n??? 0 250\nb 1 31", "line 1 is 'c 2 17', line 2 is '??? 0 250'"),
    // Among other columns, and next to colours.
    ("c,2,17\na,0,250\nb,1,31", "line 1 is 'c,2,17', line 2 is 'a,0,250'"),
    ("17,2,c\n250,0,a\n31,1,b", "line 1 is '17,2,c', line 2 is '250,0,a'"),
    ("0 0 128 c 2\n128 0 0 a 0\n0 128 0 b 1", "line 1 is 'c 2', line 2 is 'a 0'"),
    // Joined to another number.
    ("cls2/2:c\ncls0/0:a\ncls1/1:b", "line 1 is 'cls2/2:c', line 2 is 'cls0/0:a'"),
    ("cls2,85 c\ncls0,17 a\ncls1,33 b", "line 1 is 'cls2,85 c', line 2 is 'cls0,17 a'"),
    ("2,4-c\n1,4-a\n3,5-b", "line 1 is '2,4-c', line 2 is '1,4-a'"),
    ("c class_2-85\na class_0-17\nb class_1-33", "line 1 is 'c class_2-85', line 2 is 'a class_0-17'"),
    ("c 3,85\na 0,17\nb 1,33\nd 2,9", "line 1 is 'c 3,85', line 2 is 'a 0,17'"),
    ("c::id:2\na::id:0\nb::id:1", "line 1 is 'c::id:2', line 2 is 'a::id:0'"),
    ("2-85 c\n0-17 a\n1-33 b", "line 1 is '2-85 c', line 2 is '0-17 a'"),
    ("c_2:0,0,128::\na_0:128,0,0::\nb_1:0,128,0::", "line 1 is 'c_2', line 2 is 'a_0'"),
  ]

  @Test(arguments: unread)
  func `class numbers in a form that is not known are an error unless they are in order`(
    _ text: String, _ lines: String
  ) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    #expect(
      error?.message
        == "labels has a number in each line, like those of classes, but not in their order and not in a form"
        + " that is known: \(lines)")
  }

  /// Lines without a number among the others, the number of these lines, and the first two with a number.
  static let unnumbered: [(text: String, count: String, lines: String, also: String)] = [
    ("names\nc#2\na#0\nb#1", "one", "line 2 is 'c#2', line 3 is 'a#0', line 1 is 'names'", ""),
    (
      "2 c\n0 a\n1 b\nbackground", "one", "line 1 is '2 c', line 2 is '0 a', line 4 is 'background'",
      ", also in line 4"
    ),
    (
      "2 c\n0 a\n1 b\nd", "one", "line 1 is '2 c', line 2 is '0 a', line 4 is 'd'", ", also in line 4"
    ),
    (
      "c,2\na,0\nb,1\n-----", "one", "line 1 is 'c,2', line 2 is 'a,0', line 4 is '-----'",
      ", also in line 4"
    ),
    (
      "names\nbackground\nc#2\na#0\nb#1", "2", "line 3 is 'c#2', line 4 is 'a#0', line 1 is 'names'",
      ", also in line 2"
    ),
  ]

  @Test(arguments: unnumbered)
  func `the error for class numbers shows a line without one`(
    _ text: String, _ count: String, _ lines: String, _ also: String
  ) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(
      error?.message
        == "labels has a number in each line but \(count), like those of classes, but not in their order and not"
        + " in a form that is known: \(lines)")
    #expect(
      error?.remedy.description
        == "Write the class number and a space before each label, as in '0 cat'\(also), or the labels in quotes"
        + " if the numbers belong to them")
  }

  static let separators = [
    " ", "\t", ",", ";", ": ", ":", " - ", " | ", "|", "/", " = ", "=", ") ", ". ", "  ", "、", "：", " ~ ",
  ]

  /// The lines of classes in another order than their numbers.
  static func shuffled(_ separator: String, _ parts: (Int, String) -> [String], _ unnamed: String) -> String {
    [(3, "dog"), (0, "cat"), (2, unnamed), (1, unnamed), (4, "cow")].map { number, name in
      parts(number, name).joined(separator: separator)
    }.joined(separator: "\n")
  }

  @Test(arguments: separators, ["???", "N/A", "background", "none", "", "dog"])
  func `class numbers next to another column, or nameless classes, never give way to the order of lines`(
    _ separator: String, _ unnamed: String
  ) {
    let columns: [(Int, String) -> [String]] = [
      { ["\($0)", $1, "x"] }, { [$1, "\($0)", "x"] }, { ["x", "\($0)", $1] }, { ["x", $1, "\($0)"] },
      { ["\($0)", $1, "x\($0 * 7)"] }, { [$1, "\($0)", "\(17 + $0 * $0)"] }, { ["\($0)", $1] },
      { [$1, "\($0)"] },
    ]
    for parts in columns {
      let text = Self.shuffled(separator, parts, unnamed)
      guard let map = try? LabelMap(parsing: Array(text.utf8), source: "labels") else { continue }
      let names = map.names
      #expect(
        names.count == 5 && names[0].contains("cat") && names[3].contains("dog") && names[4].contains("cow"),
        "\(text.debugDescription)")
    }
  }

  static let columns = [
    "2,bird,animal\n0,???,animal\n1,???,animal", "2 bird x\n0 N/A x\n1 N/A x",
    "bird;2;17\n;0;250\ndog;1;31", "bird\t2\t17\n\t0\t250\ndog\t1\t31",
    "bird (2) x\n??? (0) x\n??? (1) x", "bird id=2;\n??? id=0;\n??? id=1;",
    "3: dog\n0: cat\n2: dog\n1: cat\n4: cow", "3,dog\n0,cat\n2,dog\n1,cat\n4,cow",
    "3 dog\n0 cat\n2 dog\n1 cat\n4 cow", "dog 3\ncat 0\ndog 2\ncat 1\ncow 4",
    "3: dog\n0: cat\n2: dog\n1: cat", "\"3\" dog x\n\"0\" cat x\n\"1\" ??? x\n\"2\" ??? x",
    "9,cat,x\n3,dog,x\n7,???,x", "n01440764 2 c x\nn01443537 0 a x\nn01484850 1 a x",
    "/m/01yrx 2 c x\n/m/0k4j 0 a x\n/m/01 1 a x", "r2 unit 2 c\nc3 unit 0 a\nbb unit 1 b",
    "2 c\n0 a\n1 b\nd",
    // Digits of other scripts.
    "２ bird\n０ cat\n１ dog", "bird ２\ncat ０\ndog １", "٢ bird\n٠ cat\n١ dog", "② bird\n⓪ cat\n① dog",
    "３、鳥\n１、猫\n２、犬", "２ Vogel\n０ Katze\n１ Hund", "२ bird\n० cat\n१ dog", "③bird\n①cat\n②dog",
    // Of several scripts.
    "２ bird\n0 cat\n1 dog", "1 dog\n0 cat\n٢ bird", "１ bird\n0 cat\n2 dog", "bird ٢\ncat 0\ndog １",
  ]

  @Test(arguments: columns)
  func `numbers of classes in any column and any digits are an error unless they are in order`(
    _ text: String
  ) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    #expect(error?.message.hasPrefix("labels has a number in each line") == true)
  }

  @Test func `labels of one name are best written without their numbers`() {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array("3: dog\n0: cat\n2: dog\n1: cat\n4: cow".utf8), source: "labels")
    }
    #expect(
      error?.remedy.description
        == "Write the labels without numbers in the order of the classes, or the labels in quotes if the numbers"
        + " belong to them")
  }

  static let disordered: [(String, [Int])] = [
    ("4: c\n0: a\n2: b", [5]), ("2 c\n0 a\n1 b\n\n", [3]), ("label\n2 c\n0 a\n1 b", [3]),
    ("9: c\n3: a\n7: b", [9, 10]), ("40 - c\n0 - a\n20 - b", [41]), ("4) c\n3) a\n2) b", [4, 5]),
    ("4 c\n0 a\n2 b", [5, 3]), ("3,7,9\n1,2,4\n5,6,7", [5, 6, 3]),
  ]

  @Test(arguments: disordered)
  func `lines in another order than their numbers are not labels as a whole`(
    _ text: String, _ counts: [Int]
  ) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "labels").counts == counts)
  }

  @Test(arguments: ["r2d2\nc3po\nbb1", "economy class 0\nbusiness class 1\nfirst class 2"])
  func `names that only seem to have class numbers are kept with numbers before them or in quotes`(
    _ text: String
  ) throws {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    let names = text.split(separator: "\n").map(String.init)
    let numbered = names.enumerated().map { "\($0) \($1)" }.joined(separator: "\n")
    let quoted = names.map { "\"\($0)\"" }
    let members = quoted.enumerated().map { "\"\($0)\": \($1)" }
    let map = "{\(members.joined(separator: ", "))}"
    for remedied in [numbered, quoted.joined(separator: "\n"), map] {
      #expect(try LabelMap(parsing: Array(remedied.utf8), source: "labels").names == names)
    }
  }

  static let between = [
    "c ~ 2\na ~ 0\nb ~ 1", "2 ~ c\n0 ~ a\n1 ~ b", "a # 0\nb # 1\nc # 2", "0 # a\n1 # b\n2 # c",
    "c * 2\na * 0\nb * 1", "2 * c\n0 * a\n1 * b", "c > 2\na > 0\nb > 1", "0 > a\n1 N/A\n2 > c",
    "c / 2\na / 0\nb / 1", "2 / c\n0 / a\n1 / b", "c No. 2\na No. 0\nb No. 1", "a id 0\nb id 1\nc id 2",
    "* c: 2\n* a: 0\n* b: 1", "2 of 3: c\n0 of 3: a\n1 of 3: b", "c (2) [2]\na (0) [0]\nb (1) [1]",
    "c class 2\na class 0\nb class 1", "c ID:2\na ID:0\nb ID:1", "b ID: 1\na ID: 0",
  ]

  @Test(arguments: between)
  func `signs and words that are not known are an error on both sides of the label`(_ text: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    let lines = text.split(separator: "\n")
    #expect(error?.code == .badLabels)
    #expect(
      error?.message
        == "labels has a number in each line, like those of classes, but not in a form that is known: line 1 is"
        + " '\(lines[0])', line 2 is '\(lines[1])'")
  }

  static let kept = [
    "0-a\n1-b\n2-c", "class_1\nclass_10\nclass_2", "n2\nn0\nn1", "1\n10\n2", "2\n0\n1", "2-way\n1-way\n3-way",
    "2.5 l\n1.5 kg\n0.33 t", "6-9 years\n0-2 months\n3-5 weeks", "2:1\n1:1\n3:2",
    "1_a\n10_b\n2_c\n3_d\n4_e\n5_f\n6_g\n7_h\n8_i\n9_j",
    "Acura TL Sedan 2012\nAudi S4 Sedan 2007\nBMW 3 Series Sedan 2012\nDodge Ram 1500 2009",
    "Boeing 737-800\nBoeing 707-320\nAirbus A320-200\nCessna 172-3", "n01484850\nn01440764\nn01443537",
    "7\n3\n9\n1\n0\n2\n4\n5\n6\n8", "B-AB 1234\nM-XY 77\nHH-QQ 9", "01.03.2020\n02.01.2021\n03.02.2022",
    "2020-03-01\n2021-01-02\n2022-02-03", "class_2\nclass_10\nclass_1", "iPhone 3\niPhone 1\niPhone 2",
    "三文鱼\n一品锅\n二锅头", "２：１\n１：１\n３：２", "20 euro\n5 euro\n10 euro\n2 euro", "②\n⓪\n①",
    "M3 screw\nM2 nut\nM5 bolt", "A1\nB2\nA2\nB1\nC1", "CO²\nm²\nkm²",
    "route 66\nboeing 737\n1 cent", "7-Eleven\n2,4-D\n24/7 shop", "A1 road\nB2 road\nA3 street",
    "windows 95/98\nwindows 3\nmac 9", "2-3 weeks\n0-1 hours\n1-2 days", "7路公交\n3号线\nغرفة 2",
    "\"2-door\"\n\"1-seater\"", "b 2\na 1", "2-door", "a2\nb4\nc1", "CO2\nH2O\nO3", "b\na",
    // Folders from 0, in both orders of strings.
    "0-a\n1-b\n10-k\n2-c\n3-d\n4-e\n5-f\n6-g\n7-h\n8-i\n9-j",
    "0_a\n10_k\n1_b\n2_c\n3_d\n4_e\n5_f\n6_g\n7_h\n8_i\n9_j",
  ]

  @Test(arguments: kept)
  func `other numbers stay in labels`(_ text: String) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.form == .lines)
    #expect(map.names == text.replacing("\"", with: "").split(separator: "\n").map(String.init))
  }

  @Test func `more numbered lines than class numbers are an error`() {
    let count = 100_001
    for line in ["%: 128 0 0 a%", "a% %", "/m/% % a%"] {
      let numbered = (0..<count).map { line.replacing("%", with: "\($0)") + "\n" }.joined()
      let error = failure { () throws(MetadataError) in
        _ = try LabelMap(parsing: Array(numbered.utf8), source: "labels")
      }
      #expect(error?.code == .tooLarge)
      #expect(
        error?.message
          == "labels has 100001 lines with numbers, but class numbers are at most 99999: line 1 is"
          + " '\(line.replacing("%", with: "0"))'")
    }
  }

  static let settled: [(String, Int, [String])] = [
    // As many classes as lines: a class has no gap, and the numbers are part of the labels.
    ("0 person\n2 car", 2, ["0 person", "2 car"]), ("1 door\n4 wheels", 4, ["door", "???", "???", "wheels"]),
    ("1 person\n3 car", 3, ["person", "???", "car"]), ("0 zero\n2 two\n7 seven", 8, sparse),
  ]

  @Test(arguments: settled)
  func `the number of classes settles which lines with gaps are numbered`(
    _ text: String, _ classes: Int, _ names: [String]
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(try map.fitted(to: classes, of: "'m'").names == names)
  }

  @Test(arguments: [",", ", ", ";", "; ", "\t", "\t\t", " \t"])
  func `numbers in a column of their own never belong to the labels`(_ sign: String) throws {
    let text = ["0\(sign)cat", "1\(sign)dog", "3\(sign)bird"].joined(separator: "\n")
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.counts == [4])
    #expect(try map.fitted(to: 4, of: "'m'").names == ["cat", "dog", "???", "bird"])
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: 3, of: "'m'") }
    #expect(error?.code == .countMismatch)
    #expect(error?.message.hasPrefix("labels has 4 labels (numbered lines), but 'm' has 3 classes") == true)
    // In any order, and from 1, with more gaps than numbers.
    let mixed = ["3\(sign)bird", "0\(sign)cat", "1\(sign)dog"].joined(separator: "\n")
    #expect(
      try LabelMap(parsing: Array(mixed.utf8), source: "labels").names == ["cat", "dog", "???", "bird"])
    let few = try LabelMap(parsing: Array("1\(sign)cat\n9\(sign)dog".utf8), source: "labels")
    #expect(few.counts == [9, 10])
    let far = try LabelMap(parsing: Array("0\(sign)cat\n7\(sign)dog\n2\(sign)bird".utf8), source: "labels")
    #expect(far.counts == [8])
    #expect(
      far.fittingRemedy(3, "Give 3 lines")
        == "If the labels are those of the model, number them without gaps, from 0 to 2; otherwise give 3 lines"
    )
    // In order, without 0 and 1, and below a header.
    for head in ["", "label\n"] {
      let late = "\(head)3\(sign)cat\n7\(sign)dog\n9\(sign)bird"
      #expect(try LabelMap(parsing: Array(late.utf8), source: "labels").counts == [9, 10])
    }
    // Sorted as text.
    let sorted = [1, 10, 2, 3, 4, 5, 6, 7, 8, 9].map { "\($0)\(sign)n\($0)" }.joined(separator: "\n")
    let names = try LabelMap(parsing: Array(sorted.utf8), source: "labels").names
    #expect(names == (1...10).map { "n\($0)" })
  }

  static let names = [
    "1,4-dioxane\n2,4-xylenol\n3,5-xylenol", "2,4,5-T\n1,3-butadiene", "1,1'-binaphthyl\n2,2'-bipyridine",
    "1,4-dioxane\nethanol\nwater", "0,5 l\n1,5 l\n2,5 l",
    "1,000 people\n2,000 people\n5,000 people", "1,cat\n2,dog\nbird",
  ]

  @Test(arguments: names)
  func `names with commas after a number are names`(_ text: String) throws {
    let names = text.split(separator: "\n").map(String.init)
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(try map.fitted(to: names.count, of: "'m'").names == names)
  }

  @Test func `names that begin with a digit may have class numbers`() throws {
    for text in ["0,2-door\n1,4-door", "1,2-door\n2,van", "1,4x4\n2,2cv", "1, 2-door\n2, 4-door"] {
      let names = text.split(separator: "\n").map { $0.dropFirst(2).drop { $0 == " " } }.map(String.init)
      let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
      #expect(map.form == .numberedLines && map.names == names)
    }
  }

  @Test func `a table of names and numbers keeps its reading for the classes without gaps`() throws {
    let map = try LabelMap(parsing: Array("cat,0\ndog,1\nbird,3".utf8), source: "labels")
    #expect(map.form == .table)
    #expect(try map.fitted(to: 3, of: "'m'").names == ["cat", "dog", "bird"])
    #expect(try map.fitted(to: 4, of: "'m'").names == ["cat", "dog", "???", "bird"])
  }

  @Test func `labels with gaps that do not fit are an error with their form`() throws {
    let map = try LabelMap(parsing: Array("0 zero\n2 two\n7 seven".utf8), source: "labels")
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: 91, of: "'m'") }
    #expect(
      error?.message
        == "labels has 8 labels (numbered lines), but 'm' has 91 classes; the last is line 3 'seven'")
  }
}
