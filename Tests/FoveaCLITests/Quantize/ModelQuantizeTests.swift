// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
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
