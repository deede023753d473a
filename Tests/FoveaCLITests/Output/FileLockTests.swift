// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Two writers of one file: the second is rejected, and neither loses data or leaves files behind.
///
/// A lock belongs to the descriptor, so two writers in one process act like two processes.
@Suite struct FileLockTests {
  static func error(_ body: () throws -> Void) -> FoveaError? {
    do { try body() } catch {
      if case .failed(let reason)? = error as? OutputFile.Failure { return reason }
      return error as? FoveaError
    }
    return nil
  }

  static func refusal(_ path: String) -> String {
    "\(path): another process is writing this file. Wait until it ends, or name another file with --output."
  }

  @Test(arguments: [(false, false), (true, false), (false, true)])
  func `the second writer is refused until the first has ended`(_ appending: Bool, _ whenWhole: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("out", "old\n")
    var first: OutputFile? = try OutputFile(path: folder["out"], appending: appending, whenWhole: whenWhole)
    #expect(try folder.read("out") == "old\n")
    let error = Self.error {
      _ = try OutputFile(path: folder["out"], appending: appending, whenWhole: whenWhole)
    }
    #expect(error?.code.rawValue == "output-in-use")
    #expect(error.map(RecordSink.line) == Self.refusal(folder["out"]))
    try first?.write("new\n")
    try first?.finish()
    let expected = appending ? "old\nnew\n" : "new\n"
    #expect(try folder.read("out") == expected)
    first = try OutputFile(path: folder["out"], appending: appending, whenWhole: whenWhole)
    first = nil
    #expect(try folder.read("out") == expected)
    #expect(try folder.names() == ["out"])
  }

  @Test(arguments: [false, true])
  func `a run that writes nothing leaves nothing`(_ whenWhole: Bool) throws {
    let folder = try TemporaryFolder()
    var file: OutputFile? = try OutputFile(path: folder["out"], appending: false, whenWhole: whenWhole)
    #expect(try folder.names() == [whenWhole ? "out.partial" : "out"])
    withExtendedLifetime(file) {}
    file = nil
    #expect(try folder.names() == [])
  }

  @Test(arguments: [false, true])
  func `a file that is written in place is not replaced`(_ isThere: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder["out"]
    if isThere { try folder.write("out", "old") }
    let first = try OutputFile(path: path, appending: false, whenWhole: false)
    try first.write("ours\n")
    for attempt in [
      { _ = try OutputFile(path: path, appending: false, whenWhole: true) },
      { _ = try OutputReservation.file(path, option: "output") { ResultFile.unwritable(path, $0) } },
      { try ModelFileOutput.write([1, 2, 3], to: path) },
    ] {
      #expect(Self.error(attempt).map(RecordSink.line) == Self.refusal(path))
      #expect(try folder.names() == ["out"])
    }
    try first.finish()
    #expect(try folder.read("out") == "ours\n")
  }

  @Test(arguments: [false, true])
  func `a file that is to be replaced is not written in place`(_ isThere: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder["out"]
    if isThere { try folder.write("out", "old") }
    let first = try OutputFile(path: path, appending: false, whenWhole: true)
    let error = Self.error { _ = try OutputFile(path: path, appending: true, whenWhole: false) }
    #expect(error.map(RecordSink.line) == Self.refusal(path))
    #expect(try folder.names() == (isThere ? ["out", "out.partial"] : ["out.partial"]))
    try first.write("ours\n")
    try first.finish()
    #expect(try folder.read("out") == "ours\n")
  }

  @Test func `a file that another process started in the meantime is not replaced`() throws {
    let folder = try TemporaryFolder()
    let first = try OutputFile(path: folder["out"], appending: false, whenWhole: true)
    try first.write("ours")
    // Like a program that only locks the file.
    let (descriptor, _) = try FileLock.open(folder["out"])
    defer { close(descriptor) }
    try folder.write("out", "theirs")
    #expect(Self.error { try first.finish() }.map(RecordSink.line) == Self.refusal(folder["out"]))
    #expect(try folder.read("out") == "theirs")
    #expect(try folder.names() == ["out"])
  }

  @Test func `files left by a killed run are not a lock`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out.partial", "half")
    let file = try OutputFile(path: folder["out"], appending: false, whenWhole: true)
    try file.write("a")
    try file.finish()
    #expect(try folder.read("out") == "a")
    #expect(try folder.names() == ["out"])
  }

  @Test(arguments: [false, true])
  func `a symbolic link is another name of its file`(_ whenWhole: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("real", "old")
    try folder.link("link", to: folder["real"])
    let first = try OutputFile(path: folder["link"], appending: false, whenWhole: whenWhole)
    let error = Self.error {
      _ = try OutputFile(path: folder["real"], appending: false, whenWhole: whenWhole)
    }
    #expect(error?.code.rawValue == "output-in-use")
    try first.write("new")
    try first.finish()
    #expect(try folder.read("real") == "new")
    var status = stat()
    try #require(unsafe lstat(folder["link"], &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `devices and pipes are not locked`() throws {
    for _ in 0..<2 {
      let first = try OutputFile(path: "/dev/null", appending: false, whenWhole: true)
      let second = try OutputFile(path: "/dev/null", appending: false, whenWhole: false)
      for file in [first, second] {
        try file.write("x")
        try file.finish()
      }
    }
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    // Not opened before there is something to write: opening would wait for a reader.
    #expect(try OutputFile.early(path: folder["pipe"], appending: false, whenWhole: true) == nil)
  }

  @Test func `a file that cannot be created is an error before any work`() throws {
    let folder = try TemporaryFolder()
    let path = folder["none/out.jsonl"]
    let error = Self.error { _ = try OutputFile.early(path: path, appending: false, whenWhole: false) }
    #expect(
      error.map(RecordSink.line)
        == "'\(path)' cannot be written: No such file or directory. "
        + "Name a file in a folder that exists and may be written to.")
  }

  @Test func `a resumed run's copy stays locked`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out", ResumeTests.bad + ResumeTests.a)
    let file = try OutputFile(path: folder["out"], appending: true, whenWhole: false)
    let resumed = try ResumeFile(path: folder["out"], reader: JSONLinesResumeReader())
    try resumed.prepare(for: file)
    #expect(try folder.read("out") == ResumeTests.a)
    let error = Self.error { _ = try OutputFile(path: folder["out"], appending: true, whenWhole: false) }
    #expect(error?.code.rawValue == "output-in-use")
    try file.write(ResumeTests.b)
    try file.finish()
    #expect(try folder.read("out") == ResumeTests.a + ResumeTests.b)
  }

  @Test func `a page or a video is kept from the start to the end`() throws {
    let folder = try TemporaryFolder()
    let path = folder["page.html"]
    var first = try ReportFeed.reserve(path)
    let error = Self.error {
      _ = try ReportFeed.reserve(path)
    }
    #expect(
      error.map(RecordSink.line)
        == "\(path): another process is writing this file. "
        + "Wait until it ends, or name another file with --report.")
    // Written bytes stay; an empty file is removed.
    try folder.write("page.html.partial", "half a page")
    withExtendedLifetime(first) {}
    first = nil
    #expect(try folder.read("page.html.partial") == "half a page")
    try folder.write("page.html.partial", "")
    _ = try ReportFeed.reserve(path)
    #expect(
      try ReportFeed.reserve(folder.path) == nil)
    let missing = folder["none/page.html"]
    #expect(
      Self.error {
        _ = try ReportFeed.reserve(missing)
      }.map(RecordSink.line)
        == "The report '\(missing)' cannot be written: No such file or directory. "
        + "Name a file in a folder that exists, may be written to and has space.")
  }

  @Test func `a folder of results is created and locked, and removed if it stays empty`() throws {
    let folder = try TemporaryFolder()
    let path = folder["a/b"]
    var first: FolderLock? = try OutputReservation.folder(path, option: "output") {
      ResultFile.unwritable(path, $0)
    }
    let error = Self.error {
      _ = try OutputReservation.folder(path, option: "output") { ResultFile.unwritable(path, $0) }
    }
    #expect(
      error.map(RecordSink.line)
        == "\(path): another process is writing to this folder. "
        + "Wait until it ends, or name another folder with --output.")
    withExtendedLifetime(first) {}
    first = nil
    #expect(try folder.names() == [])
    first = try OutputReservation.folder(path, option: "output") { ResultFile.unwritable(path, $0) }
    try folder.write("a/b/x.xml", "<annotation>")
    first = nil
    #expect(try folder.read("a/b/x.xml") == "<annotation>")
    let file = folder["a/b/x.xml"]
    #expect(
      Self.error {
        _ = try OutputReservation.folder(file, option: "output") { ResultFile.unwritable(file, $0) }
      }.map(RecordSink.line)
        == "the result '\(file)' cannot be written: Not a directory. Name another folder with --output.")
  }

  @Test func `a complete file that another process is writing is left alone`() throws {
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "old")
    let (descriptor, _) = try FileLock.open(folder["m.tflite.partial"])
    defer { close(descriptor) }
    let error = Self.error { try ModelFileOutput.write([1, 2, 3], to: folder["m.tflite"]) }
    #expect(error.map(RecordSink.line) == Self.refusal(folder["m.tflite"]))
    #expect(try folder.read("m.tflite") == "old")
  }

  @Test(arguments: [
    ["--format", "jsonl"], ["--format", "json"], ["--format", "coco"], ["--format", "csv", "--resume"], [],
  ])
  func `a run is rejected before its first photo`(_ options: [String]) async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.write("out", "")
    let whole = options.contains("json") || options.contains("coco")
    let holder = try OutputFile(path: folder["out"], appending: true, whenWhole: whole)
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      Issue.record("a photo was processed")
      return Sample.findings
    }
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "-o", folder["out"]] + options, in: folder, analyzer: analyzer)
    #expect(outcome.code == 2)
    #expect(outcome.errors == "fovea: " + Self.refusal("out") + "\n")
    holder.discard()
    let second = try await PhotoRunTests.run([folder["in"], "-o", folder["out"]] + options, in: folder)
    #expect(second.code == 0, "\(second)")
  }

  @Test func `a video of boxes is rejected in the same way`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...3))
    let holder = try OutputFile(path: folder["out.csv"], appending: true, whenWhole: false)
    let outcome = try await TrackOutcome.of([folder["det.txt"], "-o", folder["out.csv"]], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.notes == [Self.refusal("out.csv")])
    holder.discard()
    #expect(try await TrackOutcome.of([folder["det.txt"], "-o", folder["out.csv"]], in: folder).code == 0)
  }

  @Test func `a video that cannot be created is an error before the first frame`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await TrackOutcome.of(
      [folder["none.mp4"], "--annotate", folder["no folder/x.mp4"]], in: folder)
    #expect(outcome.code == 1)
    #expect(
      outcome.notes == [
        "no folder/x.mp4: the file 'no folder/x.mp4.partial' cannot be created: No such file or directory. "
          + "Create the folder first."
      ])
  }

  @Test func `the temporary name of a file is taken`() throws {
    for (first, second) in [("x.mp4", "x.mp4.partial"), ("x.mp4.partial", "x.mp4")] {
      let error = #expect(throws: FoveaError.self) {
        try OutputGuard.check(distinct: [("--output", first), ("--annotate", second)])
      }
      #expect(
        error.map(RecordSink.line)
          == "x.mp4.partial: the file of --output or --annotate has this name until it is finished. "
          + "Name another file with --annotate.")
    }
    #expect(throws: Never.self) { try OutputGuard.check(distinct: [("--output", "x"), ("--annotate", "y")]) }
  }

  @Test(arguments: ["out", "a/b/out", "a/b/"])
  func `an annotated image's folder is checked before the first photo`(_ place: String) async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.write("file", "a file")
    struct Nothing: ImageAnnotator {
      func annotated(
        _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat,
        hasThumbnail: Bool
      ) throws(FoveaError) -> AnnotatedPhoto { AnnotatedPhoto(file: []) }
    }
    let good = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder[place]], in: folder, annotator: Nothing())
    #expect(good.code == 0, "\(good)")
    let bad = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["file/" + place]], in: folder, annotator: Nothing())
    #expect(bad.code == 2)
    #expect(
      bad.errors == "fovea: the annotated image 'file/\(place)' cannot be written: Not a directory. "
        + "Name another folder with --annotate.\n")
  }
}
