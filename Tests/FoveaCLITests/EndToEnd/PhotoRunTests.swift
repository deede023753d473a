// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCLI

/// Whole runs, from arguments to bytes in files, with an analyzer that needs no model.
@Suite struct PhotoRunTests {
  struct Outcome {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Runs with standard output and error in files of `folder`.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, jobs: Int = 2, stop: StopSignal = StopSignal(),
    annotator: (any ImageAnnotator)? = nil, analyzer: any ImageAnalyzer = FakeAnalyzer.oneObject
  ) async throws -> Outcome {
    let command = try #require(try FoveaCommand.parseAsRoot(["detect"] + arguments) as? DetectCommand)
    let output = try descriptor(folder["stdout"])
    let errors = try descriptor(folder["stderr"])
    defer {
      close(output)
      close(errors)
    }
    var run = PhotoRun(
      paths: command.input.paths, recursive: command.input.recursive, kind: .objects, jobs: jobs,
      format: command.chosenFormat, output: command.output.values, stop: stop)
    run.shard = command.input.shard
    run.cocoIndex = try command.detection.cocoIds.map { try COCOIndex(file: $0) }
    run.writesScores = command.detection.yoloScores
    run.masks = command.masks.chosen
    run.outputDescriptor = output
    run.errorDescriptor = errors
    run.work.isUpright = command.detection.upright ?? command.chosenFormat.isFolder
    if let annotator, let target = command.detection.annotate {
      run.work.annotation = AnnotationPlan(target: AnnotationPlan.target(of: target), annotator: annotator)
    }
    let code = await run.execute { () throws(FoveaError) in analyzer }
    return Outcome(
      code: code, output: try folder.read("stdout"),
      errors: try folder.read("stderr").replacing(folder.path + "/", with: ""))
  }

  static func descriptor(_ path: String) throws -> Int32 {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    return descriptor
  }

  static func album(_ names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { try folder.write("in/\(name)", "") }
    return folder
  }

  static func images(_ lines: String) -> [String] {
    lines.split(separator: "\n").map { line in
      String(line.split(separator: "\"").dropFirst(3).first?.split(separator: "/").last ?? "")
        + (line.contains("\"error\"") ? "!" : "")
    }
  }

  @Test(
    arguments: [
      ("jsonl", "rle", #""mask": {"size": [4, 6], "counts": "5220;"}"#, nil),
      ("jsonl", "polygon", #""polygons": [["#, nil), ("jsonl", "none", nil, nil),
      ("coco", "rle", #""area": 4, "segmentation": {"#, nil),
      ("csv", "rle", nil, "fovea: masks are not in csv: use json, jsonl, coco or yolo\n"),
      ("csv", "none", nil, nil),
    ] as [(String, String, String?, String?)])
  func `masks have the requested form, or one note`(
    _ format: String, _ form: String, _ part: String?, _ note: String?
  ) async throws {
    let folder = try Self.album(["a.jpg", "b.jpg"])
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      let size = PixelSize(width: 6, height: 4)
      var object = DetectedObject(box: BoundingBox(x: 1, y: 1, width: 2, height: 2), score: 0.5)
      object.mask = try? ObjectMask(RunLengths(counts: [5, 2, 2, 2, 13], size: size))
      return DetectionRecord.Findings(size: size, orientation: .up, content: .objects([object]))
    }
    let outcome = try await Self.run(
      [folder["in/a.jpg"], folder["in/b.jpg"], "--format", format, "--masks", form], in: folder,
      analyzer: analyzer)
    #expect(outcome.code == 0)
    if let part { #expect(outcome.output.contains(part), "\(outcome.output)") }
    #expect(outcome.output.contains("\"mask\"") == (format == "jsonl" && form != "none"))
    let notes = outcome.errors.split(separator: "\n").filter { $0.contains("not in") }
    #expect(notes.map { $0 + "\n" } == (note.map { [$0] } ?? []))
  }

  @Test(
    arguments: [
      ("rle", "fovea: --masks rle has no effect: no object has a mask"),
      ("polygon", "fovea: --masks polygon has no effect: no object has a mask"), ("none", nil), (nil, nil),
    ] as [(String?, String?)])
  func `a form of masks without an object that has one is noted once`(
    _ form: String?, _ note: String?
  ) async throws {
    let folder = try Self.album(["a.jpg", "b.jpg"])
    let options = form.map { ["--masks", $0] } ?? []
    let outcome = try await Self.run(
      [folder["in/a.jpg"], folder["in/b.jpg"], "--format", "jsonl"] + options, in: folder)
    #expect(outcome.code == 0)
    let notes = outcome.errors.split(separator: "\n").filter { $0.contains("no effect") }.map(String.init)
    #expect(notes == (note.map { [$0] } ?? []))
  }

  @Test func `one good image`() async throws {
    let folder = try Self.album(["a.jpg"])
    let outcome = try await Self.run([folder["in/a.jpg"], "--format", "jsonl"], in: folder)
    #expect(outcome.code == 0)
    #expect(Self.images(outcome.output) == ["a.jpg"])
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a bad image does not stop the others`() async throws {
    let folder = try Self.album(["1.jpg", "2bad.jpg", "3.jpg"])
    let outcome = try await Self.run([folder["in"], "missing", "--format", "jsonl"], in: folder)
    #expect(outcome.code == 1)
    #expect(Self.images(outcome.output) == ["1.jpg", "2bad.jpg!", "3.jpg", "missing!"])
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3)
    try #require(lines.count >= 3)
    #expect(lines[0] == "fovea: in/2bad.jpg: the file ends after 100 of 4096 bytes. Copy the file again.")
    #expect(lines[1] == "fovea: missing: cannot be opened: No such file or directory. Check the path.")
    #expect(lines[2].hasPrefix("2 images, 2 objects, 2 failed, "))
    #expect(lines[2].hasSuffix(" images/s"))
  }

  @Test(arguments: [[], ["--format", "json"], ["--format", "jsonl", "--resume"]])
  func `results never replace a photo`(_ options: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.jpg", "photo")
    try folder.write("in/photo without an ending", "photo")
    try folder.link("link", to: folder["in/photo without an ending"])
    for (input, output) in [
      ("in/a.jpg", "in/a.jpg"), ("in", "in/a.jpg"), ("in/photo without an ending", "link"),
    ] {
      let outcome = try await Self.run([folder[input], "--output", folder[output]] + options, in: folder)
      #expect(outcome.code == 2)
      #expect(outcome.errors.hasPrefix("fovea: \(output): the results would replace this file, which "))
      #expect(outcome.errors.hasSuffix(". Name another file with --output.\n"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    #expect(try folder.read("in/a.jpg") == "photo")
    #expect(try folder.read("link") == "photo")
  }

  @Test func `an output file with an image extension may be new or empty`() async throws {
    let folder = try Self.album(["a.jpg"])
    let outcome = try await Self.run([folder["in"], "--output", folder["new.jpg"]], in: folder)
    #expect(outcome.code == 0)
    #expect(folder.exists("new.jpg"))
  }

  @Test func `results never replace a model`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.tflite", "TFL3")
    #expect(throws: FoveaError.self) {
      try OutputGuard.check(folder["a.tflite"], against: ["-", "*.jpg", folder["a.tflite"]])
    }
    #expect(throws: Never.self) { try OutputGuard.check(folder["a.tflite"], against: ["-", "*.jpg"]) }
    #expect(throws: Never.self) { try OutputGuard.check("/dev/null", against: ["/dev/null"]) }
  }

  @Test func `an error that ends the run names its file once`() {
    var error = FoveaError(.unexpected, "it is damaged", remedy: "Get it again")
    #expect(RecordSink.line(error) == "it is damaged. Get it again.")
    error.subject = "m.tflite"
    #expect(RecordSink.line(error) == "m.tflite: it is damaged. Get it again.")
    #expect(RecordSink.line("a.jpg", error) == "a.jpg: it is damaged. Get it again.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a named pipe without a writer can be interrupted`() async throws {
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    let image = InputImage(source: .file(FilePath(folder["pipe"])), relativePath: "pipe")
    let stop = StopSignal()
    stop.request()
    let error = #expect(throws: FoveaError.self) { try image.bytes(limit: 100, stop: stop) }
    #expect(error?.code.rawValue == "interrupted")
  }

  @Test func `quiet prints only failures`() async throws {
    let folder = try Self.album(["1.jpg", "2bad.jpg"])
    let outcome = try await Self.run([folder["in"], "-q"], in: folder)
    #expect(
      outcome.errors == "fovea: in/2bad.jpg: the file ends after 100 of 4096 bytes. Copy the file again.\n")
  }

  @Test func `a hostile name cannot forge a line`() async throws {
    let folder = try Self.album(["bad\nfovea: x\u{1B}[31m.jpg"])
    let outcome = try await Self.run([folder["in"], "-q"], in: folder)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.hasPrefix("fovea: in/bad\\nfovea: x\\u{1b}[31m.jpg: "))
  }

  @Test func `results keep the input's order even if they finish out of order`() async throws {
    let names = (0..<40).map { "\($0).jpg" }
    let folder = try Self.album(names)
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      let number = Int(name.split(separator: "/").last?.split(separator: ".").first ?? "") ?? 0
      for _ in 0..<((40 - number) * 4) { await Task.yield() }
      return Sample.findings
    }
    let ordered = try await Self.run(
      [folder["in"], "--format", "jsonl"], in: folder, jobs: 8, analyzer: analyzer)
    #expect(Self.images(ordered.output) == names)
    let unordered = try await Self.run(
      [folder["in"], "--format", "jsonl", "--unordered"], in: folder, jobs: 8, analyzer: analyzer)
    #expect(Self.images(unordered.output).sorted() == names.sorted())
  }

  @Test func `no more images run at a time than requested`() async throws {
    let folder = try Self.album((0..<30).map { "\($0).jpg" })
    let peak = Mutex((now: 0, most: 0))
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      peak.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      // Until all three are running, which takes a while on one thread.
      for _ in 0..<100_000 where peak.withLock({ $0.most < 3 }) { await Task.yield() }
      for _ in 0..<20 { await Task.yield() }
      peak.withLock { $0.now -= 1 }
      return Sample.findings
    }
    _ = try await Self.run([folder["in"]], in: folder, jobs: 3, analyzer: analyzer)
    #expect(peak.withLock { $0.most } == 3)
  }

  @Test func `an interrupted run ends with whole results`() async throws {
    let folder = try Self.album((0..<20).map { "\($0).jpg" })
    let stop = StopSignal()
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      if name.hasSuffix("/4.jpg") { stop.request() }
      return Sample.findings
    }
    let outcome = try await Self.run(
      [folder["in"], "--format", "json", "--output", folder["out.json"]], in: folder, jobs: 1, stop: stop,
      analyzer: analyzer)
    #expect(outcome.code == 130)
    let text = try folder.read("out.json")
    #expect(text.hasPrefix("[\n{") && text.hasSuffix("}\n]\n"))
    #expect(text.split(separator: "\n").count == 7)
    #expect(outcome.errors.hasPrefix("5 images, 5 objects, "))
  }

  @Test func `a resumed run processes only the remaining images`() async throws {
    let folder = try Self.album(["1.jpg", "2bad.jpg", "3.jpg", "4.jpg"])
    let arguments = [folder["in"], "--format", "jsonl", "--output", folder["out"], "--resume"]
    _ = try await Self.run(arguments, in: folder)
    let whole = try folder.read("out")
    #expect(Self.images(whole) == ["1.jpg", "2bad.jpg!", "3.jpg", "4.jpg"])
    // Killed within the last line.
    try folder.write("out", String(whole.dropLast(20)))
    let asked = Mutex<[String]>([])
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      asked.withLock { $0.append(String(name.split(separator: "/").last ?? "")) }
      return Sample.findings
    }
    let outcome = try await Self.run(arguments, in: folder, jobs: 1, analyzer: analyzer)
    #expect(outcome.code == 0)
    #expect(asked.withLock { $0 } == ["2bad.jpg", "4.jpg"])
    #expect(Self.images(try folder.read("out")) == ["1.jpg", "3.jpg", "2bad.jpg", "4.jpg"])
    #expect(outcome.errors.hasPrefix("2 images, 2 objects, 2 skipped (done before), "))
  }

  @Test(arguments: ["jsonl", "csv"])
  func `a file of one shard that another shard continues has a note`(_ format: String) async throws {
    let names = (0..<16).map { "\($0).jpg" }
    let folder = try Self.album(names)
    let first = try #require(Shard(argument: "0/2"))
    let own = names.filter { first.contains($0) }
    try #require(!own.isEmpty && own.count < names.count)
    let part = [folder["in"], "--format", format, "--output", folder["part"], "--resume", "--shard"]
    #expect(try await Self.run(part + ["0/2"], in: folder).errors.contains("another shard") == false)
    #expect(try await Self.run(part + ["0/2"], in: folder).errors.contains("another shard") == false)
    let mixed = try await Self.run(part + ["1/2"], in: folder)
    #expect(mixed.code == 0)
    let note = "fovea: 'part' already has images of another shard, such as 'in/"
    #expect(mixed.errors.hasPrefix(note), "\(mixed.errors)")
    #expect(mixed.errors.contains(".jpg'; give each shard its own --output.\n"), "\(mixed.errors)")
    let quiet = try await Self.run(part + ["1/2", "-q"], in: folder)
    #expect(quiet.errors == "")
  }

  @Test func `a resumed run with nothing left needs no model`() async throws {
    let folder = try Self.album(["1.jpg"])
    let arguments = [folder["in"], "--format", "csv", "--output", folder["out"], "--resume"]
    _ = try await Self.run(arguments, in: folder)
    let first = try folder.read("out")
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in throw Sample.error }
    let outcome = try await Self.run(arguments, in: folder, analyzer: analyzer)
    #expect(outcome.code == 0)
    #expect(try folder.read("out") == first)
  }

  @Test func `a replaced file stays until the new one is complete`() async throws {
    let folder = try Self.album(["1.jpg"])
    try folder.write("out.json", "old")
    let old = Mutex("")
    let path = folder["out.json"]
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      let image = InputImage(source: .file(FilePath(path)), relativePath: "")
      let bytes = try image.bytes(limit: 100, stop: StopSignal())
      old.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
      return Sample.findings
    }
    _ = try await Self.run(
      [folder["in/1.jpg"], "--format", "json", "--output", path], in: folder, analyzer: analyzer)
    #expect(old.withLock { $0 } == "old")
    #expect(try folder.read("out.json").hasPrefix("[\n{"))
    #expect(!folder.exists("out.json.partial"))
  }

  @Test func `a full disk ends the run with whole lines`() async throws {
    let folder = try Self.album((0..<3).map { "\($0).jpg" })
    let outcome = try await Self.run(
      [folder["in"], "--format", "jsonl", "--output", "/dev/full"], in: folder)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == "fovea: writing '/dev/full' failed: No space left on device. "
        + "Free some space or name another file; a jsonl or csv file can be continued with --resume.\n")
  }

  @Test func `an output that cannot be opened is one error`() async throws {
    let folder = try Self.album(["a.jpg"])
    let outcome = try await Self.run([folder["in"], "--output", folder["none/out"]], in: folder)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors
        == "fovea: 'none/out' cannot be written: No such file or directory. "
        + "Name a file in a folder that exists and may be written to.\n")
  }

  @Test func `a number that is not finite is a failed image`() async throws {
    let folder = try Self.album(["a.jpg"])
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      var findings = Sample.findings
      var object = Sample.object
      object.score = .nan
      findings.content = .objects([object])
      return findings
    }
    let outcome = try await Self.run([folder["in"], "--format", "jsonl"], in: folder, analyzer: analyzer)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\"code\": \"result-not-finite\""))
  }

  @Test func `a model that cannot be loaded ends the run`() async throws {
    let folder = try Self.album(["a.jpg", "b.jpg"])
    try folder.write("out", "old")
    let command = try #require(
      try FoveaCommand.parseAsRoot(["detect", folder["in"], "--output", folder["out"]]) as? DetectCommand)
    var run = PhotoRun(
      paths: command.input.paths, kind: .objects, jobs: 2, format: command.chosenFormat,
      output: command.output.values, stop: StopSignal())
    run.errorDescriptor = try Self.descriptor(folder["stderr"])
    defer { close(run.errorDescriptor) }
    let code = await run.execute { () throws(FoveaError) in throw Sample.error }
    #expect(code == 2)
    #expect(
      try folder.read("stderr") == "fovea: the file ends after 100 of 4096 bytes. Copy the file again.\n")
    #expect(try folder.read("out") == "old")
  }

  @Test func `verbose prints the time of every stage`() async throws {
    let folder = try Self.album(["a.jpg"])
    let outcome = try await Self.run([folder["in/a.jpg"], "-v"], in: folder)
    #expect(
      outcome.errors == "fovea: in/a.jpg: decode 9.8 ms, prepare 0.4 ms, detect 2.3 ms, classify 3.1 ms, "
        + "total 15.9 ms\n")
  }

  @Test func `one slow image holds back a bounded number of results`() async throws {
    let folder = try Self.album((0..<200).map { "\($0).jpg" })
    let finished = Mutex((others: 0, whenSlowEnded: 0))
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      guard name.hasSuffix("/0.jpg") else {
        finished.withLock { $0.others += 1 }
        return Sample.findings
      }
      // Ends only when nothing else can continue.
      var (before, quiet) = (-1, 0)
      while quiet < 2_000 {
        await Task.yield()
        let now = finished.withLock { $0.others }
        quiet = now == before && now > 0 ? quiet + 1 : 0
        before = now
      }
      finished.withLock { $0.whenSlowEnded = $0.others }
      return Sample.findings
    }
    let outcome = try await Self.run(
      [folder["in"], "--format", "jsonl"], in: folder, jobs: 2, analyzer: analyzer)
    #expect(Self.images(outcome.output) == (0..<200).map { "\($0).jpg" })
    // The window of two jobs is 64 + 8 · 2 images, including the slow one.
    #expect(finished.withLock { $0.whenSlowEnded } <= 79)
  }

  @Test(arguments: [["empty"], ["missing"], ["in", "missing"]])
  func `a shard whose inputs cannot be listed is unfinished, with lines only for images`(_ inputs: [String])
    async throws
  {
    let folder = try Self.album(["a.jpg"])
    try folder.write("empty/note.txt", "")
    let options = inputs.map { folder[$0] } + ["--format", "jsonl"]
    let shard = try await Self.run(options + ["--shard", "0/1"], in: folder)
    #expect(shard.code == 2, "\(shard)")
    #expect(Self.images(shard.output) == (inputs.count == 2 ? ["a.jpg"] : []))
    #expect(shard.errors.contains(inputs == ["empty"] ? "no images" : "cannot be opened"))
    #expect(try await Self.run(options, in: folder).code == 1)
    #expect(try await Self.run([folder["in"], "--shard", "0/1"], in: folder).code == 0)
  }

  @Test(arguments: [[], ["--upright"]])
  func `an oddity of a file is one note, and skipped files are another`(_ options: [String])
    async throws
  {
    let folder = try Self.album(["a.jpg", "b.jfif", "n.txt", "m.json"])
    let analyzer = FakeAnalyzer { name in
      var findings = Sample.findings
      if name.hasSuffix("b.jfif") { findings.notes = ["the JPEG does not end as it should"] }
      return findings
    }
    let outcome = try await Self.run(
      [folder["in"], "--format", "jsonl"] + options, in: folder, analyzer: analyzer)
    #expect(outcome.code == 0)
    #expect(Self.images(outcome.output) == ["a.jpg", "b.jfif"])
    #expect(outcome.errors.contains("fovea: in/b.jfif: the JPEG does not end as it should.\n"))
    #expect(outcome.errors.contains("fovea: skipped 2 files that are not images: "))
    let quiet = try await Self.run([folder["in"], "-q"] + options, in: folder, analyzer: analyzer)
    #expect(quiet.errors == "")
  }

  @Test func `a failed folder is one failed input`() async throws {
    let folder = try Self.album([])
    try folder.write("empty/note.txt", "")
    let outcome = try await Self.run([folder["empty"], "--format", "json"], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains(#""error": {"code": "folder-empty", "#))
    #expect(outcome.output.hasPrefix("[\n{") && outcome.output.hasSuffix("}\n]\n"))
    #expect(outcome.errors.hasSuffix("\n0 images, 0 objects, 1 failed\n"))
  }

  @Test func `each line marks upright boxes`() async throws {
    let folder = try Self.album(["a.jpg"])
    let outcome = try await Self.run([folder["in"], "--format", "jsonl", "--upright"], in: folder)
    #expect(
      outcome.output.contains(#""width": 3024, "height": 4032, "orientation": "right", "space": "upright""#))
  }
}
