// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import FoveaTraining
import Testing

@testable import FoveaCLI

@Suite struct TrainObjectsTests {
  static let photos = PackageRoot.path + "/Examples/shapes/photos"

  /// An instances file of the drawn shapes, each box as large as its photo.
  static func instances() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var (images, annotations): ([String], [String]) = ([], [])
    for (label, shape) in ["disc", "square"].enumerated() {
      for number in 1...4 {
        let id = images.count + 1
        images.append(#"{"id":\#(id),"file_name":"\#(shape)/\#(number).jpg"}"#)
        annotations.append(
          #"{"id":\#(id),"image_id":\#(id),"category_id":\#(label),"bbox":[8,8,112,112]}"#)
      }
    }
    try folder.write(
      "instances.json",
      #"{"images":[\#(images.joined(separator: ","))],"annotations":[\#(annotations.joined(separator: ","))],"#
        + #""categories":[{"id":0,"name":"disc"},{"id":1,"name":"square"}]}"#)
    return folder
  }

  static func code(
    _ instances: String, _ options: [String], images: [String] = ["--images", photos]
  ) async throws -> Int32 {
    let command = try #require(
      try FoveaCommand.parseAsRoot(
        ["train", "objects", instances] + images + [
          "--quiet", "--folds", "2", "--l2", "0.001",
          "--cache", "none", "--backbone", "embedded-classifier", "--max-objects", "2",
        ] + options) as? TrainObjectsCommand)
    return await ObjectTrainingRun(
      set: command.set, head: command.head, output: command.output, instances: command.instances
    ).execute()
  }

  @Test func `boxes become a folder with a model, which is replaced only by force`() async throws {
    let folder = try Self.instances()
    let output = ["--output", folder["model"]]
    #expect(try await Self.code(folder["instances.json"], output) == 0)
    for name in ["model.tflite", "dict.txt", "manifest.json", "report.html", "training.json"] {
      #expect(folder.exists("model/\(name)"), "\(name)")
    }
    #expect(try folder.read("model/dict.txt").hasPrefix("disc\nsquare\n"))
    #expect(try folder.read("model/training.json").contains("\"localizer\""))
    #expect(try folder.read("model/report.html").contains("\"averagePrecision50WithRightLabels\": "))
    #expect(try await Self.code(folder["instances.json"], output) == 1)
    #expect(try await Self.code(folder["instances.json"], output + ["--force", "--no-report"]) == 0)
    #expect(!folder.exists("model/report.html"))
  }

  @Test(
    .enabled(
      if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
  func `the command that uses the model has the printed threshold and the limit of boxes`() async throws {
    let folder = try Self.instances()
    let outcome = try await ModelCommandTests.fovea(
      [
        "train", "objects", folder["instances.json"], "--images", Self.photos, "--folds", "2", "--l2",
        "0.001", "--cache", "none", "--backbone", "embedded-classifier", "--max-objects", "2", "--no-report",
        "--output", folder["model"],
      ], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    let best = try #require(outcome.output.split(separator: "from a score of ").dropFirst().first)
    let threshold = best.prefix { $0 != ":" }
    #expect(outcome.output.contains(" --threshold \(threshold) --max-objects 2\n"), "\(outcome)")
  }

  @Test(arguments: DetectionFormat.all.filter { $0.name != "text" })
  func `boxes found by detect are learned, in each format except text`(_ format: DetectionFormat) throws {
    let folder = try TemporaryFolder()
    let shapes = ["disc", "square"]
    let records = shapes.enumerated().map { index, shape in
      let object = DetectedObject(
        box: BoundingBox(x: 8, y: 8, width: 112, height: 112), score: 0.5,
        labels: [Label(text: shape, index: index, confidence: 0.5)])
      return DetectionRecord(
        image: "\(Self.photos)/\(shape)/1.jpg",
        result: .success(
          .init(size: PixelSize(width: 128, height: 128), orientation: .up, content: .objects([object]))))
    }
    let settings = DetectionFormat.Settings()
    settings.names.set(shapes)
    if var writer = format.writer(settings) {
      try folder.write("boxes", writer.text(of: records))
    } else if let output = format.folder(folder["boxes"], settings) {
      try output.begin(classNames: shapes)
      for (shape, record) in zip(shapes, records) {
        let image = ImageFile(path: record.image, relativePath: "\(shape)/1.jpg")
        try output.write(#require(record.findings), of: image)
      }
    }
    let command = try #require(
      try FoveaCommand.parseAsRoot(
        ["train", "objects", folder["boxes"], "--images", Self.photos, "--output", folder["model"]])
        as? TrainObjectsCommand)
    let set = try command.set.sets(command.instances).set
    #expect(set.classes == shapes)
    #expect(set.images.map(\.name) == shapes.map { $0 + "/1.jpg" })
    #expect(set.objectCount == 2 && set.notes == [])
  }

  @Test func `a CSV file of AutoML is read, its test images are evaluated, suspects left out`() async throws {
    let folder = try TemporaryFolder()
    let lines = ["disc", "square"].flatMap { shape in
      (1...5).map {
        "\($0 < 5 ? "TRAIN" : "TEST"),gs://bucket/\(shape)/\($0).jpg,\(shape),0.1,0.1,,,0.9,0.9,,"
      }
    }
    try folder.write("boxes.csv", lines.joined(separator: "\n"))
    try folder.write("suspects.txt", "gs://bucket/disc/1.jpg\ta remark\ngs://bucket/square/2.jpg#7\n")
    let code = try await Self.code(
      folder["boxes.csv"],
      [
        "--path-prefix", "gs://bucket/=\(Self.photos)", "--exclude", folder["suspects.txt"], "--output",
        folder["model"],
      ],
      images: [])
    #expect(code == 0)
    #expect(try folder.read("model/dict.txt").hasPrefix("disc\nsquare\n"))
    // Seven of eight images remain, with one object less.
    let record = try folder.read("model/training.json")
    #expect(
      record.contains(#""images": 7, "objects": 6,"#) && record.contains(#""images": 2, "objects": 2,"#),
      "\(record)")
  }

  @Test func `nothing is written if the file is wrong, or the output is among the photos`()
    async throws
  {
    let folder = try Self.instances()
    try folder.write("bad.json", "{}")
    #expect(try await Self.code(folder["bad.json"], ["--output", folder["model"]]) == 1)
    #expect(!folder.exists("model"))
    #expect(try await Self.code(folder["instances.json"], ["--output", Self.photos + "/model"]) == 1)
  }

  @Test(arguments: [
    (["--images", ""], "--images needs the name of a folder."),
    (["--detector", ""], "--detector needs the name of a model or file."),
    (["--max-objects", "0"], "--max-objects must be 1 or more, got 0."),
    (["--test-images", "x"], "--test-images is the folder of --test's images; give both."),
    (["--multi-label"], "--multi-label is for photos; a box has one label."),
    (["--folds", "1"], "--folds must be 2 to 50, got 1."),
  ])
  func `a wrong option is an error of the command line`(_ options: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(
        ["train", "objects", "instances.json", "--images", "photos", "--output", "model"] + options)
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
  }

  @Test(arguments: [
    (["instances.json"], "A COCO file needs --images, the folder of its images."),
    (
      ["boxes.csv", "--test", "test.json"],
      "A COCO file for --test needs --test-images, the folder of its images."
    ),
    (["boxes.csv", "--test", ""], "--test needs the name of a file with boxes."),
    ([""], "Name a COCO instances file, or a CSV file."),
  ])
  func `a COCO file without a folder of images is an error`(_ arguments: [String], _ message: String) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["train", "objects"] + arguments + ["--output", "model"])
    }
    #expect(error.map { FoveaCommand.message(for: $0) } == message)
  }

  @Test(arguments: [["--classifier", "x"], ["--no-classify"], ["--max-labels", "2"]])
  func `labels replacing the detector's allow no others`(_ options: [String]) {
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["detect", "photos", "--relabel", "model"] + options)
    }
    #expect(
      error.map { FoveaCommand.message(for: $0) }
        == "--relabel gives each object one label, in place of the detector's; leave \(options[0]) out.")
  }
}
