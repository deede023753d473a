// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct TrainLabelsTests {
  static let photos = PackageRoot.path + "/Examples/shapes/photos"

  static func code(_ photos: String, _ options: [String]) async throws -> Int32 {
    let command = try #require(
      try FoveaCommand.parseAsRoot(
        ["train", "labels", photos, "--quiet", "--folds", "2", "--l2", "0.0001", "--cache", "none"] + options)
        as? TrainLabelsCommand)
    return await TrainingRun(
      set: command.set, head: command.head, output: command.output, photos: command.photos
    ).execute()
  }

  @Test func `a folder of photos becomes a folder with a model, which is replaced only by force`()
    async throws
  {
    let folder = try TemporaryFolder()
    let output = ["--output", folder["model"], "--backbone", "embedded-classifier"]
    #expect(try await Self.code(Self.photos, output) == 0)
    for name in ["model.tflite", "dict.txt", "manifest.json", "report.html", "training.json"] {
      #expect(folder.exists("model/\(name)"), "\(name)")
    }
    #expect(try folder.read("model/dict.txt") == "disc\nsquare\nstar\nNone_of_the_above\n")
    #expect(try await Self.code(Self.photos, output) == 1)
    #expect(try await Self.code(Self.photos, output + ["--force", "--no-report"]) == 0)
    #expect(!folder.exists("model/report.html"))
  }

  @Test(arguments: [
    "list.csv", "left.txt", "bb.tflite", "photo.jpg", "model/model.tflite", "model", "none/r.html",
  ])
  func `a report never replaces an input, or another file of the model`(_ place: String) async throws {
    let folder = try TemporaryFolder()
    let lines = ["disc", "square"].flatMap { shape in (1...3).map { "\(shape)/\($0).jpg,\(shape)\n" } }
    for file in ["list.csv", "left.txt", "bb.tflite", "photo.jpg", "model/model.tflite"] {
      try folder.write(file, lines.joined())
    }
    let code = try await Self.code(
      folder["list.csv"],
      [
        "--path-prefix", "disc/=\(Self.photos)/disc/", "--path-prefix", "square/=\(Self.photos)/square/",
        "--exclude", folder["left.txt"], "--backbone", folder["bb.tflite"], "--force", "--output",
        folder["model"], "--report", folder[place],
      ])
    #expect(code == 1)
    #expect(!folder.exists("model/dict.txt"))
    if folder.exists(place), place != "model" { #expect(try folder.read(place) == lines.joined()) }
  }

  @Test func `a report never replaces a photo without an image extension`() async throws {
    let folder = try TemporaryFolder()
    for (number, shape) in [(1, "disc"), (2, "disc"), (1, "square"), (2, "square")] {
      let photo = try SmallFile.bytes(of: "\(Self.photos)/\(shape)/\(number).jpg", limit: 1 << 20)
      try folder.write("\(shape)\(number)", photo)
    }
    try folder.write("list.csv", "disc1,disc\ndisc2,disc\nsquare1,square\nsquare2,square\n")
    let options = [
      "--backbone", "embedded-classifier", "--output", folder["model"], "--report", folder["disc1"],
    ]
    #expect(try await Self.code(folder["list.csv"], options) == 1)
    #expect(!folder.exists("model"))
  }

  @Test func `the report's usual path may be named, and a list of suspects keeps the excluded photos`()
    async throws
  {
    let folder = try TemporaryFolder()
    let output = [
      "--output", folder["model"], "--backbone", "embedded-classifier", "--report",
      folder["model/report.html"],
    ]
    #expect(try await Self.code(Self.photos, output) == 0)
    #expect(folder.exists("model/report.html"))
    try folder.write("model/suspects.txt", "disc/1.jpg\ta remark\nstar/2.jpg")
    let again = output + ["--force", "--exclude", folder["model/suspects.txt"]]
    for _ in 0..<2 { #expect(try await Self.code(Self.photos, again) == 0) }
    #expect(try folder.read("model/suspects.txt").hasPrefix("disc/1.jpg\ta remark\nstar/2.jpg\n"))
    #expect(try folder.read("model/training.json").contains(#"{"label": "disc", "photos": 11,"#))
  }

  @Test func `an output below the photos, or among other files, is rejected before anything is read`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("photos/a/1.jpg", "no image")
    try folder.write("own/diary.txt", "x")
    for place in ["photos/model", "photos", "own"] {
      #expect(try await Self.code(folder["photos"], ["--output", folder[place], "--force"]) == 1, "\(place)")
    }
    #expect(try folder.read("own/diary.txt") == "x")
    #expect(!folder.exists("photos/model"))
  }

  @Test func `a broken photo is exit code 1 and a model, or no model on request`() async throws {
    let folder = try TemporaryFolder()
    for (name, shape) in [("a", "disc"), ("b", "square")] {
      try folder.write("photos/\(name)/readme.txt", "")
      for number in 1...3 {
        try folder.link("photos/\(name)/\(number).jpg", to: "\(Self.photos)/\(shape)/\(number).jpg")
      }
    }
    try folder.write("photos/a/broken.jpg", "no image")
    let options = ["--backbone", "embedded-classifier", "--no-report"]
    #expect(try await Self.code(folder["photos"], options + ["--strict", "--output", folder["strict"]]) == 1)
    #expect(!folder.exists("strict"))
    #expect(try await Self.code(folder["photos"], options + ["--output", folder["model"]]) == 1)
    #expect(folder.exists("model/model.tflite"))
    try folder.write("left.txt", "a/broken.jpg\n")
    let without = options + ["--exclude", folder["left.txt"], "--output", folder["whole"]]
    #expect(try await Self.code(folder["photos"], without) == 0)
  }

  @Test(arguments: [
    (["--folds", "1"], "--folds must be 2 to 50, got 1."),
    (["--l2", "-1"], "--l2 must be above 0, got -1.0."),
    (["--precision", "-1"], "--precision must be above 0 and at most 1, got -1.0."),
    (["--threshold", "2"], "--threshold must be between 0 and 1, got 2.0."),
    (
      ["--threshold", "0.5", "--precision", "0.9"],
      "--threshold and --precision both set the threshold; give one of them."
    ),
    (["--jobs", "0"], "--jobs must be 1 or more, got 0."),
    (["--report", "a", "--no-report"], "--report and --no-report contradict each other."),
    (["--backbone", ""], "--backbone needs the name of a model or file."),
    (["--output", ""], "--output needs the name of a folder."),
  ])
  func `a wrong option is an error of the command line`(_ options: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["train", "labels", "photos", "--output", "model"] + options)
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
    #expect(error.map { FoveaCommand.exitCode(for: $0) } == .validationFailure)
  }
}
