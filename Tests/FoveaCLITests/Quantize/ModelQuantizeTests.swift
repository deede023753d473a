// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct ModelQuantizeTests {
  /// A folder with a float classifier, photos of one colour, and a file of text.
  static func folder() throws -> TemporaryFolder {
    let folder = try ModelCompareTests.folder()
    try folder.write("m.tflite", TestModel.floatClassifier().bytes())
    return folder
  }

  /// An image of many colours.
  private static func pattern(_ index: Int) -> PixelCanvas {
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for place in bytes.indices {
        unsafe bytes[place] = UInt8(truncatingIfNeeded: place * (index + 3) / 7)
      }
    }
    return canvas
  }

  static func run(
    _ arguments: [String], in folder: TemporaryFolder, stop: StopSignal = StopSignal()
  ) throws -> QuantizationRun {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["model", "quantize", folder["m.tflite"], "--quiet"] + arguments)
        as? ModelQuantizeCommand)
    var run = command.prepared
    run.stop = stop
    return run
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var options = ["--weights", "float16"]
    var output = "new.tflite"
    var code: Int32
  }

  @Test(arguments: [
    Row(testDescription: "a new file", code: 0),
    Row(testDescription: "an existing file", output: "old.tflite", code: 2),
    Row(
      testDescription: "an existing file, by force", options: ["--weights", "int8", "--force"],
      output: "old.tflite", code: 0),
    Row(
      testDescription: "the model itself", options: ["--weights", "int8", "--force"], output: "m.tflite",
      code: 2),
    Row(
      testDescription: "a link to the model", options: ["--weights", "int8", "--force"],
      output: "model-link.tflite", code: 2),
    Row(testDescription: "a link to another file", output: "old-link.tflite", code: 2),
    Row(
      testDescription: "a link to another file, by force", options: ["--weights", "int8", "--force"],
      output: "old-link.tflite", code: 0),
    Row(testDescription: "a folder", options: ["--weights", "int8", "--force"], output: "photos", code: 2),
    Row(testDescription: "a pipe", options: ["--weights", "int8", "--force"], output: "pipe", code: 2),
    Row(
      testDescription: "a name that is too long", output: String(repeating: "n", count: 300), code: 2),
    Row(testDescription: "a folder that is missing", output: "none/new.tflite", code: 2),
    Row(
      testDescription: "a photo", options: ["--photos", "photos", "--force"], output: "photos/a.png", code: 2),
    Row(
      testDescription: "a photo without an extension", options: ["--photos", "photo", "--force"],
      output: "photo", code: 2),
    Row(testDescription: "no photos", options: ["--photos", "empty"], code: 1),
    Row(testDescription: "a missing photo", options: ["--photos", "missing.jpg"], code: 1),
    Row(testDescription: "a broken photo", options: ["--photos", "broken.jpg"], code: 1),
    Row(
      testDescription: "labels that do not fit", options: ["--photos", "photos", "--labels", "labels.txt"],
      code: 2),
    Row(
      testDescription: "missing ground truth",
      options: ["--photos", "photos", "--ground-truth", "missing.json"], code: 2),
    Row(
      testDescription: "a layer that the model does not have",
      options: ["--photos", "photos", "--keep-float", "third"], code: 64),
  ])
  func `what cannot be done is refused, and changes nothing`(_ row: Row) async throws {
    let folder = try Self.folder()
    try folder.write("old.tflite", "old")
    try folder.write("photo", try PixelCanvas(size: PixelSize(width: 8, height: 8)).encoded(as: .png))
    try folder.write("empty/notes.txt", "")
    try folder.write("labels.txt", "red\ngreen\n")
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    try folder.link("model-link.tflite", to: folder["m.tflite"])
    try folder.link("old-link.tflite", to: folder["old.tflite"])
    let (names, model) = (try folder.names(), try folder.read("m.tflite"))
    let options = row.options.map { names.contains($0) || $0.contains(".") ? folder[$0] : $0 }
    let run = try Self.run(options + ["--output", folder[row.output]], in: folder)
    #expect(await run.execute() == row.code)
    #expect(try folder.read("m.tflite") == model)
    let isNew = row.code == 0 && row.output == "new.tflite"
    #expect(try folder.names() == (isNew ? names + ["new.tflite"] : names).sorted())
    #expect(try folder.read("old.tflite") == "old" || row.code == 0)
    #expect(SymbolicLink.isLink(folder["old-link.tflite"]) == true)
  }

  @Test(arguments: [
    ["--photos", "photos"], ["--ground-truth", "truth.json"], ["--keep-float", "first"], ["--at-least", "0"],
    ["--float-layers", "3"],
  ])
  func `options of photos and layers are refused with smaller weights`(_ options: [String]) {
    let arguments = ["model", "quantize", "m.tflite", "--weights", "int8", "--output", "new.tflite"]
    #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(arguments + options) }
  }

  @Test(arguments: [("-", false), ("", false), ("./-", true), ("/dev/stdout", true)])
  func `a dash is not the name of the new file`(output: String, isAccepted: Bool) {
    let arguments = ["model", "quantize", "m.tflite", "--weights", "int8", "--output", output]
    #expect(((try? FoveaCommand.parseAsRoot(arguments)) != nil) == isAccepted)
  }

  @Test(
    .enabled(
      if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
  func `a full disk leaves no file`() async throws {
    let folder = try Self.folder()
    // The limit on a file's size, in blocks of 512 or 1,024 bytes, depending on the shell.
    let outcome = try await ModelCommandTests.fovea(
      ["model", "quantize", folder["m.tflite"], "--weights", "int8", "--output", folder["new.tflite"]],
      in: folder, shell: "ulimit -f 1")
    #expect(outcome.code == 2 && outcome.messages.contains("File too large"), "\(outcome)")
    #expect(try folder.names().allSatisfy { !$0.hasPrefix("new") })
  }

  /// The names in a folder before and after an interrupted run.
  struct InterruptedCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var options: [String]
    var old: String?
  }

  @Test(arguments: [
    InterruptedCase(testDescription: "a new file", options: ["--photos", "photos"]),
    InterruptedCase(
      testDescription: "an existing file", options: ["--photos", "photos", "--force"], old: "old"),
    InterruptedCase(testDescription: "smaller weights", options: ["--weights", "float16"]),
    InterruptedCase(
      testDescription: "smaller weights of an existing file", options: ["--weights", "int8", "--force"],
      old: "old"),
  ])
  func `an interrupted run writes nothing and exits with 130`(_ test: InterruptedCase) async throws {
    let folder = try Self.folder()
    if let old = test.old { try folder.write("new.tflite", old) }
    let names = try folder.names()
    let stop = StopSignal()
    stop.request()
    let options = test.options.map { $0 == "photos" ? folder[$0] : $0 }
    let run = try Self.run(options + ["--output", folder["new.tflite"]], in: folder, stop: stop)
    #expect(await run.execute() == ExitCodes.interrupted)
    #expect(try folder.names() == names)
    if let old = test.old { #expect(try folder.read("new.tflite") == old) }
  }

  @Test func `a request to stop before a file has its name keeps the old one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "old")
    let stop = StopSignal()
    stop.request()
    let error = FileLockTests.error { try ModelFileOutput.write([1, 2], to: folder["m.tflite"], stop: stop) }
    #expect(error?.code == .cancelled)
    #expect(try folder.read("m.tflite") == "old")
    #expect(try folder.names() == ["m.tflite"])
  }

  @Test(
    .enabled(
      if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"),
    arguments: [
      (
        ["pattern0.png", "pattern1.png"],
        "only 2 photos show the ranges of numbers; give 14 different photos or more, of which 10 show them"
      ),
      (
        ["pattern0.png", "broken.jpg", "photos/a.png"],
        "only 1 photo shows the ranges of numbers; give 14 different photos or more, of which 10 show them"
      ),
      (["broken.jpg"], nil),
    ] as [([String], String?)])
  func `few photos are noted if one of them shows the ranges`(_ names: [String], _ note: String?) async throws
  {
    let folder = try Self.folder()
    for index in 0..<2 {
      try folder.write("pattern\(index).png", try Self.pattern(index).encoded(as: .png))
    }
    let options = names.flatMap { ["--photos", folder[$0]] }
    let outcome = try await ModelCommandTests.fovea(
      ["model", "quantize", folder["m.tflite"], "--output", folder["new.tflite"], "--at-least", "0"]
        + options,
      in: folder)
    #expect(outcome.messages.contains("fovea: only ") == (note != nil), "\(outcome)")
    #expect(note.map(outcome.messages.contains) ?? outcome.messages.contains("cannot be read"), "\(outcome)")
  }

  @Test(
    .enabled(
      if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"),
    arguments: [["--weights", "int8"], ["--at-least", "0", "--photos", "pattern.png"]])
  func `a quiet run prints its report, without notes`(_ options: [String]) async throws {
    let folder = try Self.folder()
    try folder.write("pattern.png", try Self.pattern(0).encoded(as: .png))
    let words = options.map { $0.hasSuffix(".png") ? folder[$0] : $0 }
    let outcome = try await ModelCommandTests.fovea(
      ["model", "quantize", folder["m.tflite"], "--output", folder["new.tflite"], "--quiet"] + words,
      in: folder)
    #expect(outcome.code == 0 && outcome.messages.isEmpty, "\(outcome)")
    #expect(outcome.output.contains("new.tflite written"), "\(outcome)")
  }

  @Test func `photos of one colour are refused, and nothing is written`() async throws {
    let folder = try Self.folder()
    let names = try folder.names()
    for least in ["0", "0.9"] {
      let run = try Self.run(
        ["--photos", folder["photos"], "--output", folder["new.tflite"], "--at-least", least], in: folder)
      #expect(await run.execute() == 1)
      #expect(try folder.names() == names)
    }
  }

  @Test(
    .enabled(
      if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"),
    arguments: [["quantize", "--output", "new.tflite"], ["compare", "m.tflite"]])
  func `Ctrl-C while a photo is read leaves no file`(_ command: [String]) async throws {
    let folder = try Self.folder()
    try #require(unsafe mkfifo(folder["pipe.jpg"], 0o600) == 0)
    let words = command.dropFirst().map { $0.hasPrefix("--") ? $0 : folder[$0] }
    let arguments = ["model", command[0], folder["m.tflite"]] + words + ["--photos", folder["pipe.jpg"]]
    var writer: Int32 = -1
    let outcome = try await ModelCommandTests.fovea(arguments, in: folder) { process in
      try await waitUntil("the program reads the photo") {
        // Fails until the pipe has a reader.
        writer = unsafe open(folder["pipe.jpg"], O_WRONLY | O_NONBLOCK)
        return writer >= 0 || !process.isRunning
      }
      process.interrupt()
    }
    if writer >= 0 { close(writer) }
    #expect(outcome.code == 130, "\(outcome)")
    #expect(outcome.output.isEmpty && outcome.messages.contains("interrupted"), "\(outcome)")
    #expect(try folder.names().allSatisfy { !$0.hasPrefix("new") })
  }
}
