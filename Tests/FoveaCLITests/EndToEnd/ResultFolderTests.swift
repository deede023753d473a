// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCLI

/// Whole runs in the formats with one file per image.
@Suite struct ResultFolderTests {
  static let formats = DetectionFormat.all.filter(\.isFolder).map(\.name)

  /// The path of an image's file.
  static func file(_ format: String, _ stem: String) -> String {
    switch format {
    case "voc": return "out/\(stem).xml"
    case "yolo": return "out/labels/\(stem).txt"
    default:
      Issue.record("add here where '\(format)' writes the file of an image")
      return "out/\(stem)"
    }
  }

  static func run(
    _ arguments: [String], format: String, in folder: TemporaryFolder, jobs: Int = 2,
    stop: StopSignal = StopSignal(), analyzer: any ImageAnalyzer = FakeAnalyzer.oneObject
  ) async throws -> PhotoRunTests.Outcome {
    try await PhotoRunTests.run(
      arguments + ["--format", format, "--output", folder["out"]], in: folder, jobs: jobs, stop: stop,
      analyzer: analyzer)
  }

  @Test(arguments: formats)
  func `files mirror the folders of the images, and failures have none`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "sub/a.jpg", "sub/deep/b.c.PNG", "bad.jpg"])
    let outcome = try await Self.run([folder["in"], "-r"], format: format, in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    for stem in ["a", "sub/a", "sub/deep/b.c"] { #expect(folder.exists(Self.file(format, stem)), "\(stem)") }
    #expect(!folder.exists(Self.file(format, "bad")))
  }

  @Test(arguments: formats)
  func `a result that cannot be written stays to do, the others continue`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    try folder.write(Self.file(format, "a") + "/in the way", "")
    let outcome = try await Self.run([folder["in"]], format: format, in: folder)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("cannot be written: Is a directory"))
    #expect(folder.exists(Self.file(format, "b")))
  }

  @Test(arguments: formats)
  func `images with one name do not replace each other`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["x/a.jpg", "x/a.png", "y/a.jpg", "y/a-2.jpg"])
    let outcome = try await Self.run([folder["in/x"], folder["in/y"]], format: format, in: folder)
    #expect(outcome.code == 0)
    for stem in ["a", "a-2", "a-3", "a-2-2"] { #expect(folder.exists(Self.file(format, stem)), "\(stem)") }
    #expect(
      outcome.errors.contains(
        "3 results have the same names as others and get numbers, the first 'in/x/a.png' as 'a-2.png'.\n"))
    if format == "yolo" {
      // Each label file has an image with its own name.
      for image in ["a.jpg", "a-2.png", "a-3.jpg", "a-2-2.jpg"] {
        #expect(folder.exists("out/images/\(image)"))
      }
    }
  }

  @Test(arguments: formats)
  func `hostile names stay in the folder`(_ format: String) async throws {
    let names = [
      "..jpg", "...jpg", "..\\..\\x.jpg", "a\n\u{1B}[2J.jpg", "<b>&\"'.jpg", "\u{202E}gpj.x.jpg", "-rf.jpg",
    ]
    let folder = try TemporaryFolder()
    for name in names { try folder.write("in/\(name)", "") }
    let outcome = try await Self.run(
      names.map { folder["in/"] + $0 } + [folder["in/sub/.."]], format: format, in: folder)
    #expect(outcome.code == 1)
    for name in names {
      #expect(folder.exists(Self.file(format, ResultFile.stem(name))), "\(name)")
    }
    let around = try folder.names()
    #expect(around == ["in", "out", "stderr", "stdout"])
  }

  @Test(arguments: formats)
  func `a resumed run processes only the remaining images`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["1.jpg", "2bad.jpg", "3.jpg", "4.jpg"])
    _ = try await Self.run([folder["in"]], format: format, in: folder)
    #expect(unsafe unlink(folder[Self.file(format, "4")]) == 0)
    let asked = Mutex<[String]>([])
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      asked.withLock { $0.append(String(name.split(separator: "/").last ?? "")) }
      return Sample.findings
    }
    let outcome = try await Self.run(
      [folder["in"], "--resume"], format: format, in: folder, jobs: 1, analyzer: analyzer)
    #expect(outcome.code == 0)
    #expect(asked.withLock { $0 } == ["2bad.jpg", "4.jpg"])
    #expect(outcome.errors.hasPrefix("2 images, 2 objects, 2 skipped (done before), "))
    for stem in ["1", "2bad", "3", "4"] { #expect(folder.exists(Self.file(format, stem))) }
  }

  @Test(arguments: formats)
  func `another folder's image with the same name does not count as finished`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["x/a.jpg", "y/a.jpg"])
    _ = try await Self.run([folder["in/x"]], format: format, in: folder)
    let outcome = try await Self.run([folder["in/y"], "--resume"], format: format, in: folder)
    #expect(outcome.errors.hasPrefix("1 image, 1 object, "))
    let again = try await Self.run([folder["in/y"], "--resume"], format: format, in: folder)
    #expect(again.errors.hasPrefix("0 images, 0 objects, 1 skipped"))
  }

  @Test func `a truncated annotation is written again`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    _ = try await Self.run([folder["in"]], format: "voc", in: folder)
    let whole = try folder.read("out/a.xml")
    try folder.write("out/a.xml", String(whole.dropLast(3)))
    _ = try await Self.run([folder["in"], "--resume"], format: "voc", in: folder)
    #expect(try folder.read("out/a.xml") == whole)
  }

  @Test(arguments: formats)
  func `an interrupted run leaves complete files`(_ format: String) async throws {
    let folder = try PhotoRunTests.album((0..<20).map { "\($0).jpg" })
    let stop = StopSignal()
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      if name.hasSuffix("/4.jpg") { stop.request() }
      return Sample.findings
    }
    let outcome = try await Self.run(
      [folder["in"]], format: format, in: folder, jobs: 1, stop: stop, analyzer: analyzer)
    #expect(outcome.code == 130)
    for number in 0..<20 { #expect(folder.exists(Self.file(format, "\(number)")) == (number < 5)) }
  }

  @Test func `boxes are in the upright image unless requested otherwise`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    _ = try await Self.run([folder["in"]], format: "voc", in: folder)
    // The sample is stored as 4032 × 3024 and rotated by 90°.
    #expect(try folder.read("out/a.xml").contains("<width>3024</width>\n\t\t<height>4032</height>"))
    _ = try await Self.run([folder["in"], "--no-upright"], format: "voc", in: folder)
    #expect(try folder.read("out/a.xml").contains("<width>4032</width>\n\t\t<height>3024</height>"))
    let lines = try await PhotoRunTests.run([folder["in"], "--format", "jsonl"], in: folder)
    #expect(!lines.output.contains("\"space\": \"upright\""))
  }

  @Test func `a YOLO folder reads back unchanged`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "none.jpg"])
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      var findings = Sample.findings
      findings.orientation = .up
      if name.hasSuffix("none.jpg") { findings.content = .objects([]) }
      return findings
    }
    _ = try await Self.run([folder["in"], "--yolo-scores"], format: "yolo", in: folder, analyzer: analyzer)
    #expect(try folder.read("out/classes.txt") == "class 0\nHome good\n")
    #expect(try folder.read("out/labels/none.txt") == "")
    let fields = try folder.read("out/labels/a.txt").split(whereSeparator: \.isWhitespace).compactMap {
      Double($0)
    }
    try #require(fields.count == 6)
    try #require(fields.count > 5)
    #expect(fields[0] == 1)
    for (value, expected) in [
      ((fields[1] - fields[3] / 2) * 4_032, 812.4), ((fields[2] - fields[4] / 2) * 3_024, 400),
      (fields[3] * 4_032, 1_210.9), (fields[4] * 3_024, 1_804.2), (fields[5], 0.91),
    ] {
      #expect(abs(value - expected) < 0.01)
    }
  }

  @Test func `links lead to the photos and never replace a file`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    try folder.write("out/images/b.jpg", "mine")
    try folder.link("out/images/a.jpg", to: "/nonexistent")
    let outcome = try await Self.run([folder["in"]], format: "yolo", in: folder)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasPrefix(
        "fovea: in/b.jpg: the link to the photo would replace 'out/images/b.jpg', which is another file. "))
    #expect(try folder.read("out/images/b.jpg") == "mine")
    #expect(!folder.exists("out/labels/b.txt"))
    #expect(
      FileStatus(FilePath(folder["out/images/a.jpg"]))?.identity
        == FileStatus(FilePath(folder["in/a.jpg"]))?.identity)
  }

  @Test func `a data set's own images need no links`() async throws {
    let folder = try PhotoRunTests.album([])
    try folder.write("out/images/a.jpg", "")
    let outcome = try await Self.run([folder["out/images"]], format: "yolo", in: folder)
    #expect(outcome.code == 0)
    #expect(folder.exists("out/labels/a.txt"))
  }

  @Test func `classes of another model stop a resumed run`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    try folder.write("out/classes.txt", "cat\ndog\n")
    let analyzer = NamedAnalyzer(names: ["dog", "cat"])
    let outcome = try await Self.run(
      [folder["in"], "--resume"], format: "yolo", in: folder, analyzer: analyzer)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == "fovea: class 0 is 'dog', but was 'cat' in the earlier run. "
        + "Use the earlier run's model and options, or another folder.\n")
    #expect(try folder.read("out/classes.txt") == "cat\ndog\n")
    _ = try await Self.run([folder["in"]], format: "yolo", in: folder, analyzer: analyzer)
    #expect(try folder.read("out/classes.txt") == "dog\ncat\n")
  }

  @Test(arguments: formats)
  func `a folder that cannot be created is an error`(_ format: String) async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.write("out", "x")
    let outcome = try await Self.run([folder["in"], "-q"], format: format, in: folder)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains("cannot be written: Not a directory. Name another folder with --output.\n"))
    #expect(try folder.read("out") == "x")
  }

  @Test func `results in the folder of the photos are not searched`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let arguments = [folder["in"], "-r", "--format", "yolo", "--output", folder["in/out"]]
    for _ in 0..<2 {
      let outcome = try await PhotoRunTests.run(arguments, in: folder)
      #expect(outcome.errors.hasPrefix("1 image, 1 object, "))
    }
  }

  /// An analyzer with known classes.
  struct NamedAnalyzer: ImageAnalyzer {
    let names: [String]
    func classNames() async throws(FoveaError) -> [String] { names }
    func findings(in photo: Photo) async throws(FoveaError) -> DetectionRecord.Findings { Sample.findings }
  }
}
