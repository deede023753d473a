// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct EvaluateLabelsTests {
  /// A folder with a photo of each of two classes, and with answers.
  static func folder(_ answers: [String] = ["cat", "cat"]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let names = ["cat/1.jpg", "dog/1.jpg"]
    for name in names { try folder.write("set/\(name)", "no image") }
    try folder.write(
      "labels.jsonl",
      zip(names, answers).map {
        #"{"image": "\#($0)", "labels": [{"text": "\#($1)", "confidence": 0.9}]}"# + "\n"
      }.joined())
    return folder
  }

  static func run(_ folder: TemporaryFolder, _ options: [String]) throws -> EvaluationRun {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["evaluate", "labels", folder["set"], "--quiet"] + options)
        as? EvaluateLabelsCommand)
    return EvaluationRun(
      photos: command.photos, source: command.source, set: command.set, output: command.output)
  }

  @Test func `answers in a file are evaluated, and a report is written`() async throws {
    let folder = try Self.folder()
    let run = try Self.run(
      folder,
      [
        "--predictions", folder["labels.jsonl"], "--report", folder["page.html"], "--no-photos",
        "--no-per-class",
      ])
    #expect(await run.execute() == 0)
    let page = try folder.read("page.html")
    #expect(page.contains("<dd>50.0\u{A0}%</dd>") && page.contains("\"confusion\": [{"))
    let evaluated = try await run.evaluated(TrainingDisplay(isQuiet: true))
    let text = run.text(of: evaluated)
    #expect(text.contains("accuracy           0.5000  ± 0.3536") && !text.contains("confused with"))
  }

  @Test func `broken photos are left out, with exit code 1`() async throws {
    let folder = try Self.folder()
    let run = try Self.run(
      folder, ["--model", "classifier", "--map", folder["map.csv"], "--json"])
    try folder.write("map.csv", "cat,Food\ndog,Plant\n")
    #expect(await run.execute() == 1)
    let evaluated = try await run.evaluated(TrainingDisplay(isQuiet: true))
    #expect(run.text(of: evaluated).hasPrefix(#"{"photos": 0, "failed": 2, "missing": 0, "#))
  }

  @Test(arguments: [true, false])
  func `a report that cannot be written has its reason, and leaves no file`(
    _ isInUse: Bool
  ) async throws {
    let folder = try Self.folder()
    let path = folder["page.html"]
    let run = try Self.run(
      folder, ["--predictions", folder["labels.jsonl"], "--report", path, "--no-photos"])
    let evaluated = try await run.evaluated(TrainingDisplay(isQuiet: true))
    // Another process writes the page, or a folder has its temporary name.
    let other = try isInUse ? ReplacedFile(path) : nil
    if !isInUse { try folder.write("page.html.partial/file", "") }
    let error = #expect(throws: FoveaError.self) { try run.write(evaluated) }
    #expect(error?.code.rawValue == "report-unwritable")
    let reason = isInUse ? "another process is writing it" : "Is a directory"
    #expect(error?.message == "The report '\(path)' cannot be written: \(reason)")
    #expect(await run.execute() == 1)
    #expect(!folder.exists("page.html"))
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [("/dev/null", 0), ("/dev/full", 1)] as [(String, Int32)])
  func `a report can be written to a device`(_ path: String, _ code: Int32) async throws {
    let folder = try Self.folder()
    let run = try Self.run(
      folder, ["--predictions", folder["labels.jsonl"], "--report", path, "--no-photos"])
    #expect(await run.execute() == code)
    #expect(FileStatus(FilePath(path))?.kind == .other)
    guard code != 0 else { return }
    let evaluated = try await run.evaluated(TrainingDisplay(isQuiet: true))
    let error = #expect(throws: FoveaError.self) { try run.write(evaluated) }
    #expect(error?.message == "The report '/dev/full' cannot be written: No space left on device")
  }

  @Test func `a report never replaces an input`() async throws {
    let folder = try Self.folder()
    let answers = folder["labels.jsonl"]
    let run = try Self.run(folder, ["--predictions", answers, "--report", answers])
    #expect(await run.execute() == 1)
    #expect(try folder.read("labels.jsonl").hasPrefix("{"))
  }

  @Test(
    arguments: ["m/model.tflite", "m/dict.txt", "m/manifest.json"],
    ["m", "m/manifest.json", "m/model.tflite"])
  func `a report never replaces a file of the model`(_ place: String, _ model: String) async throws {
    let folder = try Self.folder()
    for name in ["model.tflite", "dict.txt", "manifest.json"] { try folder.write("m/\(name)", "mine") }
    let run = try Self.run(folder, ["--model", folder[model], "--report", folder[place]])
    // The label file and the manifest belong to the folder, not to a model that is named as a file.
    let isOfModel = model != "m/model.tflite" || place == model
    #expect(await run.execute() == (isOfModel ? 1 : 2))
    if isOfModel { #expect(try folder.read(place) == "mine") }
  }

  @Test(arguments: [
    ([], "Give either --model or --predictions."),
    (
      ["--model", "m", "--predictions", "p"],
      "Give either --model or --predictions."
    ),
    (["--predictions", "-"], "evaluate reads files, not standard input; use /dev/stdin."),
    (["--predictions", "p", "--labels", "l"], "--labels needs --model."),
    (["--model", ""], "--model needs the name of a file."),
    (["--model", "m", "--threshold", "2"], "--threshold must be between 0 and 1, got 2.0."),
    (["--model", "m", "--jobs", "0"], "--jobs must be 1 or more, got 0."),
    (["--model", "m", "--map", ""], "--map needs the name of a file."),
    (["--model", "m", "--no-photos"], "--no-photos needs --report."),
  ])
  func `a wrong option is an error of the command line`(_ options: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["evaluate", "labels", "photos"] + options)
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
    #expect(error.map { FoveaCommand.exitCode(for: $0) } == .validationFailure)
  }
}
