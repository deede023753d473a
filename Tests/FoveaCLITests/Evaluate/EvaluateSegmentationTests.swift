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

/// Evaluations of maps, from folders of PNGs to text; photos are segmented by a function.
@Suite struct EvaluateSegmentationTests {
  static let size = PixelSize(width: 4, height: 2)
  static let truth: [UInt8] = [0, 0, 1, 1, 0, 0, 1, 255]
  static let map: [UInt8] = [0, 0, 1, 0, 0, 2, 1, 1]

  static func png(_ numbers: [UInt8], _ size: PixelSize = size) throws -> [UInt8] {
    try ClassImage.png(numbers, size: size)
  }

  /// A folder with ground truth and maps of two images, `changes` and without `removed`.
  static func folder(
    _ changes: [String: [UInt8]] = [:], removed: [String] = []
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let (right, other) = (try png(truth), try png(map))
    let files = ["truth/a.png": right, "truth/b.png": right, "maps/a.png": other, "maps/b.png": right]
    for (name, bytes) in files.merging(changes, uniquingKeysWith: { $1 }) where !removed.contains(name) {
      try folder.write(name, bytes)
    }
    return folder
  }

  struct Outcome {
    var text: String
    var notes: [String]
    var failures: [String]
  }

  static func command(_ folder: TemporaryFolder, _ options: [String]) throws -> MapEvaluationRun {
    let command = try #require(
      try FoveaCommand.parseAsRoot(
        ["evaluate", "segmentation", "--ground-truth", folder["truth"], "--quiet"] + options)
        as? EvaluateSegmentationCommand)
    return MapEvaluationRun(
      groundTruth: command.groundTruth, source: command.source, output: command.output, stop: StopSignal())
  }

  /// Evaluates maps of files, or those of `source`.
  static func run(
    _ folder: TemporaryFolder, _ options: [String]? = nil, source: MapSource = .files(labels: [])
  ) async throws -> Outcome {
    let run = try command(folder, options ?? ["--maps", folder["maps"]])
    func short(_ text: String) -> String { text.replacing(folder.path + "/", with: "") }
    do throws(FoveaError) {
      let evaluated = try await run.evaluated(TrainingDisplay(isQuiet: true)) {
        () throws(FoveaError) in source
      }
      return Outcome(
        text: run.text(of: evaluated), notes: evaluated.notes,
        failures: evaluated.failed.map { short(RecordSink.line($0.name, $0.error)) })
    } catch {
      var error = error
      error.message = short(error.message)
      error.subject = error.subject.map(short)
      throw error
    }
  }

  @Test func `the table has the figures of all images, and a line for each class`() async throws {
    let outcome = try await Self.run(try Self.folder(), source: .files(labels: ["background", "cat"]))
    #expect(outcome.failures.isEmpty)
    #expect(
      outcome.text == """
        2 images, 14 pixels of 3 classes, 2 void pixels

        mean IoU                0.5370  mean of the classes that occur
        frequency-weighted IoU  0.8016  weighted by the pixels of each class
        pixel accuracy          0.8571  pixels with the right class
        mean accuracy           0.8542  mean of the classes of the ground truth

        class          IoU  accuracy  intersection  union  pixels  confused with
        background  0.7778    0.8750             7      9       8  class 2 (1)
        cat         0.8333    0.8333             5      6       6  background (1)
        class 2     0.0000         –             0      1       0

        """)
    #expect(
      outcome.notes == ["1 class has no label: 2; the labels are those of the classes 0 to 1"])
  }

  @Test func `the JSON has all figures`() async throws {
    let folder = try Self.folder(removed: ["truth/b.png"])
    let text = try await Self.run(folder, ["--maps", folder["maps"], "--json"]).text
    #expect(
      text.hasPrefix(
        #"{"images": 1, "failed": 0, "pixels": 7, "void": 1, "unclassified": 0, "meanIoU": 0.4222"#))
    #expect(text.contains(#""pixelAccuracy": 0.7142857142857143, "meanAccuracy": 0.7083333333333333, "#))
    #expect(
      text.contains(
        #""classes": [{"index": 0, "label": null, "groundTruth": 4, "map": 4, "intersection": 3, "union": 5, "#
          + #""iou": 0.6, "accuracy": 0.75}, "#))
    #expect(
      text.contains(
        #"{"index": 2, "label": null, "groundTruth": 0, "map": 1, "intersection": 0, "union": 1, "#
          + #""iou": 0.0, "accuracy": null}], "#))
    #expect(
      text.hasSuffix(
        #""confusion": [{"groundTruth": 0, "map": 0, "pixels": 3}, "#
          + #"{"groundTruth": 0, "map": 2, "pixels": 1}, {"groundTruth": 1, "map": 0, "pixels": 1}, "#
          + #"{"groundTruth": 1, "map": 1, "pixels": 2}]}"# + "\n"))
  }

  struct PartCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var changes: [String: [UInt8]] = [:]
    var removed: [String] = []
    var text: String
    var failures: [String] = []
    var notes: [String] = []
  }

  /// A PNG whose header has another depth and colour type; its pixels are not read.
  static func changed(depth: UInt8, type: UInt8) throws -> [UInt8] {
    var bytes = try png(truth)
    (bytes[24], bytes[25]) = (depth, type)
    return bytes
  }

  static let advice =
    "Save one class number per pixel as a PNG with a palette, or as grey with 8 bits; 255 is void."

  static func cases() throws -> [PartCase] {
    let one = "1 image, 7 pixels of 2 classes, 1 void pixel, 1 failed\n"
    let whole = try png(truth)
    let high = try png(map, size.transposed)
    let (void, last) = (try png(.init(repeating: 255, count: 8)), try png(.init(repeating: 254, count: 8)))
    let (deep, colored) = (try changed(depth: 16, type: 0), try changed(depth: 8, type: 2))
    return [
      PartCase(
        testDescription: "a missing map", removed: ["maps/a.png"], text: one,
        failures: ["truth/a.png: 'maps' has no map of this name. Add the map, or remove its ground truth."]),
      PartCase(
        testDescription: "a map of another size", changes: ["maps/a.png": high], text: one,
        failures: [
          "maps/a.png: the map is 2 × 4 pixels, its ground truth 'truth/a.png' 4 × 2. Make both in the size "
            + "of the photo; if EXIF does not rotate the ground truth, with --no-upright."
        ]),
      PartCase(
        testDescription: "two maps", changes: ["maps/a.bmp": []], text: one,
        failures: ["truth/a.png: 'maps' has 2 maps of this name: 'a.bmp' and 'a.png'. Keep one of them."]),
      PartCase(
        testDescription: "a truncated ground truth", changes: ["truth/a.png": Array(whole.dropLast(20))],
        text: one,
        failures: [
          "truth/a.png: the PNG file ends before the image does, after \(whole.count - 20) bytes. "
            + "Copy or download the file again."
        ]),
      PartCase(
        testDescription: "a map of 16 bits", changes: ["maps/a.png": deep], text: one,
        failures: [
          "maps/a.png: the PNG has grey pixels of 16 bits, not class numbers of 8 bits. \(advice)"
        ]),
      PartCase(
        testDescription: "a ground truth of colours", changes: ["truth/a.png": colored], text: one,
        failures: ["truth/a.png: the PNG has colours (RGB), not class numbers. \(advice)"]),
      PartCase(
        testDescription: "only void", changes: ["truth/a.png": void], removed: ["truth/b.png"],
        text: "1 image, 0 pixels of 0 classes, 8 void pixels\n\nmean IoU                –  mean of",
        notes: ["the ground truth has only void pixels (255), so there are no figures"]),
      PartCase(
        testDescription: "class 254", changes: ["truth/a.png": last], removed: ["truth/b.png"],
        text: "1 image, 8 pixels of 4 classes\n"),
      PartCase(
        testDescription: "pixels without a class", changes: ["maps/b.png": void], removed: ["truth/a.png"],
        text: "1 image, 7 pixels of 2 classes, 1 void pixel\n"),
    ]
  }

  @Test func `files that cannot be compared are listed, and the rest is evaluated`() async throws {
    for test in try Self.cases() {
      let folder = try Self.folder(test.changes, removed: test.removed)
      let outcome = try await Self.run(folder)
      #expect(outcome.text.hasPrefix(test.text), "\(test): \(outcome.text)")
      #expect(outcome.failures == test.failures, "\(test)")
      #expect(outcome.notes == test.notes, "\(test)")
      let code = try await Self.command(folder, ["--maps", folder["maps"]]).execute()
      #expect(code == (test.failures.isEmpty ? 0 : 1), "\(test)")
    }
  }

  struct ErrorCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var changes: [String: [UInt8]] = [:]
    var removed: [String] = []
    var maps = "maps"
    var code: String
    var subject: String?
    var message: String
  }

  static let all = ["truth/a.png", "truth/b.png"]

  @Test(arguments: [
    ErrorCase(
      testDescription: "no such folder", maps: "none", code: "input-missing", subject: "none",
      message: "cannot be opened: No such file or directory"),
    ErrorCase(
      testDescription: "an empty folder", changes: ["truth/readme.txt": [0x61]], removed: all,
      code: "folder-empty", subject: "truth",
      message: "no images (\(ImageFileName.extensionList)) in this folder"),
    ErrorCase(
      testDescription: "a folder of folders", changes: ["truth/sub/a.png": []], removed: all,
      code: "folder-empty", subject: "truth",
      message: "no images (\(ImageFileName.extensionList)) in this folder"),
    ErrorCase(
      testDescription: "other names", changes: ["truth/c_labelIds.png": []], removed: all,
      code: "evaluation-maps-mismatch",
      message: "no map has the name of an image of the ground truth: the first map is 'a.png', the first "
        + "image 'c_labelIds.png'"),
  ])
  func `folders that do not belong together are an error`(_ test: ErrorCase) async throws {
    let folder = try Self.folder(test.changes, removed: test.removed)
    let error = await #expect(throws: FoveaError.self) {
      try await Self.run(folder, ["--maps", folder[test.maps]])
    }
    #expect(error?.code.rawValue == test.code)
    #expect(error?.subject == test.subject)
    #expect(error?.message == test.message)
    let code = try await Self.command(folder, ["--maps", folder[test.maps]]).execute()
    #expect(code == 1)
  }

  @Test func `subfolders are compared with --recursive, and other files are noted`() async throws {
    let folder = try Self.folder([
      "truth/city/c.png": try Self.png(Self.truth), "maps/city/c.png": try Self.png(Self.truth),
      "maps/d.png": [], "truth/notes.json": [0x7B],
    ])
    let options = ["--maps", folder["maps"], "--recursive"]
    #expect(try await Self.run(folder, options).text.hasPrefix("3 images, 21 pixels of 3 classes, "))
    let pairs = try Self.command(folder, options).source.pairs(of: folder["truth"])
    #expect(pairs.truths.map(\.relativePath) == ["a.png", "b.png", "city/c.png"])
    #expect(
      pairs.notes.map { $0.replacing(folder.path + "/", with: "") } == [
        "truth: skipped 1 file that is not an image: notes.json",
        "maps without ground truth are left out: d.png",
      ])
  }

  @Test func `photos are segmented, and a photo that cannot be read is listed`() async throws {
    let folder = try Self.folder(["photos/a.jpg": [], "photos/b.jpeg": [], "photos/c.jpg": []])
    let source = MapSource(labels: ["background", "cat"]) { (photo) async throws(FoveaError) in
      guard photo.name.hasSuffix("/a.jpg") else { throw Sample.error }
      return ClassPixels(Self.map, size: Self.size)
    }
    let options = ["--images", folder["photos"], "--model", "m", "--no-per-class"]
    let outcome = try await Self.run(folder, options, source: source)
    #expect(outcome.text.hasPrefix("1 image, 7 pixels of 3 classes, 1 void pixel, 1 failed\n"))
    #expect(!outcome.text.contains("confused with"))
    #expect(
      outcome.failures == ["photos/b.jpeg: the file ends after 100 of 4096 bytes. Copy the file again."])
    let turned = MapSource { (_) async throws(FoveaError) in
      ClassPixels(Self.map, size: Self.size.transposed)
    }
    let failed = try await Self.run(folder, options, source: turned)
    #expect(failed.text == "")
    #expect(
      failed.failures.first
        == "photos/a.jpg: the photo is 2 × 4 pixels, its ground truth 'truth/a.png' 4 × 2. "
        + "Use ground truth in the size of the photo; if it is not rotated by EXIF, add --no-upright.")
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"), arguments: [true, false])
  func `a model agrees with its own map of a rotated photo`(_ isUpright: Bool) async throws {
    let segmenter = try await ImageSegmenter(
      model: .file(SharedData.path("tasks/deeplabv3_257_metadata.tflite")))
    let photo = try SharedData.bytes("exif/recurser/Landscape_6.jpg")
    let found = try await segmenter.analyze(.data(photo, name: "a.jpg"))
    #expect(found.orientation.isTransposed)
    let size = isUpright ? found.size.transposed : found.size
    let map = isUpright ? found.map.upright(found.orientation, stored: found.size) : found.map
    let folder = try TemporaryFolder()
    try folder.write("truth/a.png", try Self.png(map.classes(in: size), size))
    try folder.write("photos/a.jpg", photo)
    let options = ["--images", folder["photos"], "--model", "m"]
    let own = try await Self.run(folder, options, source: .segmenter(segmenter, isUpright: isUpright))
    #expect(own.failures.isEmpty && own.text.contains("mean IoU                1.0000  "), "\(own.text)")
    let other = try await Self.run(folder, options, source: .segmenter(segmenter, isUpright: !isUpright))
    #expect(other.failures.count == 1 && other.text == "")
  }

  @Test func `a run that is stopped has no figures`() async throws {
    let folder = try Self.folder()
    let run = try Self.command(folder, ["--maps", folder["maps"]])
    run.stop.request()
    let error = await #expect(throws: FoveaError.self) {
      try await run.evaluated(TrainingDisplay(isQuiet: true)) { () throws(FoveaError) in .files(labels: []) }
    }
    #expect(error?.code == .cancelled)
    #expect(await run.execute() == 130)
  }

  @Test func `labels are read from a file, and one that is missing is an error`() async throws {
    let folder = try Self.folder()
    try folder.write("labels.txt", "background\ncat\ndog\n")
    let maps = ["--maps", folder["maps"], "--labels"]
    let named = try await Self.command(folder, maps + [folder["labels.txt"]]).execute()
    let missing = try await Self.command(folder, maps + [folder["none.txt"]]).execute()
    #expect(named == 0 && missing == 2)
  }

  @Test(arguments: [
    ([], "Give either --maps, or --images and --model."),
    (["--model", "m"], "Give either --maps, or --images and --model."),
    (["--maps", "a", "--images", "b", "--model", "m"], "Give either --maps, or --images and --model."),
    (["--images", "b"], "--images needs --model."),
    (["--maps", "a", "--model", "m"], "--model needs --images, not --maps."),
    (["--maps", ""], "--maps needs the name of a folder."),
    (["--images", "", "--model", "m"], "--images needs the name of a folder."),
    (["--images", "b", "--model", ""], "--model needs the name of a file."),
    (["--maps", "-"], "evaluate reads files, not standard input."),
    (["--maps", "a", "--labels", ""], "--labels needs the name of a file."),
    (["--maps", "a", "--family", "deeplab"], "--family needs --model."),
    (["--maps", "a", "--exact"], "--exact needs --model."),
    (["--maps", "a", "--no-upright"], "--no-upright needs --model."),
    (["--maps", "a", "--jobs", "0"], "--jobs must be 1 or more, got 0."),
  ])
  func `a wrong option is an error of the command line`(_ options: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["evaluate", "segmentation", "--ground-truth", "t"] + options)
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
    #expect(error.map { FoveaCommand.exitCode(for: $0) } == .validationFailure)
  }

  @Test func `arguments become the library's options`() throws {
    let command = try #require(
      try FoveaCommand.parseAsRoot([
        "evaluate", "segmentation", "--ground-truth", "t", "--images", "p", "-m", "m", "--labels", "l.txt",
        "--family", "deeplab", "--normalize", "0,255", "--jobs", "3", "--max-pixels", "9",
      ]) as? EvaluateSegmentationCommand)
    var options = ImageSegmenter.Options()
    options.labelFile = "l.txt"
    options.family = .map
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    options.sessions = 3
    options.threads = 1
    options.imageLimits.maxPixels = 9
    #expect(command.source.segmenterOptions == options)
  }
}
