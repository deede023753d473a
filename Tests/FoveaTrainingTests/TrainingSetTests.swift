// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct TrainingSetTests {
  /// Files with the content "x", and the resulting set.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String]
    var classes: [String] = []
    var names: [String] = []
    /// The error; empty for none.
    var problem = ""
    /// The notes.
    var notes: [String] = []
    var testDescription: String { name }
  }

  static let folders: [Row] = [
    Row(
      name: "a folder a class", files: ["b/1.jpg", "a/2.png", "a/1.JPG"], classes: ["a", "b"],
      names: ["a/1.JPG", "a/2.png", "b/1.jpg"]),
    Row(
      name: "deeper folders belong to the class", files: ["a/x/1.jpg", "a/x/y/2.jpg", "b/1.jpg"],
      classes: ["a", "b"], names: ["a/x/1.jpg", "a/x/y/2.jpg", "b/1.jpg"]),
    Row(
      name: "classes in the order of their scalars", files: ["Zebra/1.jpg", "ant/1.jpg", "Äpfel/1.jpg"],
      classes: ["Zebra", "ant", "Äpfel"], names: ["Zebra/1.jpg", "ant/1.jpg", "Äpfel/1.jpg"]),
    Row(
      name: "others are last, whatever their name", files: ["zoo/1.jpg", "Background/1.jpg", "other/2.jpg"],
      classes: ["zoo", "None_of_the_above"], names: ["Background/1.jpg", "other/2.jpg", "zoo/1.jpg"]),
    Row(
      name: "texts and hidden files are passed over",
      files: ["a/1.jpg", "a/notes.txt", "a/.2.jpg", ".git/1.jpg", "a/Thumbs.db", "readme.md"],
      classes: ["a"], names: ["a/1.jpg"]),
    Row(
      name: "a video is listed, as a photo that cannot be opened", files: ["a/1.jpg", "a/2.MP4", "b/1.mkv"],
      classes: ["a", "b"], names: ["a/1.jpg", "a/2.MP4", "b/1.mkv"]),
    Row(
      name: "a folder without photos is noted", files: ["a/1.jpg", "b/x/notes.txt", "c/d/1.jpg"],
      classes: ["a", "c"], names: ["a/1.jpg", "c/d/1.jpg"],
      notes: ["the folder 'b' has no photos and is not a class"]),
    Row(
      name: "photos and no folders", files: ["1.jpg", "2.jpg"],
      problem: "'1.jpg', but no folder per class"),
    Row(name: "photos next to the classes", files: ["a/1.jpg", "2.jpg"], problem: "'2.jpg' are next to"),
    Row(name: "an empty folder", files: ["readme.md"], problem: "no folder in it has photos"),
    Row(name: "others alone", files: ["other/1.jpg"], problem: "no folder in it has photos"),
    Row(name: "labels that differ in case", files: ["Cat/1.jpg", "cat/1.jpg"], problem: "'Cat' and 'cat'"),
    Row(
      name: "labels that differ in Unicode form", files: ["caf\u{E9}/1.jpg", "cafe\u{301}/1.jpg"],
      problem: "differ only in case or Unicode form"),
    Row(name: "a line break in a label", files: ["a\nb/1.jpg"], problem: "is not a line of text"),
    Row(name: "a label of white space", files: [" /1.jpg"], problem: "is not a line of text"),
  ]

  @Test(arguments: folders) func `a folder becomes classes and photos`(row: Row) throws {
    let folder = try TemporaryFolder()
    for file in row.files { try folder.write(file, "x") }
    do {
      let set = try TrainingSet(folder: folder.path)
      #expect(row.problem.isEmpty)
      #expect(set.classes == row.classes)
      #expect(set.photos.map(\.name) == row.names)
      #expect(set.photos.allSatisfy { $0.path == folder[$0.name] && $0.labels.count == 1 })
      #expect(set.readingNotes == row.notes)
    } catch {
      #expect(!row.problem.isEmpty && error.message.contains(row.problem), "\(error)")
      #expect(error.code == .invalidSet)
    }
  }

  @Test func `photos are found by each usual extension, and skipped files are counted and named`() throws {
    let folder = try TemporaryFolder()
    for file in ["a/1.jfif", "a/2.JPE", "b/1.hif", "b/2.dib", "b/notes.txt", "readme.md"] {
      try folder.write(file, "x")
    }
    let set = try TrainingSet(folder: folder.path)
    #expect(set.photos.map(\.name) == ["a/1.jfif", "a/2.JPE", "b/1.hif", "b/2.dib"])
    #expect(set.notes.contains { $0.hasPrefix("skipped 2 files that are not images: ") })
  }

  @Test func `a folder whose photos are all unsupported reports it`() throws {
    let folder = try TemporaryFolder()
    for file in ["a/1.nef", "b/1.nef", "b/notes.txt"] { try folder.write(file, "x") }
    let error = #expect(throws: TrainingError.self) { try TrainingSet(folder: folder.path) }
    #expect(
      error?.message.hasSuffix(
        ", but it has 2 images that Fovea does not read: 2 raw (a/1.nef, b/1.nef)") == true,
      "\(error?.message ?? "")")
  }

  @Test func `nested folders are separate classes on request`() throws {
    let folder = try TemporaryFolder()
    for file in ["birds/owl/1.jpg", "birds/1.jpg", "cats/1.jpg"] { try folder.write(file, "x") }
    #expect(try TrainingSet(folder: folder.path, isNested: true).classes == ["birds", "birds/owl", "cats"])
  }

  @Test func `nested folders without a photo or a folder are noted`() throws {
    let folder = try TemporaryFolder()
    for file in ["birds/owl/1.jpg", "birds/kiwi/notes.txt", "fish/notes.txt"] { try folder.write(file, "x") }
    let set = try TrainingSet(folder: folder.path, isNested: true)
    #expect(set.classes == ["birds/owl"])
    #expect(
      set.readingNotes.map { $0.prefix { $0 != "," } }.sorted() == [
        "the folder 'birds/kiwi' has no photos and is not a class",
        "the folder 'fish' has no photos and is not a class",
      ])
  }

  @Test func `a name that is not UTF-8 is an error that shows it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/1.jpg", "x")
    let name = Array(folder["d"].utf8CString.dropLast()) + [-1, 0]
    try #require(unsafe mkdir(name, 0o755) == 0)
    let error = #expect(throws: TrainingError.self) { try TrainingSet(folder: folder.path) }
    #expect(error?.message == "the name 'd\u{FFFD}' has bytes that are not UTF-8")
  }

  @Test func `a circular link is followed once`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/1.jpg", "x")
    try folder.link("a/again", to: folder["a"])
    #expect(try TrainingSet(folder: folder.path).photos.map(\.name) == ["a/1.jpg"])
  }

  @Test func `photos without a class come from their own folder`() throws {
    let folder = try TemporaryFolder()
    for file in ["set/a/1.jpg", "set/b/1.jpg", "rest/deep/2.jpg"] { try folder.write(file, "x") }
    let set = try TrainingSet(folder: folder["set"], other: folder["rest"])
    #expect(set.classes == ["a", "b", TrainingSet.otherName])
    #expect(set.otherClass == 2)
    #expect(set.counts == [1, 1, 1])
  }

  @Test(arguments: ["missing", "file.txt"]) func `a path that is not a folder is an error`(name: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("file.txt", "x")
    #expect(throws: TrainingError.self) { try TrainingSet(folder: folder[name]) }
  }

  // MARK: CSV

  /// The text of a file, and the photos it lists; 1.jpg to 4.jpg exist.
  struct Text: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var classes: [String] = []
    var labels: [[Int]] = []
    var tests: [Bool] = []
    var problem = ""
    var testDescription: String { name }
  }

  static let texts: [Text] = [
    Text(
      name: "path and label", text: "1.jpg,cat\n2.jpg,dog\n", classes: ["cat", "dog"], labels: [[0], [1]],
      tests: [false, false]),
    Text(
      name: "AutoML's sets",
      text: "TRAIN,1.jpg,cat\nTEST,2.jpg,dog\nVALIDATION,3.jpg,dog\nUNASSIGNED,4.jpg,cat",
      classes: ["cat", "dog"], labels: [[0], [1], [1], [0]], tests: [false, true, false, false]),
    Text(
      name: "a header in any order", text: "split,label,path\ntest,cat,1.jpg\ntrain,dog,2.jpg\n",
      classes: ["cat", "dog"], labels: [[0], [1]], tests: [true, false]),
    Text(
      name: "a header with several labels",
      text: "file,label,split,label\n1.jpg,cat,,tree\n2.jpg,,TEST,tree\n3.jpg,cat,,\n4.jpg,tree,\n",
      classes: ["cat", "tree"], labels: [[0, 1], [1], [0], [1]], tests: [false, true, false, false]),
    Text(
      name: "a label that the header does not have", text: "file,label\n1.jpg,cat,\n2.jpg,cat,tree\n",
      problem: "line 3: 3 columns, but the header has 2: it must name each label column"),
    Text(
      name: "an unknown set without a header", text: "TRAIN,1.jpg,cat\nMAYBE,2.jpg,dog\n",
      problem: "line 2: 'MAYBE' is not a set"),
    Text(
      name: "several labels", text: "1.jpg,cat,tree\n2.jpg,tree\n3.jpg,cat,cat,\n", classes: ["cat", "tree"],
      labels: [[0, 1], [1], [0]], tests: [false, false, false]),
    Text(
      name: "quotes, spaces, empty lines, CR LF and a byte order mark",
      text: "\u{FEFF}\"1.jpg\", \"big, cat\" \r\n\r\n2.jpg,dog\r\n", classes: ["big, cat", "dog"],
      labels: [[0], [1]], tests: [false, false]),
    Text(
      name: "others", text: "1.jpg,cat\n2.jpg,None_of_the_above\n3.jpg,dog\n",
      classes: ["cat", "dog", "None_of_the_above"], labels: [[0], [2], [1]], tests: [false, false, false]),
    Text(
      name: "a file that is not there", text: "1.jpg,cat\n9.jpg,dog\n", problem: "line 2: there is no file"),
    Text(name: "no label", text: "1.jpg\n", problem: "line 1: no label"),
    Text(
      name: "an address", text: "gs://bucket/1.jpg,cat\n",
      problem: "set a prefix gs://bucket/=folder/"),
    Text(
      name: "an address, and another wrong line", text: "gs://bucket/1.jpg,cat\n1.jpg\n",
      problem: "set a prefix gs://bucket/=folder/; line 2: no label"),
    Text(
      name: "an unknown set", text: "path,label,split\n1.jpg,cat,maybe\n",
      problem: "line 2: 'maybe' is not a set"),
    Text(
      name: "fewer columns than the header", text: "label,path,split\ncat,1.jpg\n",
      problem: "line 2: 2 columns, but the header has more"),
    Text(
      name: "10,001 classes", text: (1...10_001).map { "1.jpg,c\($0)\n" }.joined(),
      problem: "it has 10001 classes, but at most 10000 are allowed"),
    Text(
      name: "a header without labels", text: "path,split\n1.jpg,TRAIN\n",
      problem: "line 1: the header 'path,split' has no column label or class"),
    Text(
      name: "JSON", text: "\u{FEFF} {\"images\": []}\n",
      problem: "it is JSON instead of a folder or a CSV file"),
    Text(
      name: "semicolons", text: "\u{FEFF}\r\npath;label\r\n1.jpg;cat\r\n",
      problem: "the columns are separated by semicolons, not by commas"),
    Text(
      name: "a semicolon in a name", text: "1.jpg,a;b\n2.jpg,c\n", classes: ["a;b", "c"],
      labels: [[0], [1]], tests: [false, false]),
    Text(name: "no text", text: "\u{FF}\0JFIF\n", problem: "it is not text"),
    Text(name: "a header alone", text: "path,label\n", problem: "lists no photos"),
    Text(name: "nothing", text: "", problem: "lists no photos"),
    Text(
      name: "many wrong lines", text: (1...12).map { "x\($0).jpg,cat\n" }.joined(),
      problem: "line 10: there is no file"),
  ]

  @Test(arguments: texts) func `a CSV file lists photos`(row: Text) throws {
    let folder = try TemporaryFolder()
    for number in 1...4 { try folder.write("\(number).jpg", "x") }
    try folder.write("list.csv", row.text)
    do {
      let set = try TrainingSet(csv: folder["list.csv"])
      #expect(row.problem.isEmpty)
      #expect(set.classes == row.classes)
      #expect(set.photos.map(\.labels) == row.labels)
      #expect(set.photos.map(\.isTest) == row.tests)
    } catch {
      #expect(!row.problem.isEmpty && error.message.contains(row.problem), "\(error)")
      #expect(error.code == .invalidSet)
      #expect(
        error.remedy.text(\.program).hasSuffix("; or set the prefixes of addresses with --path-prefix")
          == row.name.hasPrefix("an address"))
      if row.name == "a header without labels" { #expect(!error.message.contains("line 2")) }
      if row.name == "many wrong lines" { #expect(error.message.hasSuffix("and 2 more lines")) }
    }
  }

  @Test func `photos without a class count once, under any path`() throws {
    let folder = try TemporaryFolder()
    for file in ["set/a/1.jpg", "set/b/1.jpg", "set/other/1.jpg", "more/2.jpg"] {
      try folder.write(file, "x")
    }
    try folder.link("more/1.jpg", to: folder["set/other/1.jpg"])
    let same = try TrainingSet(folder: folder["set"], other: folder["set/other"])
    #expect(same.photos.map(\.name) == ["a/1.jpg", "b/1.jpg", "other/1.jpg"])
    let more = try TrainingSet(folder: folder["set"], other: folder["more"])
    #expect(Set(more.photos.map(\.name)) == ["a/1.jpg", "b/1.jpg", "other/1.jpg", folder["more/2.jpg"]])
    #expect(more.photos.count == 4)
  }

  @Test func `a prefix stands for a folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/a/1.jpg", "x")
    try folder.write("list.csv", "gs://bucket/a/1.jpg,cat\n")
    let set = try TrainingSet(
      csv: folder["list.csv"], prefixes: ["gs://bucket/": folder["photos"] + "/"])
    #expect(set.photos.map(\.path) == [folder["photos/a/1.jpg"]])
  }

  @Test func `photos that a list names are left out`() throws {
    let folder = try TemporaryFolder()
    for file in ["a/1.jpg", "a/2.jpg", "b/1.jpg"] { try folder.write(file, "x") }
    let set = try TrainingSet(folder: folder.path).without(["a/2.jpg", folder["b/1.jpg"], "c/7.jpg"])
    #expect(set.photos.map(\.name) == ["a/1.jpg"])
    #expect(set.readingNotes == ["1 name to leave out matches no photo: 'c/7.jpg'"])
    #expect(
      set.without(["x", "y", "z", "w"]).readingNotes.last
        == "4 names to leave out match no photo: 'w', 'x', 'y', …")
  }

  @Test func `only test photos are an error, and few photos are noted only if they can be learned from`()
    throws
  {
    let folder = try TemporaryFolder()
    for number in 1...4 { try folder.write("\(number).jpg", "x") }
    try folder.write("test.csv", "TEST,1.jpg,cat\nTEST,2.jpg,dog\n")
    let tests = try TrainingSet(csv: folder["test.csv"])
    let error = #expect(throws: TrainingError.self) { try tests.checkCounts() }
    #expect(error?.message == "all of its photos are test photos (2), so none is left for training")
    try folder.write("one.csv", "1.jpg,cat\n2.jpg,cat\n3.jpg,dog\n")
    #expect(try TrainingSet(csv: folder["one.csv"]).notes.isEmpty)
    try folder.write("two.csv", "1.jpg,cat\n2.jpg,cat\n3.jpg,dog\n4.jpg,dog\n")
    #expect(
      try TrainingSet(csv: folder["two.csv"]).notes == [
        "few photos: cat 2, dog 2; at least 10 are recommended"
      ])
  }
}
