// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Whole runs of `fovea embed`, with features that need no model: those of the first letter of the photo's name.
@Suite struct EmbedRunTests {
  static let features: [Character: [Float]] = [
    "a": [1, 0, 0], "b": [0.9, 0.1, 0], "c": [0, 1, 0], "d": [2, 0, 0], "z": [0, 0, 0],
  ]

  static func run(
    _ arguments: [String], in folder: TemporaryFolder, stop: StopSignal = StopSignal()
  ) async throws -> PhotoRunTests.Outcome {
    let command = try #require(try FoveaCommand.parseAsRoot(["embed"] + arguments) as? EmbedCommand)
    let output = try PhotoRunTests.descriptor(folder["stdout"])
    let errors = try PhotoRunTests.descriptor(folder["stderr"])
    defer {
      close(output)
      close(errors)
    }
    var run = EmbedRun(paths: command.input.paths, jobs: 2, stop: stop)
    run.recursive = command.input.recursive
    run.output = command.output
    run.format = command.output.flatMap(FeatureFormat.init(endingOf:))
    run.like = command.like
    run.top = command.top ?? (command.duplicates == nil ? 10 : nil)
    run.duplicates = command.duplicates
    (run.outputDescriptor, run.errorDescriptor) = (output, errors)
    let code = await run.execute { () throws(FoveaError) in
      FeatureModel { (photo) throws(FoveaError) in
        let name = photo.name.split(separator: "/").last ?? ""
        guard let found = features[name.first ?? " "] else { throw Sample.error }
        return found
      }
    }
    return PhotoRunTests.Outcome(
      code: code, output: try folder.read("stdout").replacing(folder.path + "/", with: ""),
      errors: try folder.read("stderr").replacing(folder.path + "/", with: ""))
  }

  @Test func `features are written as CSV, and a broken photo is listed`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg", "x.jpg"])
    let outcome = try await Self.run([folder["in"]], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.output == "image,0,1,2\nin/a.jpg,1.0,0.0,0.0\nin/b.jpg,0.9,0.1,0.0\n")
    #expect(outcome.errors.contains("fovea: in/x.jpg: the file ends after 100 of 4096 bytes."))
    #expect(outcome.errors.contains("2 images, 1 failed"))
  }

  @Test(arguments: ["csv", "jsonl", "npy"]) func `every format reads back the same`(format: String)
    async throws
  {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg", "c.jpg"])
    let file = folder["features.\(format)"]
    #expect(try await Self.run([folder["in"], "--output", file], in: folder).code == 0)
    let read = try FeatureFile.read(file, #require(FeatureFormat(rawValue: format)))
    #expect(read.map(\.values) == ["a", "b", "c"].map { Self.features[$0] ?? [] })
    #expect(read.map(\.name.text) == ["a", "b", "c"].map { folder["in/\($0).jpg"] })
    let found = try await Self.run([folder["in/a.jpg"], "--like", file, "--top", "1"], in: folder)
    #expect(found.code == 0 && found.output == "in/a.jpg\n  0.9939  in/b.jpg\n", "\(found)")
  }

  @Test func `the list of an array replaces only a list`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.write("notes.txt", "mine")
    let refused = try await Self.run([folder["in"], "--output", folder["notes.npy"]], in: folder)
    #expect(
      refused.code == 2 && refused.errors.contains("fovea: notes.txt: the list of the photos' paths would"))
    #expect(try folder.read("notes.txt") == "mine")
    for _ in 1...2 {
      let written = try await Self.run([folder["in"], "--output", folder["f.npy"]], in: folder)
      #expect(written.code == 0, "\(written.errors)")
    }
  }

  @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
  func `features in CSV are read after a spreadsheet has saved them`(_ mark: String, _ end: String) throws {
    let folder = try TemporaryFolder()
    let lines = ["image,0,1", "a.jpg,1,0", "\"b, c.jpg\",0,1"].map { $0 + end }
    let read = try FeatureFile.read(folder.write("features.csv", mark + lines.joined()), .csv)
    #expect(read.map(\.name.text) == ["a.jpg", "b, c.jpg"])
    #expect(read.map(\.values) == [[1, 0], [0, 1]])
  }

  @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n", "\r\n\r\n"])
  func `the list of an array is read after an editor has saved it`(_ mark: String, _ end: String)
    async throws
  {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    let file = folder["f.npy"]
    #expect(try await Self.run([folder["in"], "--output", file], in: folder).code == 0)
    try folder.write("f.txt", mark + ["a.jpg", "b.jpg"].map { folder["in/\($0)"] + end }.joined())
    #expect(
      try FeatureFile.read(file, .npy).map(\.name.text) == ["a.jpg", "b.jpg"].map { folder["in/\($0)"] })
    let found = try await Self.run([folder["in/a.jpg"], "--like", file], in: folder)
    #expect(found.code == 0 && found.output == "in/a.jpg\n  0.9939  in/b.jpg\n", "\(found)")
  }

  /// First lines of CSV, and the number of photos with the line behind it.
  static let firstLines: [(line: String, photos: Int)] = [
    ("image,0,1,2", 1), ("file,0,1,2", 1), (",0,1,2", 1), ("Unnamed: 0,0,1,2", 1), ("image", 1),
    ("file,0", 1),
    ("file,0.0,1.0,2.0", 1), ("file,1,2,3", 1), ("file,1.0,2.0,3.0", 1), (",1,2,3", 1), ("file,1", 1),
    ("0,1,2,3", 1), ("0.0,1.0,2.0,3.0", 1), ("1,2,3,4", 1), ("1.0,2.0,3.0", 1),
    ("0.jpg,0,1,2", 2), ("b.png,0.0,1.0,2.0", 2), ("b.png,1,2,3", 2), ("file,0,2,1", 2), ("file,0,1,1", 2),
    ("file,2,3,4", 2), ("2,2,3,4", 2), ("file,0.5,1.5,2.5", 2), ("file,nan,1,2", 2), ("nan,nan,nan", 2),
    ("inf,inf,inf", 2),
  ]

  @Test(arguments: firstLines.indices) func `a header of CSV is known by its columns`(number: Int) throws {
    let (line, photos) = Self.firstLines[number]
    let folder = try TemporaryFolder()
    let read = try FeatureFile.read(folder.write("f.csv", line + "\na.jpg,0.5,1,2\n"), .csv)
    #expect(read.count == photos && read.last?.values == [0.5, 1, 2], "\(line): \(read)")
  }

  struct Search: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var options: [String]
    var output: String
    var code: Int32 = 0
    var error = ""
  }

  static let searches = [
    Search(
      testDescription: "the nearest, without the query, the first of a tie",
      options: ["a.jpg"], output: "in/a.jpg\n  1.0000  in/d.jpg\n  0.9939  in/b.jpg\n  0.0000  in/c.jpg\n"),
    Search(
      testDescription: "one", options: ["c.jpg", "--top", "1"], output: "in/c.jpg\n  0.1104  in/b.jpg\n"),
    Search(
      testDescription: "near duplicates, each pair once",
      options: [".", "--duplicates", "0.99"],
      output: "in/a.jpg\n  1.0000  in/d.jpg\n  0.9939  in/b.jpg\nin/b.jpg\n  0.9939  in/d.jpg\n"),
    Search(
      testDescription: "a query without direction", options: ["../z.jpg"], output: "", code: 1,
      error: "fovea: in/../z.jpg: the features are all zero, so they have no direction."),
  ]

  @Test(arguments: searches) func `similar photos are found`(_ row: Search) async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    try folder.write("z.jpg", "")
    let query = row.options[0] == "." ? folder["in"] : folder["in/\(row.options[0])"]
    let outcome = try await Self.run(
      [query, "--like", folder["in"]] + row.options.dropFirst(), in: folder)
    #expect(outcome.code == row.code && outcome.output == row.output, "\(outcome)")
    #expect(row.error.isEmpty || outcome.errors.contains(row.error), "\(outcome.errors)")
  }

  @Test func `matches are written as CSV and JSON lines`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    for (format, expected) in [
      ("csv", "image,rank,similarity,similar\nin/a.jpg,1,0.9939,in/b.jpg\n"),
      ("jsonl", #"{"image": "in/a.jpg", "similar": [{"image": "in/b.jpg", "similarity": 0.9939}]}"# + "\n"),
    ] {
      let file = "similar.\(format)"
      _ = try await Self.run(
        [folder["in/a.jpg"], "--like", folder["in"], "--output", folder[file]], in: folder)
      #expect(try folder.read(file).replacing(folder.path + "/", with: "") == expected)
    }
  }

  static let unusable: [(file: String, text: String, error: String)] = [
    ("f.csv", "", "it holds no features."),
    ("f.csv", "image,0,1\n", "it holds no features."),
    ("f.csv", "a.jpg,1,2,3\nb.jpg,1,2\n", "the features of 'b.jpg' have 2 numbers, the first ones 3."),
    ("f.csv", "a.jpg,1,nan,3\n", "the features of 'a.jpg' are not finite at number 1."),
    ("f.csv", "a.jpg,0,0,0\n", "the features of 'a.jpg' are all zero, so they have no direction."),
    ("f.csv", "a.jpg,1,x,3\n", "line 1 is not a path and numbers."),
    ("f.csv", "image;0;1\na.jpg;1,5;0\n", "the columns are separated by semicolons, not by commas."),
    ("f.jsonl", "{\"image\": \"a.jpg\"}\n", "line 1 is not an object with 'image' and 'features'."),
    ("f.npy", "NUMPY", "it is not an array of NumPy."),
    ("empty/.keep", "", "no images ("), ("empty/x.jpg", "", "it has no photo to compare to."),
  ]

  @Test(arguments: unusable.indices) func `files that cannot be compared end the run`(number: Int)
    async throws
  {
    let row = Self.unusable[number]
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.write(row.file, row.text)
    let source = row.file.hasPrefix("empty") ? folder["empty"] : folder[row.file]
    let outcome = try await Self.run([folder["in/a.jpg"], "--like", source], in: folder)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(row.error), "\(outcome.errors)")
    // One error for each photo or file, and one for a folder.
    let lines = outcome.errors.split(separator: "\n").count
    #expect(lines == (row.file == "empty/x.jpg" ? 2 : 1), "\(outcome.errors)")
  }

  @Test func `queries of another length end the run with one error that names the file`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg", "c.jpg"])
    try folder.write("f.csv", "b.jpg,1,2\n")
    let outcome = try await Self.run([folder["in"], "--like", folder["f.csv"]], in: folder)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains(
        "f.csv: its features have 2 numbers, those of 'in/a.jpg' 3. "
          + "Name photos, or a file that 'fovea embed' has written with the same model."))
    #expect(!outcome.errors.contains("in/b.jpg"), "\(outcome.errors)")
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var words: String
    var remedy = "\(FeatureFile.remedy)"
  }

  /// An array whose header has these words.
  static func array(
    _ type: String, _ shape: String, isFortran: Bool = false, bytes: Int = 0
  ) -> [UInt8] {
    let text = "{'descr': \(type), 'fortran_order': \(isFortran ? "True" : "False"), 'shape': \(shape), }\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0] + Array(text.utf8)
      + [UInt8](repeating: 0, count: bytes)
  }

  static let broken: [Broken] = [
    Broken(testDescription: "empty", bytes: [], words: "it is not an array of NumPy"),
    Broken(
      testDescription: "another format", bytes: Array("image,0,1\n".utf8),
      words: "it is not an array of NumPy"),
    Broken(
      testDescription: "cut off in the header", bytes: Array(array("'<f4'", "(2, 3)").prefix(40)),
      words: "it ends in its header"),
    Broken(
      testDescription: "no header", bytes: array("'<f4'", "2, 3"),
      words: "its header has no type, order or shape"),
    Broken(
      testDescription: "cut off in a row", bytes: array("'<f4'", "(15, 3)", bytes: 7 * 12 + 5),
      words: "it ends after 7 of 15 rows", remedy: "Copy or write the file again"),
    Broken(
      testDescription: "rows that it does not have", bytes: array("'<f4'", "(99999999999, 3)", bytes: 24),
      words: "it ends after 2 of 99999999999 rows", remedy: "Copy or write the file again"),
    Broken(
      testDescription: "more rows than 64 bits hold in bytes",
      bytes: array("'<f4'", "(9223372036854775807, 1000000)"),
      words: "it ends after 0 of 9223372036854775807 rows", remedy: "Copy or write the file again"),
    Broken(
      testDescription: "a row too many", bytes: array("'<f4'", "(2, 3)", bytes: 36),
      words: "it has 12 bytes after its 2 rows", remedy: "Copy or write the file again"),
    Broken(
      testDescription: "Fortran's order", bytes: array("'<f4'", "(2, 3)", isFortran: true, bytes: 24),
      words: "its order is Fortran's, expected C's",
      remedy: "Save it again: numpy.save(FILE, numpy.ascontiguousarray(features))"),
    Broken(
      testDescription: "doubles", bytes: array("'<f8'", "(2, 3)", bytes: 48),
      words: "its type is '<f8', expected '<f4' (float32)",
      remedy: "Save it again: numpy.save(FILE, features.astype('<f4'))"),
    Broken(
      testDescription: "a record", bytes: array("[('a', '<f4')]", "(2,)", bytes: 8),
      words: "its type is [('a', '<f4')], expected '<f4' (float32)",
      remedy: "Save it again: numpy.save(FILE, features.astype('<f4'))"),
    Broken(
      testDescription: "one axis", bytes: array("'<f4'", "(3,)", bytes: 12),
      words: "its shape is (3,), expected two axes: photos and numbers"),
    Broken(
      testDescription: "three axes", bytes: array("'<f4'", "(1, 2, 3)", bytes: 24),
      words: "its shape is (1, 2, 3), expected two axes: photos and numbers"),
    Broken(
      testDescription: "no numbers", bytes: array("'<f4'", "(2, 0)"),
      words: "its rows have 0 numbers, expected 1 to 1000000"),
  ]

  @Test(arguments: broken) func `an array that cannot be read has its reason`(_ row: Broken) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("f.npy", row.bytes)
    let error = #expect(throws: FoveaError.self) { try FeatureFile.read(file, .npy) }
    #expect(error?.message == row.words)
    #expect(error?.remedy.description == row.remedy)
  }

  static let headers: [(rows: Int, columns: Int)] = [(0, 0), (1, 1), (100_000, 1_280), (3, 2)]

  @Test(arguments: headers.indices) func `an array starts at a multiple of 64 bytes`(number: Int) {
    let (rows, columns) = Self.headers[number]
    let header = NumPyArray.header(rows: rows, columns: columns)
    #expect(header.count.isMultiple(of: 64) && header.last == 0x0A && header.count < 256)
    #expect(Int(header[8]) + Int(header[9]) << 8 == header.count - 10)
    #expect(
      String(decoding: header.dropFirst(10), as: UTF8.self).contains("'shape': (\(rows), \(columns)), }"))
  }

  @Test(arguments: [
    ["a.jpg", "--top", "3"], ["a.jpg", "--duplicates", "0.9"], ["a.jpg", "--like", "p", "--top", "0"],
    ["a.jpg", "--like", "p", "--duplicates", "1.5"], ["a.jpg", "--output", "o.txt"],
    ["a.jpg", "--output", "o.csv.gz"], ["a.jpg", "--like", "p", "--output", "o.npy"],
    ["a.jpg", "--like", ""], ["a.jpg", "--like", "p", "--like", "q"],
    ["a.jpg", "--like", "-"], ["a.jpg", "--output", ""], [],
  ]) func `wrong arguments are usage errors`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["embed"] + arguments) }
  }
}
