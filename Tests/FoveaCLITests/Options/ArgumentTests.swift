// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaImage
import Testing

@testable import FoveaCLI

@Suite struct ArgumentTests {
  @Test func `every option of detect reaches the library`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot([
        "detect", "a.jpg", "--model", "m.tflite", "--classifier", "c.tflite", "--landmarks", "p.tflite",
        "--single", "--max-objects",
        "7",
        "--threshold", "0.25", "--max-labels", "3", "--labels", "l.txt", "--family", "ssd-anchors",
        "--activation", "softmax", "--background", "first",
        "--normalize",
        "127.5,128", "--allow", "cat, hot dog", "--allow", "tabby, tabby cat,", "--deny", "dog", "--roi",
        "1,2,3,4", "--threads", "2",
        "--jobs",
        "3", "--locale", "de", "--decode", "full", "--max-pixels", "1000", "--label-threshold", "0.5",
        "--landmark-threshold", "0.25",
        "--upright", "--recursive", "--slice-size", "200", "--slice-overlap", "0.5",
      ]) as? DetectCommand)
    var expected = ObjectDetector.Options()
    expected.threshold = 0.25
    expected.maxObjects = 7
    expected.singleObject = true
    expected.classifier = .model(.file("c.tflite"))
    expected.landmarks = .file("p.tflite")
    expected.landmarkThreshold = 0.25
    expected.labelThreshold = 0.5
    expected.maxLabels = 3
    expected.needsMaxLabels = true
    expected.allowedLabels = ["cat, hot dog", "tabby, tabby cat,"]
    expected.deniedLabels = ["dog"]
    expected.labelFile = "l.txt"
    expected.locale = "de"
    expected.family = .anchorSSD
    expected.scoreActivation = .softmax
    expected.hasBackgroundClass = true
    expected.normalization = .init(mean: [127.5], standardDeviation: [128])
    expected.threads = 2
    expected.sessions = 3
    expected.reducedSizeDecoding = false
    expected.imageLimits.maxPixels = 1_000
    var slicing = Slicing()
    slicing.tileSize = 200
    slicing.overlap = 0.5
    expected.slicing = slicing
    #expect(command.detectorOptions == expected)
    #expect(command.input.roi?.box == BoundingBox(x: 1, y: 2, width: 3, height: 4))
    #expect(command.detection.upright == true && command.input.recursive)
  }

  @Test(
    arguments: [(nil, nil), ("rle", .rle), ("polygon", .polygon), ("none", MaskForm.none)]
      as [(String?, MaskForm?)])
  func `detect and track have the form of masks`(_ name: String?, _ form: MaskForm?) throws {
    let options = name.map { ["--masks", $0] } ?? []
    let detect = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg"] + options) as? DetectCommand)
    #expect(detect.masks.chosen == form)
    let track = try #require(try FoveaCommand.parseAsRoot(["track", "a.mp4"] + options) as? TrackCommand)
    #expect(track.masks.chosen == form)
    let output = try TrackOutputOptions.parse(["--format", "jsonl"])
    let writer = try #require(output.writer(masks: form ?? .rle, outputDescriptor: 1) as? FrameJSONWriter)
    #expect(writer.masks == form ?? .rle)
  }

  @Test(arguments: [(nil, 0.3), ("0", 0), ("0.75", 0.75), ("1", 1)] as [(String?, Float)])
  func `detect and track have the threshold of keypoints`(_ text: String?, _ threshold: Float) throws {
    let options = text.map { ["--keypoint-threshold", $0] } ?? []
    let detect = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg"] + options) as? DetectCommand)
    let track = try #require(try FoveaCommand.parseAsRoot(["track", "a.mp4"] + options) as? TrackCommand)
    #expect(detect.keypoints.threshold == threshold && track.keypoints.threshold == threshold)
  }

  @Test(
    arguments: [([], nil), (["--smooth-landmarks", "--landmark-iou", "0.25"], 0.25)] as [([String], Double?)])
  func `track has the options of a landmark model in a stream`(_ options: [String], _ limit: Double?) throws {
    let track = try #require(
      try FoveaCommand.parseAsRoot(["track", "a.mp4"] + options) as? TrackCommand)
    #expect(track.detectorOptions.smoothLandmarks == !options.isEmpty)
    #expect(track.detectorOptions.landmarkIoU == limit)
    // A photo has no frame before.
    guard !options.isEmpty else { return }
    #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["detect", "a.jpg"] + options) }
  }

  @Test func `without options the library's defaults apply`() throws {
    let detect = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg"]) as? DetectCommand)
    #expect(detect.detectorOptions == ObjectDetector.Options())
    let label = try #require(try FoveaCommand.parseAsRoot(["label", "a.jpg"]) as? LabelCommand)
    #expect(label.labelerOptions == ImageLabeler.Options())
  }

  @Test func `every option of label reaches the library`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot([
        "label", "a.jpg", "b.jpg", "--model", "m.tflite", "--max-results", "3", "--threshold", "1",
        "--labels",
        "l.txt", "--normalize", "1,2,3,4,5,6", "--allow", "a", "--deny", "b", "--threads", "2", "--locale",
        "en",
        "--jobs", "4",
      ]) as? LabelCommand)
    var expected = ImageLabeler.Options()
    expected.threshold = 1
    expected.maxResults = 3
    expected.allowedLabels = ["a"]
    expected.deniedLabels = ["b"]
    expected.labelFile = "l.txt"
    expected.locale = "en"
    expected.normalization = .init(mean: [1, 2, 3], standardDeviation: [4, 5, 6])
    expected.threads = 2
    expected.sessions = 4
    #expect(command.labelerOptions == expected)
  }

  @Test func `no classifier can be requested`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["detect", "a.jpg", "--no-classify"]) as? DetectCommand)
    #expect(command.detectorOptions.classifier == .none)
  }

  @Test(arguments: [
    ("detect", "--fit", "'stretch', 'letterbox'"), ("detect", "--background", "'first', 'none'"),
    ("detect", "--activation", "'none', 'sigmoid', 'softmax'"),
    ("label", "--activation", "'none', 'sigmoid', 'softmax'"),
    ("bench", "--background", "'first', 'none'"), ("model check", "--background <which>", "'first', 'none'"),
    ("model inspect", "--activation <name>", "'none', 'sigmoid', 'softmax'"),
    ("label", "--decode", "'scaled', 'full'"),
  ])
  func `a wrong value of a rare option is answered with the valid ones`(
    _ command: String, _ option: String, _ values: String
  ) {
    let error = #expect(throws: (any Error).self) {
      let name = String(option.prefix { $0 != " " })
      let words = command.split(separator: " ").map(String.init)
      return try FoveaCommand.parseAsRoot(words + ["a", name, "foo"])
    }
    #expect(
      error.map(FoveaCommand.message)
        == "The value 'foo' is invalid for '\(option)': Please provide one of \(values).")
  }

  @Test(arguments: [
    ["detect"], ["detect", ""], ["detect", "-", "-"], ["detect", "a", "--jobs", "0"],
    ["detect", "a", "--jobs", "257"], ["detect", "a", "--threads", "-1"],
    ["detect", "a", "--threshold", "1.5"],
    ["detect", "a", "--threshold", "nan"], ["detect", "a", "--threshold", "x"],
    ["detect", "a", "--max-objects", "0"], ["detect", "a", "--max-labels", "0"],
    ["detect", "a", "--label-threshold", "-0.1"], ["detect", "a", "--roi", "1,2,3"],
    ["detect", "a", "--roi", "1,2,0,4"], ["detect", "a", "--roi", "1,2,inf,4"],
    ["detect", "a", "--normalize", "1"], ["detect", "a", "--normalize", "1,0"],
    ["detect", "a", "--normalize", "1,2,3"], ["detect", "a", "--allow", ""],
    ["detect", "a", "--allow", " "],
    ["detect", "a", "--format", "xml"], ["detect", "a", "--resume"],
    ["detect", "a", "--resume", "--output", "o"],
    ["detect", "a", "--resume", "--output", "o", "--format", "json"], ["detect", "a", "--output", ""],
    ["detect", "a", "-o", "r.jsonl.gz"], ["detect", "a", "-o", "r.xlsx"],
    ["detect", "a", "--coco-ids", "i.json"],
    ["detect", "a", "b", "--annotate", "o.jpg"], ["detect", "a", "--annotate", ""],
    ["detect", "a", "--no-classify", "--classifier", "c"], ["detect", "a", "-q", "-v"],
    ["detect", "a", "--max-pixels", "0"], ["detect", "a", "--decode", "half"],
    ["detect", "a", "--model", ""], ["detect", "a", "--labels", ""], ["label", "a", "--labels", ""],
    ["detect", "a", "--classifier", ""], ["detect", "a", "--landmarks", ""],
    ["detect", "a", "--landmark-threshold", "1.5"],
    ["detect", "a", "--no-classify", "--max-labels", "2"],
    ["detect", "a", "--family", "yolo99"],
    ["detect", "a", "--format", "voc"], ["detect", "a", "--format", "yolo", "--report", "r.html"],
    ["detect", "a", "--yolo-scores"], ["detect", "a", "--report", ""], ["detect", "a", "--masks", "png"],
    ["detect", "a", "--keypoint-threshold", "1.1"], ["track", "a.mp4", "--keypoint-threshold", "-0.1"],
    ["detect", "a", "--keypoint-threshold", "nan"], ["label", "a", "--keypoint-threshold", "0.3"],
    ["track", "a.mp4", "--masks", "true"], ["label", "a", "--masks", "rle"],
    ["detect", "a", "--report", "o", "--output", "o"], ["detect", "a", "--annotate", "o.gif"],
    ["detect", "a", "--resume", "--output", "o.json"],
    ["label", "a", "--format", "voc", "--output", "o"], ["label", "a", "--format", "yolo", "--output", "o"],
    ["detect", "a", "--wrong"], ["label", "a", "--format", "coco"], ["label", "a", "--max-results", "0"],
    ["label", "a", "--single"], ["label"], ["model", "inspect"], ["bench"], ["bench", "-"],
    ["bench", "a", "--task", "track"], ["bench", "a", "--repetitions", "-1"],
    ["bench", "a", "b", "--mode", "video"], ["bench", "a", "--mode", "video", "--task", "label"],
    ["bench", "a", "--mode", "video", "--repetitions", "3"], ["bench", "a", "--frames", "3"],
    ["bench", "a", "--mode", "video", "--workers", "2"], ["bench", "a", "--mode", "video", "--frames", "-1"],
    ["bench", "a", "--mode", "throughput", "--threads", "2"], ["bench", "a", "--workers", "2"],
    ["bench", "a", "--task", "label", "--family", "yolov8"],
    ["bench", "a", "--task", "label", "--background", "none"],
    ["bench", "a", "--mode", "video", "--max-pixels", "9"], ["bench", "a", "--labels", ""],
    ["bench", "a", "--threshold", "2"], ["bench", "a", "--workers", "257"], ["nothing"],
  ])
  func `a wrong command line is a usage error`(_ arguments: [String]) {
    do {
      _ = try FoveaCommand.parseAsRoot(arguments)
      Issue.record("accepted: \(arguments)")
    } catch {
      #expect(FoveaCommand.exitCode(for: error).rawValue == 64)
    }
  }

  @Test(arguments: [
    ([], OutputFormat.text), (["-o", "r.json"], .json), (["-o", "r.JSONL"], .jsonl),
    (["-o", "r.ndjson"], .jsonl),
    (["-o", "x.y/r.csv"], .csv), (["-o", "r.txt"], .text), (["-o", "x.csv/r"], .text),
    (["-o", ".json"], .text), (["-o", "r.text"], .text), (["-o", "coco"], .text),
    (["-o", "x.coco", "--format", "coco"], .coco), (["-o", "x.voc", "--format", "csv"], .csv),
    (["-o", "r.json", "--format", "csv"], .csv), (["--format", "jsonl"], .jsonl),
  ])
  func `the extension selects the output format`(_ options: [String], _ format: OutputFormat) throws {
    let command = try #require(try FoveaCommand.parseAsRoot(["detect", "a"] + options) as? DetectCommand)
    #expect(command.chosenFormat == format)
  }

  @Test(arguments: [
    (["--format", "coco", "-o", "r"], "The format coco is for boxes: use fovea detect."),
    (["--format", "yolo", "-o", "r"], "The format yolo is for boxes: use fovea detect."),
    (["--format", "voc"], "The format voc is for boxes: use fovea detect."),
    (["-o", "r.coco"], "The format coco is for boxes: use fovea detect."),
    (
      ["-o", "r.xlsx"], "--output writes .json, .jsonl or .csv, not .xlsx; or choose a format with --format."
    ),
    (
      ["--format", "xml"],
      "The value 'xml' is invalid for '--format <format>'. Please provide one of 'text', 'json', 'jsonl' "
        + "or 'csv'."
    ),
  ])
  func `label lists and accepts only formats for labels`(_ options: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["label", "a"] + options) }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
  }

  @Test(arguments: [
    ([], OutputFormat.text), (["--format", "csv", "-o", "r.coco"], .csv), (["-o", "r.jsonl"], .jsonl),
  ])
  func `label chooses its format as detect does`(_ options: [String], _ format: OutputFormat) throws {
    let command = try #require(try FoveaCommand.parseAsRoot(["label", "a"] + options) as? LabelCommand)
    #expect(command.chosenFormat == format)
  }

  @Test func `a usage error explains what is wrong`() {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["detect", "a", "--resume", "--output", "o", "--format", "json"])
    }
    #expect(
      error.map { FoveaCommand.message(for: $0) }
        == "--resume needs --format jsonl, csv, voc or yolo; json cannot be continued.")
    let label = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["label", "a", "--resume", "--output", "o", "--format", "json"])
    }
    #expect(
      label.map { FoveaCommand.message(for: $0) }
        == "--resume needs --format jsonl or csv; json cannot be continued.")
  }

  struct ListingCase: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let normalizationRule =
    "Give a mean and a deviation, or three of each: 0,255 for pixels 0…1; 127.5,127.5 for −1…1; 0,1 for 0…255. "
    + "Deviations are above 0."

  @Test(arguments: [
    ListingCase(
      arguments: ["--family", "yolo99"],
      message: "The value 'yolo99' is invalid for '--family': The families are "
        + DetectorFamily.all.map(\.name).joined(separator: ", ") + "."),
    ListingCase(
      arguments: ["--normalize", "1,0"],
      message: "The value '1,0' is invalid for '--normalize': " + normalizationRule),
    ListingCase(
      arguments: ["--normalize", "1,2,3"],
      message: "The value '1,2,3' is invalid for '--normalize': " + normalizationRule),
    ListingCase(arguments: ["--iou", "1.5"], message: "--iou must be between 0 and 1, got 1.5."),
    ListingCase(arguments: ["--coco-ids", "i.json"], message: "--coco-ids is for --format coco."),
    ListingCase(
      arguments: ["-o", "out/r.jsonl.gz"],
      message:
        "--output does not write compressed files such as .gz; write 'out/r.jsonl' and compress it afterwards."
    ),
    ListingCase(
      arguments: ["-o", "r.CSV.ZST", "--format", "csv"],
      message:
        "--output does not write compressed files such as .zst; write 'r.CSV' and compress it afterwards."),
    ListingCase(
      arguments: ["-o", "r.xlsx"],
      message: "--output writes .json, .jsonl or .csv, not .xlsx; or choose a format with --format."),
    ListingCase(
      arguments: ["-o", "x.coco"],
      message: "The extension .coco does not select a format: "
        + "add --format coco, or end the name with .json, .jsonl or .csv."),
    ListingCase(
      arguments: ["-o", "out/x.VOC"],
      message: "The extension .voc does not select a format: "
        + "add --format voc, or end the name with .json, .jsonl or .csv."),
    ListingCase(
      arguments: ["-o", "x.yolo"],
      message: "The extension .yolo does not select a format: "
        + "add --format yolo, or end the name with .json, .jsonl or .csv."),
  ])
  func `an unknown value lists the known ones`(_ test: ListingCase) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["detect", "a"] + test.arguments)
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == test.message)
  }

  /// Each numeric option of each command with a value that starts with "-".
  @Test(arguments: [
    (["detect", "a", "--threshold", "-1"], "--threshold must be between 0 and 1, got -1.0."),
    (["detect", "a", "--threshold", "-.5"], "--threshold must be between 0 and 1, got -0.5."),
    (["detect", "a", "--jobs", "-1"], "--jobs must be 1 or more, got -1."),
    (["detect", "a", "--threads", "-1"], "--threads must be between 1 and 256, got -1."),
    (["detect", "a", "--max-pixels", "-1"], "--max-pixels must be 1 or more, got -1."),
    (["detect", "a", "--max-objects", "-1"], "--max-objects must be 1 or more, got -1."),
    (["detect", "a", "--max-labels", "-1"], "--max-labels must be 1 or more, got -1."),
    (
      ["detect", "a", "--label-threshold", "-0.1"],
      "--label-threshold must be between 0 and 1, got -0.1."
    ),
    (["detect", "a", "--iou", "-1"], "--iou must be between 0 and 1, got -1.0."),
    (
      ["detect", "a", "--cross-class-iou", "-1"], "--cross-class-iou must be between 0 and 1, got -1.0."
    ),
    (["detect", "a", "--slice-size", "-1"], "--slice-size must be between 16 and 1048576, got -1."),
    (["detect", "a", "--slice-overlap", "-1"], "--slice-overlap must be between 0 and 0.75, got -1.0."),
    (["detect", "a", "--roi", "-1,2,3"], "The value '-1,2,3' is invalid for '--roi <x,y,w,h>'"),
    (
      ["detect", "a", "--normalize", "-1,0"],
      "The value '-1,0' is invalid for '--normalize': " + normalizationRule
    ),
    (["detect", "a", "--threshold", "--single"], "The value '--single' is invalid for '--threshold <s>'"),
    (["detect", "a", "--threshold"], "Missing value for '--threshold <s>'"),
    (["label", "a", "--max-results", "-2"], "--max-results must be 1 or more, got -2."),
    (["label", "a", "--threshold", "-2"], "--threshold must be between 0 and 1, got -2.0."),
    (["track", "a", "--every", "-3"], "--every must be between 1 and 1000, got -3."),
    (["track", "a", "--frames", "-3"], "--frames must be 1 or more, got -3."),
    (["track", "a", "--threads", "-3"], "--threads must be between 1 and 256, got -3."),
    (["track", "a", "--frame-rate", "-25"], "--frame-rate must be between 0.1 and 1000, got -25.0."),
    (
      ["track", "a", "--line", "-1,0,3"],
      "The value '-1,0,3' is invalid for '--line <x1,y1,x2,y2>': Give x1,y1,x2,y2 in pixels of the frame, such as "
        + "door=0,200,640,200; the name is optional."
    ),
    (
      ["track", "a", "--zone", "-1,0,3"],
      "The value '-1,0,3' is invalid for '--zone <x1,y1,…>': Give x1,y1,x2,y2,x3,y3 in pixels of the frame, such as "
        + "drive=100,200,500,200,500,350; the name is optional."
    ),
    (["bench", "a", "--repetitions", "-1"], "--repetitions must be between 0 and 1000000, got -1."),
    (["bench", "a", "--threads", "-1"], "--threads must be between 0 and 1000000, got -1."),
    (["bench", "a", "--workers", "-1"], "--workers must be between 0 and 1000000, got -1."),
    (["bench", "a", "--frames", "-1"], "--frames must be between 0 and 1000000, got -1."),
    (["bench", "a", "--max-results", "-1"], "--max-results must be 1 or more, got -1."),
    (["bench", "a", "--threshold", "-1"], "--threshold must be between 0 and 1, got -1.0."),
    (
      ["evaluate", "detection", "--ground-truth", "a", "--detections", "b", "--iou", "-1"],
      "--iou needs boxes, masks, keypoints, or 1 to 32 increasing numbers above 0 and up to 1, such as 0.5,0.75 or "
        + "masks,0.5; got '-1'."
    ),
    (
      ["model", "add-metadata", "a", "-o", "b", "--threshold", "-1"],
      "--threshold must be between 0 and 1, got -1.0."
    ),
    (
      ["model", "inspect", "a", "--normalize", "-1,0"],
      "The value '-1,0' is invalid for '--normalize <mean,std>': " + normalizationRule
    ),
    (
      ["model", "check", "a", "--normalize", "-1,0"],
      "The value '-1,0' is invalid for '--normalize <mean,std>': " + normalizationRule
    ),
  ])
  func `a negative number is a value, and an error explains what is wrong with it`(
    _ arguments: [String], _ message: String
  ) {
    let error = #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(arguments) }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
    #expect(error.map { FoveaCommand.exitCode(for: $0) } == .validationFailure)
  }

  @Test func `offsets left of the image and negative means are accepted`() throws {
    let detect = try #require(
      try FoveaCommand.parseAsRoot(["detect", "a", "--roi", "-5,-6,30,40", "--normalize", "-1,2"])
        as? DetectCommand)
    #expect(detect.input.roi?.box == BoundingBox(x: -5, y: -6, width: 30, height: 40))
    #expect(detect.detectorOptions.normalization == .init(mean: [-1], standardDeviation: [2]))
    let track = try TrackOutcome.command(["a", "--line", "-1,0,3,4", "--line", "5,6,7,8", "--threads", "2"])
    #expect(track.tracking.line.map(\.shape.points) == [[-1, 0, 3, 4], [5, 6, 7, 8]])
    #expect(track.threads == 2)
  }

  @Test func `suppression is passed on`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot(["detect", "a.jpg", "--iou", "0.65", "--class-agnostic"]) as? DetectCommand
    )
    #expect(
      command.detectorOptions.suppression == SuppressionOptions(iouThreshold: 0.65, isClassAgnostic: true))
    let plain = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg"]) as? DetectCommand)
    #expect(plain.detectorOptions.suppression == SuppressionOptions())
  }

  @Test func `one photo uses one session, many use one per core`() throws {
    let one = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg"]) as? DetectCommand)
    #expect(one.input.effectiveJobs == 1)
    let many = try #require(try FoveaCommand.parseAsRoot(["detect", "a.jpg", "b.jpg"]) as? DetectCommand)
    #expect(many.input.effectiveJobs == Cores.available)
  }
}
