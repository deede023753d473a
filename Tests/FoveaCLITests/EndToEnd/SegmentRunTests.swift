// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `segment`, from arguments to files, with an analyzer that needs no model.
@Suite struct SegmentRunTests {
  static let size = PixelSize(width: 4, height: 2)

  static let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
    if name.contains("bad") { throw Sample.error }
    let region = BoundingBox(x: 0, y: 0, width: 4, height: 2)
    let map = SegmentationMap(
      MapCells(classes: [0, 0, 1, 1, 0, 0, 1, 0], confidences: []), width: 4, labels: ["background", "cat"],
      isBinary: false, region: region, bounds: region)
    return DetectionRecord.Findings(size: size, orientation: .up, content: .map(map))
  }

  /// Runs with standard output and error in files of `folder`.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, source: String? = nil
  ) async throws -> PhotoRunTests.Outcome {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["segment", "--model", "m"] + arguments) as? SegmentCommand)
    let output = try PhotoRunTests.descriptor(folder["stdout"])
    let errors = try PhotoRunTests.descriptor(folder["stderr"])
    defer {
      close(output)
      close(errors)
    }
    var run = PhotoRun(
      paths: command.input.paths, recursive: command.input.recursive, kind: .maps, jobs: 2,
      format: command.format?.format ?? .text, output: command.output.values, stop: StopSignal())
    run.maps = command.output.output
    run.mapSource = source
    run.masks = command.masks.chosen
    run.outputDescriptor = output
    run.errorDescriptor = errors
    let code = await run.execute { () throws(FoveaError) in analyzer }
    return PhotoRunTests.Outcome(
      code: code, output: try folder.read("stdout").replacing(folder.path + "/", with: ""),
      errors: try folder.read("stderr").replacing(folder.path + "/", with: ""))
  }

  @Test func `text has the share of each class, and the summary counts them`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    let outcome = try await Self.run([folder["in"]], in: folder)
    #expect(outcome.code == 0)
    #expect(
      outcome.output
        == ["a", "b"].map { "in/\($0).jpg  4 × 2\n  background  62.5 %\n  cat         37.5 %\n" }.joined())
    #expect(outcome.errors.hasPrefix("2 images, 4 classes, "), "\(outcome.errors)")
  }

  @Test func `maps have the names of their photos, without an image twice`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "a.png", "sub/b.jpg", "bad.jpg"])
    let outcome = try await Self.run(
      [folder["in"], "--recursive", "--output", folder["maps"], "--format", "jsonl", "--masks", "none"],
      in: folder)
    #expect(outcome.code == 1)
    for name in ["a.png", "a-2.png", "sub/b.png"] {
      #expect(try EncodedImage(path: folder["maps/" + name]).size == Self.size, "\(name)")
    }
    #expect(outcome.output.contains(#"{"text": "cat", "index": 1, "share": 0.375}"#))
    #expect(outcome.output.contains(#""code": "image-truncated""#))
    #expect(outcome.errors.contains("bad.jpg: the file ends after 100 of 4096 bytes. Copy the file again."))
  }

  @Test func `a run continues with the photos that have no map yet`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg", "c.jpg", "d.png"])
    let maps = ["--output", folder["maps"]]
    #expect(try await Self.run([folder["in/a.jpg"], folder["in/b.jpg"]] + maps, in: folder).code == 0)
    let outcome = try await Self.run([folder["in"], "--resume"] + maps, in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasPrefix("2 images, 4 classes, 2 skipped (done before), "), "\(outcome.errors)")
    let names = outcome.output.split(separator: "\n").filter { $0.hasPrefix("in/") }.map(String.init)
    #expect(names == ["in/c.jpg  4 × 2", "in/d.png  4 × 2"])
    for name in ["a", "b", "c", "d"] {
      let map = try EncodedImage(path: folder["maps/\(name).png"])
      #expect(try ClassImage.numbers(in: map) == [0, 0, 1, 1, 0, 0, 1, 0] as [UInt8], "\(name)")
    }
    let again = try await Self.run([folder["in"], "--resume"] + maps, in: folder)
    #expect(again.code == 0 && again.output == "")
  }

  @Test func `a run makes the maps of another model again`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    let maps = ["--output", folder["maps"]]
    _ = try await Self.run([folder["in/a.jpg"]] + maps, in: folder, source: "sha256:1")
    // An older version stored no model.
    _ = try await Self.run([folder["in/b.jpg"]] + maps, in: folder)
    for (source, skipped) in [("sha256:1", 2), ("sha256:2", 1), ("sha256:2", 2), ("sha256:1", 1)] {
      let outcome = try await Self.run([folder["in"], "--resume"] + maps, in: folder, source: source)
      #expect(outcome.code == 0)
      #expect(outcome.errors.contains(", \(skipped) skipped (done before)"), "\(outcome.errors)")
      let map = try EncodedImage(path: folder["maps/a.png"])
      #expect(ClassImage.source(in: map) == source)
      #expect(try ClassImage.numbers(in: map) == [0, 0, 1, 1, 0, 0, 1, 0] as [UInt8])
    }
  }

  @Test func `a photo in the place of its map is not taken for one`() async throws {
    let folder = try PhotoRunTests.album([])
    let numbers: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]
    try folder.write("in/a.png", try ClassImage.png(numbers, size: Self.size))
    let outcome = try await Self.run(
      [folder["in/a.png"], "--output", folder["in"], "--resume"], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("the class numbers would replace the photo itself"), "\(outcome.errors)")
    #expect(try ClassImage.numbers(in: EncodedImage(path: folder["in/a.png"])) == numbers)
  }

  @Test(arguments: [[], ["--resume"]])
  func `another photo in the place of a map is kept`(_ options: [String]) async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    let photo = try PixelCanvas(size: Self.size).encoded(as: .png)
    try folder.write("in/a.png", photo)
    try folder.write("in/b.png", "no map")
    let outcome = try await Self.run(
      [folder["in/a.jpg"], folder["in/b.jpg"], "--output", folder["in"]] + options, in: folder)
    #expect(outcome.code == 1)
    for name in ["a", "b"] {
      #expect(
        outcome.errors.contains(
          "in/\(name).jpg: the class numbers would replace 'in/\(name).png', "
            + "which is not a map of an earlier run. Name another folder with --output."),
        "\(outcome.errors)")
    }
    #expect(try EncodedImage(path: folder["in/a.png"]).bytes == photo)
    #expect(try folder.read("in/b.png") == "no map")
  }

  @Test func `the page of a run has its maps, its shares and its failures`() async throws {
    let folder = try ReportRunTests.album(["a.jpg", "bad.jpg"])
    let outcome = try await Self.run([folder["in"], "--report", folder["r.html"]], in: folder)
    #expect(outcome.code == 1)
    let page = try folder.read("r.html")
    #expect(page.contains("<h1>Classes of photos</h1>") && page.contains("<code>image-truncated</code>"))
    let data = try ReportParts(page).data
    let image = try #require(data["images"]?.elements?.first)
    #expect(image["map"]?.text?.isEmpty == false && image["image"]?["jpeg"]?.text?.isEmpty == false)
    #expect(image["findings"]?.elements?.map { $0["score"]?.double } == [0.625, 0.375])
    #expect(data["kind"]?.text == "maps")
  }

  struct Usage: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Usage(arguments: ["a.jpg"], message: "Missing expected argument '--model <file>'"),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--format", "coco"],
      message: "The format coco is not for maps; use text, json, jsonl."),
    Usage(arguments: ["a.jpg", "--model", ""], message: "--model needs the name of a file."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--output", ""], message: "--output needs the name of a folder."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--report", ""], message: "--report needs the name of a file."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--resume"],
      message: "--resume needs --output, the folder to continue."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--family", "yolov8"],
      message: "The families are class-map, mask, two-class-map, yolo-sem, map."),
    Usage(
      arguments: ["a.jpg", "b.jpg", "--model", "m", "--annotate", "out.png"],
      message: "--annotate names one file, but there are several photos; name a folder."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "--annotate", "out.gif"],
      message:
        "--annotate writes .jpg, .png and .webp, not .gif; for a folder of this name, end it with '/'."),
    Usage(
      arguments: ["a.jpg", "--model", "m", "-q", "-v"], message: "--quiet and --verbose exclude each other."),
  ])
  func `wrong arguments are explained`(_ row: Usage) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["segment"] + row.arguments)
    }
    let message = error.map { FoveaCommand.message(for: $0) } ?? ""
    #expect(message.contains(row.message), "\(message)")
  }

  @Test func `arguments become the library's options`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot([
        "segment", "a.jpg", "-m", "m", "--labels", "l.txt", "--locale", "en", "--family", "deeplab",
        "--normalize", "0,255", "--exact", "--jobs", "3", "--threads", "2", "--decode", "full",
        "--max-pixels", "9",
      ]) as? SegmentCommand)
    var options = ImageSegmenter.Options()
    options.labelFile = "l.txt"
    options.locale = "en"
    options.family = .map
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    options.exactArithmetic = true
    options.sessions = 3
    options.threads = 2
    options.reducedSizeDecoding = false
    options.imageLimits.maxPixels = 9
    #expect(command.segmenterOptions == options)
  }
}
