// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaTraining
import Testing

@testable import FoveaCLI

@Suite struct ModelCompareTests {
  /// A folder of photos of one colour, and a file of text with a photo's name next to it.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    for name in ["photos/a.png", "photos/below/b.png"] {
      try folder.write(name, try canvas.encoded(as: .png))
    }
    try folder.write("broken.jpg", "no photo")
    return folder
  }

  static func run(
    _ models: (String, String), _ options: [String], stop: StopSignal = StopSignal()
  ) throws -> ModelComparisonRun {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["model", "compare", models.0, models.1, "--quiet"] + options)
        as? ModelCompareCommand)
    var run = ModelComparisonRun(
      models: (command.first, command.second), photos: command.photos, source: command.source,
      limits: command.limits, output: command.output)
    run.stop = stop
    run.timer.rounds = 1
    run.timer.warmUps = 0
    run.timer.leastRound = .nanoseconds(1)
    return run
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var models = ["classifier", "classifier"]
    var options: [String] = []
    var code: Int32
  }

  @Test(arguments: [
    Row(testDescription: "a model with itself", code: 0),
    Row(testDescription: "a model with itself, bounded", options: ["--at-least", "1", "--json"], code: 0),
    Row(testDescription: "subfolders", options: ["--recursive"], code: 0),
    Row(testDescription: "a broken photo", options: ["--photos", "broken.jpg"], code: 1),
    Row(testDescription: "a missing photo", options: ["--photos", "missing.jpg"], code: 1),
    Row(
      testDescription: "nothing to compare", models: ["detector", "detector"],
      options: ["--at-least", "0.5"],
      code: 1),
    Row(testDescription: "nothing to compare, unbounded", models: ["detector", "detector"], code: 0),
    Row(testDescription: "different tasks", models: ["detector", "classifier"], code: 1),
    Row(testDescription: "different classes", models: ["detector", "localizer"], code: 1),
    Row(testDescription: "a file of text as a model", models: ["classifier", "broken.jpg"], code: 2),
    Row(testDescription: "a missing model", models: ["missing.tflite", "classifier"], code: 2),
    Row(testDescription: "no ground truth", options: ["--ground-truth", "missing.csv"], code: 1),
  ])
  func `the exit code tells whether the models agree, and what was missing`(_ row: Row) async throws {
    let folder = try Self.folder()
    func path(_ name: String) -> String { name.contains(".") && !name.hasPrefix("0") ? folder[name] : name }
    let run = try Self.run(
      (path(row.models[0]), path(row.models[1])),
      ["--photos", folder["photos"]] + row.options.map(path))
    #expect(await run.execute() == row.code)
  }

  @Test func `no photos, or only missing ones, end the command`() async throws {
    let folder = try Self.folder()
    for place in [folder["empty"], folder["missing"]] {
      try folder.write("empty/notes.txt", "")
      let run = try Self.run(("classifier", "classifier"), ["--photos", place])
      #expect(await run.execute() == ExitCodes.failure)
    }
  }

  /// An error, and its line for people who compare and for those who publish.
  struct Line: Sendable, CustomTestStringConvertible {
    let error: FoveaError
    let own: String
    let published: String
    var testDescription: String { own }
  }

  @Test(arguments: [
    Line(
      error: FoveaError(.optionInvalid, "No", remedy: "Give one file (\(option: "labels", "FILE"))"),
      own: "No. Give one file (--labels FILE).",
      published: "No. Give one file (fovea model add-metadata FILE --labels LABELS --output NEW)."),
    Line(
      error: FoveaError(.optionInvalid, "No", remedy: "Add \(flag: "recursive"), or not"),
      own: "No. Add --recursive, or not.", published: "No."),
    Line(
      error: FoveaError(.optionInvalid, "No", remedy: "Raise \(option: "max-pixels")"),
      own: "No. Raise --max-pixels.", published: "No."),
    Line(
      error: FoveaError(.optionInvalid, "No", remedy: "Give another photo"),
      own: "No. Give another photo.", published: "No. Give another photo."),
  ])
  func `advice for a publish names no option of the comparison`(_ row: Line) throws {
    let photos = ["--photos", "p"]
    #expect(try Self.run(("a", "b"), photos).line(row.error) == row.own)
    #expect(try Self.run(("a", "b"), photos + ["--published"]).line(row.error) == row.published)
    #expect(
      try Self.run(("a", "b"), photos + ["--published"]).line(row.error, of: "a.jpg").hasPrefix("a.jpg: No."))
  }

  @Test func `an interrupted comparison exits with 130`() async throws {
    let folder = try Self.folder()
    let stop = StopSignal()
    stop.request()
    var run = try Self.run(("classifier", "classifier"), ["--photos", folder["photos"]], stop: stop)
    // Runs until it is stopped.
    run.timer.rounds = .max
    #expect(await run.execute() == ExitCodes.interrupted)
  }

  @Test func `a photo that is given twice is compared once`() throws {
    let folder = try Self.folder()
    try folder.write("photos/c.png", try PixelCanvas(size: PixelSize(width: 8, height: 8)).encoded(as: .png))
    let places = ["photos", "photos/c.png", "photos"]
    let run = try Self.run(("classifier", "classifier"), places.flatMap { ["--photos", folder[$0]] })
    let (images, failed) = try run.photos.listed(run.stop)
    #expect(images.map(\.name) == ["photos/a.png", "photos/c.png"].map { folder[$0] })
    #expect(failed.isEmpty)
  }

  @Test func `the figures are printed as text and as JSON`() async throws {
    let folder = try Self.folder()
    let photos = ["--photos", folder["photos"]]
    let display = TrainingDisplay(isQuiet: true)
    let run = try Self.run(("classifier", "classifier"), photos)
    let compared = try await run.compared(run.photos.listed(run.stop).images, display)
    let text = run.text(of: compared)
    #expect(
      text.hasPrefix("1 photo\nagreement    100 % of first labels: 1 of 1; mean change of its score 0.000"))
    let json = try Self.run(("classifier", "classifier"), photos + ["--json"]).text(of: compared)
    #expect(
      json.hasPrefix(
        #"{"schema": "compare/1", "first": "classifier", "second": "classifier", "task": "labeling", "#
          + #""agreement": {"value": 1.0, "measure": "firstLabels", "#))
  }

  @Test(
    arguments: [
      (["a", "b"], "Name photos or a folder of them: --photos <path>."),
      (["a", "--photos", "p"], "Missing expected argument"),
      (["a", "", "--photos", "p"], "Name two models."),
      (["a", "b", "--photos", ""], "--photos needs the name of a folder."),
      (["a", "b", "--photos", "-"], "--photos reads files, not standard input."),
      (["a", "b", "--photos", "p", "--at-least", "1.1"], "--at-least must be between 0 and 1, got 1.1."),
      (["a", "b", "--photos", "p", "--at-least", "nan"], "--at-least must be between 0 and 1, got nan."),
      (["a", "b", "--photos", "p", "--at-least-ap", "0.9"], "--at-least-ap needs --ground-truth."),
      (
        ["a", "b", "--photos", "p", "--ground-truth", "g", "--at-least-ap", "-1"],
        "--at-least-ap must be 0 or more, got -1.0."
      ),
      (["a", "b", "--photos", "p", "--threshold", "2"], "--threshold must be between 0 and 1, got 2.0."),
      (["a", "b", "--photos", "p", "--threads", "0"], "--threads must be between 1 and 256, got 0."),
    ] as [([String], String)])
  func `wrong arguments are usage errors`(_ arguments: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["model", "compare"] + arguments)
    }
    guard let error else { return }
    #expect(FoveaCommand.message(for: error).hasPrefix(message))
    #expect(FoveaCommand.exitCode(for: error) == .validationFailure)
  }
}
