// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaFormats

/// Files of one command, read by the others: each format of the lists with each reader.
@Suite struct OwnFilesTests {
  private static let size = PixelSize(width: 64, height: 48)

  private static func object(_ label: String, _ index: Int, x: Double, identity: Int? = nil) -> DetectedObject
  {
    DetectedObject(
      box: BoundingBox(x: x, y: 6, width: 16, height: 12), score: 0.5,
      labels: [Label(text: label, index: index, confidence: 0.5)], trackingID: identity)
  }

  /// Writes records as a run of `fovea detect` does, with the images that folders link to.
  private static func write(
    _ format: DetectionFormat, _ records: [DetectionRecord], kind: AnswerKind = .objects,
    into folder: TemporaryFolder,
    ids: COCOIndex? = nil
  ) throws -> String {
    var settings = DetectionFormat.Settings()
    settings.kind = kind
    settings.writesScores = true
    settings.names.set(["cat", "tabby, tabby cat"])
    settings.cocoIndex = ids
    let path = folder.path + "/results-\(format.name)"
    if var writer = format.writer(settings) {
      try folder.write("results-\(format.name)", writer.text(of: records))
    } else if let output = format.folder(path, settings) {
      try output.begin(classNames: ["cat", "tabby, tabby cat"])
      for record in records {
        let findings = try #require(record.findings)
        try output.write(findings, of: ImageFile(path: record.image))
      }
    }
    return path
  }

  /// A grey image of 64 × 48 pixels: the headers of a BMP file, then three bytes per pixel.
  private static let bitmap: [UInt8] = {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let pixels = size.width * size.height * 3
    return Array("BM".utf8) + number(54 + pixels, 4) + number(0, 4) + number(54, 4) + number(40, 4)
      + number(size.width, 4) + number(size.height, 4) + number(1, 2) + number(24, 2) + number(0, 4)
      + number(pixels, 4) + [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 0x80, count: pixels)
  }()

  /// Two photos with a cat each, 64 × 48 pixels.
  private static func records(in folder: TemporaryFolder) throws -> [DetectionRecord] {
    try ["a.bmp", "b.bmp"].enumerated().map { index, name in
      let path = folder.path + "/" + name
      try folder.write(name, bitmap)
      let object = index == 0 ? object("cat", 0, x: 8) : object("tabby, tabby cat", 1, x: 24)
      return DetectionRecord(
        image: path,
        result: .success(.init(size: size, orientation: .up, content: .objects([object]))))
    }
  }

  /// Two photos with a label each.
  private static var labels: [DetectionRecord] {
    ["a.jpg", "b.jpg"].map { name in
      DetectionRecord(
        image: name,
        result: .success(
          .init(
            size: size, orientation: .up,
            content: .labels([Label(text: "tabby, tabby cat", index: 1, confidence: 0.5)]))))
    }
  }

  private static let truth = #"""
    {"images": [{"id": 7, "file_name": "a.bmp"}, {"id": 3, "file_name": "b.bmp"}],
     "categories": [{"id": 17, "name": "cat"}, {"id": 2, "name": "tabby, tabby cat"}],
     "annotations": [{"id": 1, "image_id": 7, "category_id": 17, "bbox": [8, 6, 16, 12], "area": 192, "iscrowd": 0},
      {"id": 2, "image_id": 3, "category_id": 2, "bbox": [24, 6, 16, 12], "area": 192, "iscrowd": 0}]}
    """#

  @Test(arguments: DetectionFormat.all, [false, true])
  func `each format of detect is evaluated, except text`(_ format: DetectionFormat, _ hasIDs: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    let index = try hasIDs ? COCOIndex(instances: Array(Self.truth.utf8), name: "truth") : nil
    let path = try Self.write(format, Self.records(in: folder), into: folder, ids: index)
    let truth = try COCOGroundTruth(json: Array(Self.truth.utf8))
    var found = COCODetections(groundTruth: truth)
    guard format.name != "text" else {
      #expect(throws: EvaluationError.self) { try found.read(path: path) }
      return
    }
    try found.read(path: path)
    #expect(found.count == 2 && found.unknownImages == 0 && found.unknownCategories == 0)
    let report = try DetectionEvaluator(groundTruth: truth).evaluate(found)
    #expect(abs((report.metrics.averagePrecision ?? 0) - 1) < 1e-12, "\(format.name)")
  }

  @Test(arguments: [AnswerKind.objects, .labels])
  func `CSV saved again by a spreadsheet is read`(_ kind: AnswerKind) throws {
    let folder = try TemporaryFolder()
    let records = try kind == .objects ? Self.records(in: folder) : Self.labels
    _ = try Self.write(try #require(DetectionFormat(name: "csv")), records, kind: kind, into: folder)
    let text = try folder.read("results-csv")
    for (mark, end) in [("\u{FEFF}", "\n"), ("", "\r\n"), ("\u{FEFF}", "\r\n")] {
      try folder.write("saved.csv", mark + text.replacing("\n", with: end))
      var read: [DetectionRecord] = []
      try RecordFile.read(path: folder["saved.csv"]) { read.append($0) }
      #expect(read.map(\.name) == records.map(\.name))
      #expect(read.map(\.findings?.content) == records.map(\.findings?.content))
    }
    // With semicolons numbers may have commas, so the file is named and not read.
    try folder.write("saved.csv", text.replacing(",", with: ";"))
    let error = #expect(throws: EvaluationError.self) {
      try RecordFile.read(path: folder["saved.csv"]) { _ in }
    }
    #expect(
      error?.message
        == "'\(folder["saved.csv"])' line 1: the columns are separated by semicolons, not by commas")
  }

  @Test func `frames in CSV saved again by a spreadsheet are read`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.frames(.csv, into: folder)
    let text = try folder.read("clip.csv")
    let header = FrameCSVWriter().header()
    let names = "\"" + header.dropLast().replacing(",", with: "\",\"") + "\"\n"
    for saved in [
      text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text, names + text.dropFirst(header.count),
    ] {
      let path = try folder.write("saved.csv", saved)
      #expect(try TrackFile.read(path: path, .results).annotations.map(\.identity) == [5, 5])
    }
    let path = try folder.write("saved.csv", text.replacing(",", with: ";"))
    for content in [MOTReader.Content.detections, .results] {
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, content) }
      #expect(
        error?.message == "'\(path)' line 1: the columns are separated by semicolons, not by commas")
    }
  }

  @Test func `the frames of track are not results of images`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.frames(.csv, into: folder)
    let read = #expect(throws: EvaluationError.self) { try RecordFile.read(path: path) { _ in } }
    #expect(read?.message == "'\(path)' has frames of tracks, not images")
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(Self.truth.utf8)))
    let evaluated = #expect(throws: EvaluationError.self) { try found.read(path: path) }
    #expect(evaluated?.message == read?.message)
  }

  @Test func `YOLO boxes without scores are not detections`() throws {
    let folder = try TemporaryFolder()
    let output = YOLOFolder(path: folder.path + "/yolo")
    try output.begin(classNames: ["cat", "tabby, tabby cat"])
    for record in try Self.records(in: folder) {
      try output.write(#require(record.findings), of: ImageFile(path: record.image))
    }
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(Self.truth.utf8)))
    let error = #expect(throws: EvaluationError.self) { try found.read(path: folder.path + "/yolo") }
    #expect(error?.message == "'\(folder.path)/yolo/labels/a.txt' has boxes without scores")
  }

  @Test(arguments: DetectionFormat.all.filter { !$0.isForBoxes && $0.name != "text" })
  func `each format of label round-trips`(_ format: DetectionFormat) throws {
    let folder = try TemporaryFolder()
    let records = Self.labels
    let path = try Self.write(format, records, kind: .labels, into: folder)
    var read: [DetectionRecord] = []
    try RecordFile.read(path: path) { read.append($0) }
    #expect(read.map(\.name) == records.map(\.name))
    #expect(read.map(\.findings?.content) == records.map(\.findings?.content))
  }

  private static func frames(_ format: FoveaFormats.FrameFormat, into folder: TemporaryFolder) throws
    -> String
  {
    let writer = format.writer()
    let records = (1...3).map { number in
      var record = FrameRecord(
        source: "clip.mp4", number: number, seconds: Double(number - 1) / 30, size: size,
        objects: number == 2 ? [] : [object("cat", 0, x: Double(number), identity: 5)])
      record.isDetected = true
      return record
    }
    let text = writer.header() + records.map { writer.text(for: $0) }.joined()
    try folder.write("clip.\(format.name)", text)
    return folder.path + "/clip.\(format.name)"
  }

  @Test(arguments: FoveaFormats.FrameFormat.all)
  func `each format of track is read as results and as detections, except text`(
    _ format: FoveaFormats.FrameFormat
  ) throws {
    let folder = try TemporaryFolder()
    let path = try Self.frames(format, into: folder)
    guard format.name != "text" else {
      #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .results) }
      return
    }
    let results = try TrackFile.read(path: path, .results)
    #expect(results.frames == [1, 3])
    #expect(results.annotations.map(\.identity) == [5, 5])
    #expect(results.annotations.map(\.box.minX) == [1, 3])
    #expect(results.annotations.map(\.score) == [0.5, 0.5])
    let table = try DetectionTable(path: path)
    #expect(table.lastFrame == 3 && table.detections(inFrame: 3).map(\.box.minX) == [3])
  }

  @Test(arguments: DetectionFormat.all.filter { $0.name != "text" }, [false, true])
  func `images processed by detect are frames in their order, in each format except text`(
    _ format: DetectionFormat, _ hasIDs: Bool
  ) throws {
    let folder = try TemporaryFolder()
    // Ids that are frame numbers; those of Self.truth are arbitrary.
    let truth = Self.truth.replacing("\"id\": 7,", with: "\"id\": 1,").replacing(
      "\"id\": 3,", with: "\"id\": 2,")
    let index = try hasIDs ? COCOIndex(instances: Array(truth.utf8), name: "truth") : nil
    let path = try Self.write(format, Self.records(in: folder), into: folder, ids: index)
    let table = try DetectionTable(path: path)
    #expect(table.lastFrame == 2)
    #expect(table.detections(inFrame: 1).map(\.box.minX) == [8])
    #expect(table.detections(inFrame: 2).map(\.box.minX) == [24])
    #expect(table.detections(inFrame: 2).map(\.score) == [0.5])
  }

  @Test(arguments: DetectionFormat.all.filter { $0.name != "text" })
  func `boxes go to the images they name, in each format except text`(_ format: DetectionFormat) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(format, Self.records(in: folder).reversed(), into: folder)
    let images = ["0.bmp", "a.bmp", "b.bmp", "c.bmp"].map { folder.path + "/" + $0 }
    let table = try DetectionTable(path: path).placed(on: images)
    let corners = (1...4).map { table.detections(inFrame: $0).map(\.box.minX) }
    #expect(corners == [[], [8], [24], []])
    #expect(!table.warnings.contains { $0.contains("order") }, "\(table.warnings)")
    #expect(
      table.warnings.contains(
        "'\(path)': 2 images of the source have no record, the first '\(images[0])'; used without boxes"))
  }

  /// A record of each image, with a box whose left edge is the record's index.
  private static func lines(_ images: [String]) -> String {
    images.enumerated().map { index, image in
      let box = #"{"x": \#(index), "y": 0, "width": 4, "height": 4}"#
      return
        #"{"image": "\#(image)", "objects": [{"box": \#(box), "score": 0.5, "trackingID": null, "labels": []}]}"#
    }.joined(separator: "\n")
  }

  /// Names of images, the left edges of the boxes on f/1.png to f/3.png, and the note.
  static let namedImages: [([String], [[Double]], [String])] = [
    (
      ["f/3.png", "f/1.png"], [[1], [], [0]],
      ["1 image of the source has no record, 'f/2.png'; used without boxes"]
    ),
    (
      ["/other/2.png", "/other/4.png", "1.png", "3.png"], [[2], [0], [3]],
      [
        "1 image is not in the source, '/other/4.png'; left out",
        "1 image is in another folder, '/other/2.png'; only the file names are compared",
      ]
    ),
    (
      ["g/1.png", "f/1.png", "f/2.png", "f/3.png"], [[1], [2], [3]],
      ["1 image is not in the source, 'g/1.png'; left out"]
    ),
    (
      ["f/1.png", "g/1.png", "g/2.png", "f/3.png"], [[0], [], [3]],
      [
        "2 images are not in the source, the first 'g/1.png'; left out",
        "1 image of the source has no record, 'f/2.png'; used without boxes",
      ]
    ),
    (
      ["a/f/1.png", "b/f/2.png", "b/f/3.png"], [[0], [1], [2]],
      ["3 images are in other folders, the first 'a/f/1.png'; only the file names are compared"]
    ),
    (
      ["1.png", "./1.png", "2.png", "3.png"], [[0, 1], [2], [3]],
      ["1 image has several records, '1.png'; all boxes are used"]
    ),
  ]

  @Test(arguments: namedImages)
  func `records that are not frames go to the images they name`(
    _ names: [String], _ corners: [[Double]], _ notes: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x.jsonl", Self.lines(names))
    let table = try DetectionTable(path: path).placed(on: ["f/1.png", "f/2.png", "f/3.png"])
    #expect((1...3).map { table.detections(inFrame: $0).map(\.box.minX) } == corners)
    #expect(table.warnings == notes.map { "'\(path)': \($0)" })
  }

  @Test(arguments: [
    (["g/1.png", "h/1.png"], "'g/1.png' and 'h/1.png' may both be 'f/1.png'"),
    (["g/7.png", "g/8.png"], "no record belongs to an image of the source; the first belongs to 'g/7.png'"),
  ])
  func `records of other images are not matched to a source`(_ names: [String], _ reason: String) throws {
    let folder = try TemporaryFolder()
    let table = try DetectionTable(path: folder.write("x.jsonl", Self.lines(names)))
    let error = #expect(throws: FoveaError.self) { try table.placed(on: ["f/1.png", "f/2.png"]) }
    #expect(error?.message == "'\(folder["x.jsonl"])': \(reason)")
  }

  /// A YOLO folder with the boxes of x/a.bmp, and those of y/a.bmp under the name a-2.bmp.
  private static func renamed(in folder: TemporaryFolder) throws -> String {
    let output = YOLOFolder(path: folder.path + "/yolo", writesScores: true)
    try output.begin(classNames: ["cat"])
    for (name, x, place) in [("x/a.bmp", 8.0, "a.bmp"), ("y/a.bmp", 24.0, "a-2.bmp")] {
      try folder.write(name, bitmap)
      try output.write(
        .init(size: size, orientation: .up, content: .objects([object("cat", 0, x: x)])),
        of: ImageFile(path: folder.path + "/" + name, relativePath: place))
    }
    return folder.path + "/yolo"
  }

  @Test func `boxes of a numbered link go to the image it leads to`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.renamed(in: folder)
    let table = try DetectionTable(path: path)
    func corners(_ images: [String]) throws -> [[Double]] {
      let placed = try table.placed(on: images.map { folder.path + "/" + $0 })
      return images.indices.map { placed.detections(inFrame: $0 + 1).map(\.box.minX) }
    }
    #expect(try corners(["x/a.bmp"]) == [[8]])
    #expect(try corners(["y/a.bmp"]) == [[24]])
    #expect(try corners(["yolo/images/a-2.bmp", "yolo/images/a.bmp"]) == [[24], [8]])
    let error = #expect(throws: FoveaError.self) { try corners(["z/a.bmp"]) }
    #expect(error?.message.contains("may both be '\(folder.path)/z/a.bmp'") == true)
  }

  @Test(
    arguments: [
      ("x/a.bmp", "y/a.bmp", 2), ("a.bmp", "a-2.bmp", 2), ("y/a.bmp", "b.bmp", 1), ("a.bmp", "b.bmp", nil),
    ] as [(String, String, Int?)])
  func `detections of a numbered link are on the image it leads to`(
    _ first: String, _ second: String, _ count: Int?
  ) throws {
    let folder = try TemporaryFolder()
    let path = try Self.renamed(in: folder)
    let truth = Self.truth.replacing("\"a.bmp\"", with: "\"\(first)\"").replacing(
      "\"b.bmp\"", with: "\"\(second)\"")
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(truth.utf8)))
    guard let count else {
      #expect(throws: EvaluationError.self) { try found.read(path: path) }
      return
    }
    try found.read(path: path)
    #expect(found.count == count && found.unknownImages == 2 - count)
  }

  @Test func `frames with their own numbers keep them, whatever their source is called`() throws {
    let folder = try TemporaryFolder()
    let table = try DetectionTable(path: Self.frames(.jsonl, into: folder)).placed(on: ["f/1.png", "f/2.png"])
    #expect(table.lastFrame == 3 && table.warnings.isEmpty)
    #expect(table.detections(inFrame: 3).map(\.box.minX) == [3])
  }

  /// Names of images in the order of the file, and the note if there are no images for the boxes.
  static let orders: [([String], String?)] = [
    (
      ["2.png", "10.png", "9.png"],
      "the images are not in the order of their names; the order of the file is used"
    ),
    (
      ["f/01.png", "f/02.png", "f/04.png"],
      "the numbers in the names of the images leave gaps; each image is the next frame"
    ),
    (["1.png", "6.png", "11.png"], nil), (["b/2.png", "a/1.png"], nil), (["a.png", "B.png", "c.png"], nil),
    (["a1.png", "b2.png", "b4.png"], nil),
  ]

  @Test(arguments: orders)
  func `images out of name order, or with gaps, are noted`(_ names: [String], _ note: String?)
    throws
  {
    let folder = try TemporaryFolder()
    let table = try DetectionTable(path: folder.write("x.jsonl", Self.lines(names)))
    #expect(table.lastFrameWithBoxes == names.count)
    #expect(table.warnings == (note.map { ["'\(folder["x.jsonl"])': \($0)"] } ?? []))
  }

  /// Other programs' COCO files: the text, the frames of its boxes, and the note.
  static let foreignCOCO: [(String, [Int], [String])] = [
    (
      #"[{"image_id": 3, "bbox": [3, 0, 4, 4], "score": 0.5}, {"image_id": 0, "bbox": [1, 0, 4, 4], "score": 1}]"#,
      [1, 4],
      [
        "COCO results name images, not frames; their ids start at 0 and become frame numbers from 1"
      ]
    ),
    (
      #"[{"image_id": 0, "bbox": [1, 1, 0, 4], "score": 0.5}, {"image_id": 3, "bbox": [1, 0, 4, 4], "score": 1}]"#,
      [4],
      [
        "COCO results name images, not frames; their ids start at 0 and become frame numbers from 1",
        "1 box has no area; left out",
      ]
    ),
    (
      #"[{"image_id": 2, "bbox": [3, 0, 0, 4], "score": 0.5}, {"image_id": 5, "bbox": [1, 0, 4, 4]}]"#, [5],
      [
        "COCO results name images, not frames; their ids are used as frame numbers",
        "1 box has no score; the score 1 is used", "1 box has no area; left out",
      ]
    ),
    (
      #"""
      {"images": [{"id": 900, "file_name": "10.jpg"}, {"id": 30, "file_name": "9.jpg"}, {"id": 40}], "categories": [],
       "annotations": [{"id": 1, "image_id": 900, "category_id": 1, "bbox": [1, 0, 4, 4], "score": 0.5},
        {"id": 2, "image_id": 30, "category_id": 1, "bbox": [1, 0, 4, 4], "score": 0.5}]}
      """#, [1, 3],
      ["a COCO file has images, not frames; they are used in the order of their ids"]
    ),
    (
      #"""
      {"annotations": [{"id": 1, "image_id": 0, "category_id": 1, "bbox": [1, 0, 4, 4]},
        {"id": 2, "image_id": 3, "category_id": 1, "bbox": [1, 0, 4, 4]}],
       "images": [{"id": 0, "file_name": "b.jpg"}, {"id": 3, "file_name": "a.jpg"}]}
      """#, [1, 4],
      [
        "a COCO file has images, not frames; they are used in the order of their ids",
        "the images are ordered differently by file name than by id; the ids are used",
        "2 boxes have no score; the score 1 is used",
      ]
    ),
    (
      #"""
      {"images": [{"id": 1}], "annotations": [
        {"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 0, 4, 4], "iscrowd": 1},
        {"id": 2, "image_id": 1, "category_id": 1, "bbox": [1, 0, 4, 4], "score": 0.5}]}
      """#, [1],
      [
        "a COCO file has images, not frames; they are used in the order of their ids",
        "1 box is around a crowd; left out",
      ]
    ),
  ]

  @Test(arguments: foreignCOCO)
  func `the images of any COCO file become frames`(_ text: String, _ frames: [Int], _ notes: [String]) throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write("dets.json", text)
    let read = try TrackFile.read(path: path, .detections)
    #expect(read.frames == frames)
    #expect(read.warnings.map(\.description) == notes.map { "'\(path)': \($0)" })
  }

  static let wrongCOCO: [(String, String)] = [
    (#"[{"image_id": 1, "bbox": [1, 2, 3, 4]}, {"bbox": [1, 2, 3, 4]}]"#, "a detection has no image_id"),
    (#"[{"image_id": 1}]"#, "a detection has no bbox"),
    (
      #"[{"image_id": -1, "bbox": [1, 2, 3, 4]}]"#,
      "image_id is -1 at line 1, column 40, byte 39; frame numbers start at 0 or 1"
    ),
    (#"[{"image_id": 1, "bbox": [1, 2, -3, 4]}]"#, "bbox [1, 2, -3, 4] has a negative width"),
    (#"{"images": [], "annotations": []}"#, "lists no images"),
    (
      #"{"images": [{"id": 1}], "annotations": [{"id": 4, "image_id": 2, "category_id": 1, "bbox": [1, 2, 3, 4]}]}"#,
      "annotation 4 is on the image 2, which is not listed"
    ),
    (
      #"{"images": [{"id": 1}], "annotation": []}"#,
      "COCO files have no member 'annotation', which is at line 1, column 39, byte 38; did you mean 'annotations'?"
    ),
    (#"{"annotation": []}"#, "did you mean 'annotations'?"),
    (#"{"image": [{"id": 1}], "annotations": []}"#, "did you mean 'images'?"),
    (#"{"info": {}, "Category": [], "image": [{"id": 1}]}"#, "did you mean 'images'?"),
    (#"{"images": [{"id": 1}], "annotations": [], "images": []}"#, "the member 'images' occurs twice"),
    (#"{"image": "a", "objects": [], "objects": []}"#, "the member 'objects' occurs twice"),
    (
      #"{"objects": [{"box": {"x": 0, "y": 0, "width": -4, "height": 9}, "score": 1}]}"#,
      "bbox [0, 0, -4, 9] has a negative width"
    ),
  ]

  @Test(arguments: wrongCOCO)
  func `invalid JSON and COCO files are not frames`(_ text: String, _ reason: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dets.json", text)
    let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  /// Writes a file or folder with a box whose score is written as `score`, the name in its format.
  private static func scored(_ format: String, _ score: String, in folder: TemporaryFolder) throws -> String {
    let box = #"{"x": 1, "y": 2, "width": 3, "height": 4}"#
    let columns = "1,2,3,4,\(score),cat,0,1"
    switch format {
    case "json":
      return try folder.write("x", #"{"image": "a", "objects": [{"box": \#(box), "score": \#(score)}]}"#)
    case "frame JSON":
      return try folder.write("x", "\n" + #"{"objects": [{"box": \#(box), "score": \#(score)}], "frame": 1}"#)
    case "results":
      return try folder.write("x", #"[{"image_id": 1, "bbox": [1, 2, 3, 4], "score": \#(score)}]"#)
    case "dataset":
      return try folder.write(
        "x",
        #"""
        {"images": [{"id": 1}], "annotations": [
          {"id": 7, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": \#(score)}]}
        """#)
    case "csv":
      var writer = CSVWriter(kind: .objects)
      return try folder.write("x", writer.header() + "a,64,48,up,stored,1,1,\(columns)\n")
    case "frames":
      return try folder.write("x", FrameCSVWriter().header() + "a,1,,,,up,stored,1,1,5,\(columns)\n")
    case "voc":
      try folder.write(
        "x/a.xml",
        "<annotation><object><name>cat</name><confidence>\(score)</confidence><bndbox><xmin>1</xmin>"
          + "<ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></object></annotation>")
    default:
      try folder.write("x/classes.txt", "cat\n")
      try folder.write("x/images/a.bmp", bitmap)
      try folder.write("x/labels/a.txt", "0 0.5 0.5 0.1 0.1 \(score)\n")
    }
    return folder["x"]
  }

  /// Each format whose scores are probabilities, with the place that an error names.
  static let scoredFormats = [
    ("json", ": the score is"), ("results", ": the score is"), ("dataset", ", annotation 7: the score is"),
    ("csv", " line 2: the score is"), ("voc", "/a.xml': object 1: the confidence is"),
    ("yolo", "/labels/a.txt' line 1: the score is"),
  ]

  @Test(arguments: scoredFormats)
  func `a score that is not a probability is an error with its place`(_ format: String, _ place: String)
    throws
  {
    let folder = try TemporaryFolder()
    for score in ["34.5", "-1", "1.02", "-0.02"] {
      let path = try Self.scored(format, score, in: folder)
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) }
      let message = error?.message ?? ""
      #expect(message.hasPrefix("'\(path)") && message.contains("\(place) \(score)"), "\(message)")
      #expect(message.contains("expected 0 to 1"), "\(message)")
    }
    let huge = try Self.scored(format, "1e39", in: folder)
    #expect(throws: EvaluationError.self) { try TrackFile.read(path: huge, .detections) }
  }

  @Test(arguments: ["frame JSON", "frames"])
  func `the scores of frames are kept as those of MOTChallenge are`(_ format: String) throws {
    let folder = try TemporaryFolder()
    for score in ["34.5", "-1", "1.02"] {
      let path = try Self.scored(format, score, in: folder)
      let read = try TrackFile.read(path: path, .detections)
      #expect(read.annotations.map { Float($0.score) } == [Float(score)])
      let shown = try #require(Double(score))
      #expect(
        read.warnings.map(\.description) == [
          "'\(path)' line 2: score is \(shown), outside 0 to 1; the score is kept"
        ])
    }
    let huge = try Self.scored(format, "1e39", in: folder)
    let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: huge, .detections) }
    #expect(error?.message.contains("the score is too large: 1e+39") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: FoveaFormats.FrameFormat.all.filter { $0.name != "text" })
  func `tracks of MOTChallenge's detections are detections again`(_ format: FoveaFormats.FrameFormat) throws {
    let folder = try TemporaryFolder()
    let lines = "1,-1,10,20,30,40,34.5,2\n2,-1,11,20,30,40,-0.25,2\n2,-1,80,20,30,40,0.5,1\n"
    let table = try DetectionTable(path: folder.write("det.txt", lines))
    let writer = format.writer()
    let text = (1...2).map { number in
      var objects = table.objects(inFrame: number)
      for index in objects.indices { objects[index].trackingID = index + 1 }
      return writer.text(
        for: FrameRecord(
          source: "det.txt", number: number, seconds: nil, size: nil, objects: objects))
    }
    let again = try DetectionTable(
      path: folder.write("tracks", writer.header() + text.joined()))
    for number in 1...2 {
      #expect(
        again.objects(inFrame: number).map(\.score) == table.objects(inFrame: number).map(\.score))
    }
    #expect(again.warnings.count == 1 && again.warnings[0].contains("score is 34.5, outside 0 to 1"))
  }

  @Test(arguments: scoredFormats.map(\.0) + ["frame JSON", "frames"], ["0", "1", "1.0001", "-1e-7"])
  func `a probability is followed, rounded or not`(_ format: String, _ score: String) throws {
    let folder = try TemporaryFolder()
    let read = try TrackFile.read(path: Self.scored(format, score, in: folder), .detections)
    #expect(read.annotations.map { Float($0.score) } == [Float(score)])
    #expect(!read.warnings.contains { $0.reason.contains("score") }, "\(read.warnings)")
  }

  @Test(arguments: ["voc", "csv", "frames"])
  func `a score that is not a number is not followed`(_ format: String) throws {
    let folder = try TemporaryFolder()
    for score in ["nan", "inf"] {
      let path = try Self.scored(format, score, in: folder)
      #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) }
    }
  }

  /// Writes a box of CSV: of the record of an image, or of a frame.
  private static func row(_ box: String, isFrame: Bool, in folder: TemporaryFolder) throws -> String {
    var writer = CSVWriter(kind: .objects)
    let start =
      isFrame
      ? FrameCSVWriter().header() + "a,1,,64,48,up,stored,1,1,5," : writer.header() + "a,64,48,up,stored,1,1,"
    return try folder.write("\(isFrame).csv", start + box + ",1,cat,0,1\n")
  }

  static let wrongBoxes = [
    ("nan,2,3,4", "has a number that is not finite"), ("1,2,inf,4", "has a number that is not finite"),
    ("1,2,1e200,1e200", "has a number that is not finite or too large"),
    ("1,2,-3,4", "bbox [1, 2, -3, 4] has a negative width"), ("1,2,3,-4", "has a negative height"),
  ]

  @Test(arguments: wrongBoxes, [false, true])
  func `a box of CSV that is not one is an error with its place`(_ box: (String, String), _ isFrame: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    let path = try Self.row(box.0, isFrame: isFrame, in: folder)
    let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("'\(path)'\(isFrame ? " line 2: " : ", image 'a': ")"), "\(message)")
    #expect(message.contains(box.1), "\(message)")
  }

  @Test func `a box of Pascal VOC from right to left is an error with its image`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.xml",
      "<annotation><filename>a.jpg</filename><object><name>cat</name><bndbox><xmin>9</xmin><ymin>1</ymin>"
        + "<xmax>2</xmax><ymax>2</ymax></bndbox></object></annotation>")
    let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: folder.path, .detections) }
    #expect(error?.message == "'\(folder.path)', image 'a.jpg': bbox [8, 0, -6, 2] has a negative width")
  }

  @Test func `detections without an area are left out in each format`() throws {
    let folder = try TemporaryFolder()
    let json = #"{"box": {"x": 1, "y": 2, "width": 0, "height": 4}, "score": 1}"#
    for path in [
      try folder.write("x.jsonl", #"{"image": "a", "objects": [\#(json)]}"#),
      try Self.row("1,2,3,0", isFrame: false, in: folder),
      try Self.row("1,2,0,4", isFrame: true, in: folder),
    ] {
      let read = try TrackFile.read(path: path, .detections)
      #expect(read.frames.isEmpty && read.lastListedFrame == 1)
      #expect(read.warnings.map(\.description) == ["'\(path)': 1 box has no area; left out"])
    }
  }

  @Test(arguments: [([nil], 1), ([nil, nil], 2), (["0.5", nil], 1), (["1"], 0)] as [([String?], Int)])
  func `boxes of VOC and YOLO without a score are counted in a note`(_ scores: [String?], _ count: Int) throws
  {
    let folder = try TemporaryFolder()
    try folder.write("yolo/classes.txt", "cat\n")
    for (index, score) in scores.enumerated() {
      let confidence = score.map { "<confidence>\($0)</confidence>" } ?? ""
      try folder.write(
        "voc/\(index).xml",
        "<annotation><object><name>cat</name>\(confidence)<bndbox><xmin>1</xmin><ymin>1</ymin>"
          + "<xmax>2</xmax><ymax>2</ymax></bndbox></object></annotation>")
      try folder.write("yolo/images/\(index).bmp", Self.bitmap)
      try folder.write("yolo/labels/\(index).txt", "0 0.5 0.5 0.1 0.1 \(score ?? "")\n")
    }
    for form in ["voc", "yolo"] {
      let read = try TrackFile.read(path: folder[form], .detections)
      #expect(read.annotations.map(\.score) == scores.map { $0.flatMap(Double.init) ?? 1 })
      let notes = read.warnings.map(\.description).filter { $0.contains("score") }
      let text = "\(count == 1 ? "1 box has" : "\(count) boxes have") no score; the score 1 is used"
      #expect(notes == (count == 0 ? [] : ["'\(folder[form])': \(text)"]))
    }
  }

  @Test func `YOLO images without a label file are empty frames`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(
      #require(DetectionFormat(name: "yolo")), Self.records(in: folder), into: folder)
    // Other files may have the name of an image.
    for name in ["aa.bmp", "Thumbs.db", "a.aae", "b.xmp"] {
      try folder.write("results-yolo/images/\(name)", Self.bitmap)
    }
    let table = try DetectionTable(path: path)
    #expect(table.lastFrame == 3 && table.detections(inFrame: 2).isEmpty)
    #expect(table.detections(inFrame: 3).map(\.box.minX) == [24])
    #expect(
      table.warnings == [
        "'\(path)': a folder has images, not frames; they are used in the order of their names"
      ]
    )
  }

  @Test(arguments: DetectionFormat.all.filter { $0.name != "text" }, [false, true])
  func `objects keep their labels in each format except text`(_ format: DetectionFormat, _ hasIDs: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    let truth = Self.truth.replacing("\"id\": 7,", with: "\"id\": 1,").replacing(
      "\"id\": 3,", with: "\"id\": 2,")
    let index = try hasIDs ? COCOIndex(instances: Array(truth.utf8), name: "truth") : nil
    let path = try Self.write(format, Self.records(in: folder), into: folder, ids: index)
    let table = try DetectionTable(path: path)
    let labels = (1...2).map { table.objects(inFrame: $0).flatMap(\.labels) }
    if format.name == "coco", hasIDs {
      // COCO results have no names.
      #expect(labels.map { $0.map(\.index) } == [[17], [2]] && labels.joined().allSatisfy { $0.text == nil })
    } else {
      #expect(labels.map { $0.map(\.text) } == [["cat"], ["tabby, tabby cat"]])
    }
    #expect(labels.joined().allSatisfy { $0.confidence == 0.5 })
    let numbers = (1...2).map { table.detections(inFrame: $0).map(\.classIndex) }
    #expect(numbers == labels.map { $0.map(\.index) } && numbers[0] != numbers[1])
    let placed = try table.placed(on: ["b.bmp", "a.bmp"].map { folder.path + "/" + $0 })
    guard !(format.name == "coco" && hasIDs) else { return }
    #expect(placed.objects(inFrame: 1).first?.labels == labels[1])
  }

  @Test(arguments: FoveaFormats.FrameFormat.all.filter { $0.name != "text" })
  func `the labels of tracks are read as detections`(_ format: FoveaFormats.FrameFormat) throws {
    let folder = try TemporaryFolder()
    let table = try DetectionTable(path: Self.frames(format, into: folder))
    let labels = table.objects(inFrame: 3).map { $0.labels.map(\.text) }
    #expect(labels == (format.name == "mot" ? [[]] : [["cat"]]))
  }

  @Test func `several labels of an object are kept, and classes are numbered by name`() throws {
    let folder = try TemporaryFolder()
    func object(_ labels: String) -> String {
      #"{"box": {"x": 0, "y": 0, "width": 9, "height": 9}, "score": 1, "labels": [\#(labels)]}"#
    }
    let path = try folder.write(
      "x.jsonl",
      """
      {"image": "a", "objects": [\(object(#"{"text": "dog"}, {"text": "pug", "index": 9, "confidence": 0.5}"#))]}
      {"image": "b", "objects": [\(object(#"{"text": "cat"}"#)), \(object("")), \(object(#"{"text": "dog"}"#))]}
      {"image": "c", "objects": [\(object(#"{"text": null, "index": 7}"#))]}
      """)
    let table = try DetectionTable(path: path)
    #expect(table.objects(inFrame: 1).map { $0.labels.map(\.text) } == [["dog", "pug"]])
    #expect(table.objects(inFrame: 1)[0].labels[1] == Label(text: "pug", index: 9, confidence: 0.5))
    // Without a confidence, it is the score of the object.
    #expect(table.objects(inFrame: 1)[0].labels[0].confidence == 1)
    #expect(table.objects(inFrame: 2).map { $0.labels.map(\.text) } == [["cat"], [], ["dog"]])
    let numbers = (1...3).map { table.detections(inFrame: $0).map(\.classIndex) }
    #expect(numbers == [[0], [1, nil, 0], [7]])
  }

  static let refusedMembers: [(String, String)] = [
    (#""labels": [{"text": "a"}], "labels": []"#, "the member 'labels' occurs twice"),
    (#""labels": [{"text": "a", "confidence": "0.5"}]"#, "confidence is not a number"),
    (#""labels": [{"text": "a", "confidence": null}]"#, "confidence is null"),
    (#""labels": [{"text": "a", "confidence": 1e39}]"#, "the confidence is too large: 1e+39"),
    (#""labels": [{"text": "a", "confidence": 0, "confidence": 1}]"#, "the member 'confidence' occurs twice"),
    (#""labels": [{"confidence": 1}]"#, "a label has no text"), (#""labels": [{}]"#, "a label has no text"),
    (#""labels": ["a"]"#, "an element of 'labels' is not an object"),
    (#""score": 0.5"#, "the member 'score' occurs twice"), (#""box": {}"#, "the member 'box' occurs twice"),
    (#""trackingID": 1, "trackingID": 2"#, "the member 'trackingID' occurs twice"),
  ]

  @Test(arguments: refusedMembers)
  func `members of objects are read alike by all readers of JSON`(_ members: String, _ reason: String) throws
  {
    let folder = try TemporaryFolder()
    let box = #"{"x": 0, "y": 0, "width": 9, "height": 9}"#
    let path = try folder.write(
      "x.json", #"[{"image": "a.jpg", "objects": [{"box": \#(box), "score": 1, \#(members)}]}]"#)
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(Self.truth.utf8)))
    for error in [
      #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) },
      #expect(throws: EvaluationError.self) { try RecordFile.read(path: path) { _ in } },
      #expect(throws: EvaluationError.self) { try found.read(path: path) },
    ] {
      #expect(error?.message.contains("\(reason) at line 1") == true, "\(error?.message ?? "")")
    }
  }

  static let twins = [
    (#""image": "b""#, "image"), (#""objects": []"#, "objects"),
    (#""labels": [], "labels": []"#, "labels"), (#""frame": 1, "frame": 1"#, "frame"),
  ]

  @Test(arguments: twins)
  func `a member that a frame has twice is an error`(_ members: String, _ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x.json", #"[{"image": "a", "objects": [], \#(members)}]"#)
    let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, .detections) }
    #expect(error?.message.contains("the member '\(name)' occurs twice") == true, "\(error?.message ?? "")")
    guard name != "frame" else { return }
    let record = #expect(throws: EvaluationError.self) { try RecordFile.read(path: path) { _ in } }
    #expect(record?.message.contains("the member '\(name)' occurs twice") == true)
  }

  @Test func `classes of VOC have one number in all files`() throws {
    let folder = try TemporaryFolder()
    func object(_ name: String) -> String {
      "<object><name>\(name)</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox>"
        + "</object>"
    }
    for (index, names) in [["dog"], ["cat", "dog"], ["bird", "cat"]].enumerated() {
      try folder.write(
        "\(index).xml", "<annotation>\(names.map { object($0) }.joined())</annotation>")
    }
    let table = try DetectionTable(path: folder.path)
    let numbers = (1...3).map { table.detections(inFrame: $0).map(\.classIndex) }
    #expect(numbers == [[0], [1, 0], [2, 1]])
  }

  static let frameless: [(String, String)] = [
    ("[]", "has no frames"), ("{}", "has an object that is not a frame"),
    ("[{}]", "has an object that is not a frame"), (#"{"zzz": 1}"#, "has an object that is not a frame"),
    (#"{"image": "a.jpg", "labels": []}"#, "has labels of whole images, not boxes"),
    (#"{"image": "a.jpg", "classes": []}"#, "has an object that is not a frame"),
    (#"{"event_type": "start", "frame": 1, "box": {}}"#, "has an object that is not a frame"),
    (
      #"{"image": "a.jpg", "objects": []}"# + "\n" + #"{"image": "b.jpg"}"#,
      "has an object that is not a frame"
    ),
    (#"{"image": "a.jpg", "objects": []}"# + "\n{}", "has an object that is not a frame"),
  ]

  @Test(arguments: frameless)
  func `JSON without frames is not an empty track`(_ text: String, _ what: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x.json", text)
    for content in [MOTReader.Content.detections, .results, .groundTruth] {
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, content) }
      #expect(error?.message == "'\(path)' \(what)")
    }
    let error = #expect(throws: FoveaError.self) { try DetectionTable(path: path) }
    #expect(
      error?.remedy.description
        == "Name lines of MOTChallenge such as det.txt, or results of Fovea in any format except text")
  }

  @Test(arguments: ["json", "jsonl", "csv"])
  func `the labels of label are not boxes`(_ format: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(
      #require(DetectionFormat(name: format)), Self.labels, kind: .labels, into: folder)
    for content in [MOTReader.Content.detections, .results, .groundTruth] {
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, content) }
      #expect(error?.message == "'\(path)' has labels of whole images, not boxes")
    }
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(Self.truth.utf8)))
    let error = #expect(throws: EvaluationError.self) { try found.read(path: path) }
    #expect(error?.message.hasPrefix("'\(path)', ") == true)
    #expect(error?.message.hasSuffix(": there is an image without objects") == true)
  }

  @Test(arguments: ["json", "jsonl", "csv"])
  func `the detections of detect have no identities`(_ format: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(
      #require(DetectionFormat(name: format)), Self.records(in: folder), into: folder)
    for content in [MOTReader.Content.results, .groundTruth] {
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, content) }
      #expect(error?.message == "'\(path)' holds detections, whose boxes have no identity")
      #expect(
        error?.remedy.description
          == "Name lines of MOTChallenge such as gt.txt, or a file of 'fovea track' in the format mot, jsonl or csv"
      )
    }
    // A run without objects has none without an identity.
    let nothing = try folder.write("nothing.jsonl", #"{"image": "a.jpg", "objects": []}"#)
    #expect(try TrackFile.read(path: nothing, .results).frames.isEmpty)
  }

  @Test func `images without boxes are frames, also after the last box`() throws {
    let folder = try TemporaryFolder()
    for (name, text, last) in [
      ("a.json", #"{"images": [{"id": 1}, {"id": 2}, {"id": 3}], "annotations": []}"#, 3),
      ("b.json", #"{"images": [{"id": 70}, {"id": 5}], "annotations": []}"#, 2),
      ("c.jsonl", #"{"image": "a", "objects": []}"# + "\n" + #"{"image": "b", "objects": []}"#, 2),
      ("d.jsonl", #"{"image": "a", "frame": 4, "objects": []}"#, 4),
      ("e.csv", FrameCSVWriter().header() + "a,9,,,,,,0,0,,,,,,,,,\n", 9),
    ] {
      let table = try DetectionTable(path: folder.write(name, text))
      #expect(table.lastFrame == last && table.lastFrameWithBoxes == 0, "\(name)")
    }
  }

  /// Reads a pipe whose other end is already closed.
  private static func piped<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    let written = Descriptor.write(bytes, to: ends[1])
    close(ends[1])
    try #require(written.error == nil)
    return try body("/dev/fd/\(ends[0])")
  }

  @Test(arguments: ["json", "jsonl", "csv", "coco"], [false, true])
  func `a pipe is read like a file`(_ format: String, _ hasIDs: Bool) throws {
    let folder = try TemporaryFolder()
    let truth = Self.truth.replacing("\"id\": 7,", with: "\"id\": 1,").replacing(
      "\"id\": 3,", with: "\"id\": 2,")
    let index = try hasIDs ? COCOIndex(instances: Array(truth.utf8), name: "truth") : nil
    let path = try Self.write(
      #require(DetectionFormat(name: format)), Self.records(in: folder), into: folder, ids: index)
    let bytes = Array(try folder.read("results-\(format)").utf8)
    #expect(bytes.count < 1 << 15, "a pipe holds 64 KiB")
    let table = try Self.piped(bytes) { try DetectionTable(path: $0) }
    let expected = try DetectionTable(path: path)
    #expect(table.lastFrame == 2)
    for frame in 1...2 { #expect(table.detections(inFrame: frame) == expected.detections(inFrame: frame)) }
    var found = COCODetections(groundTruth: try COCOGroundTruth(json: Array(truth.utf8)))
    try Self.piped(bytes) { try found.read(path: $0) }
    #expect(found.count == 2 && found.unknownImages == 0 && found.unknownCategories == 0)
    guard format != "coco" else { return }
    var images: [String] = []
    try Self.piped(bytes) { try RecordFile.read(path: $0) { images.append($0.image) } }
    #expect(images.count == 2)
  }

  @Test(arguments: [1, 300])
  func `lines and tracks can come through a pipe`(_ count: Int) throws {
    let lines = (1...count).map { "\($0),7,\($0),20,10,20,0.5,-1,-1,-1\n" }.joined()
    let read = try Self.piped(Array(lines.utf8)) { try TrackFile.read(path: $0, .results) }
    #expect(read.frames == Array(1...count) && read.annotations.last?.box.minX == Double(count))
    let folder = try TemporaryFolder()
    for format in FoveaFormats.FrameFormat.all where format.name != "text" {
      _ = try Self.frames(format, into: folder)
      let bytes = Array(try folder.read("clip.\(format.name)").utf8)
      let tracks = try Self.piped(bytes) { try TrackFile.read(path: $0, .results) }
      #expect(tracks.frames == [1, 3] && tracks.annotations.map(\.identity) == [5, 5])
    }
    let empty = try Self.piped([]) { try TrackFile.read(path: $0, .results) }
    #expect(empty.count == 0)
  }

  @Test(arguments: [MOTReader.Content.results, .groundTruth])
  func `boxes without an identity next to others are left out with a note`(_ content: MOTReader.Content)
    throws
  {
    let folder = try TemporaryFolder()
    func object(_ identity: String) -> String {
      #"{"box": {"x": 0, "y": 0, "width": 9, "height": 9}, "score": 1, "trackingID": \#(identity)}"#
    }
    let path = try folder.write(
      "half.jsonl",
      """
      {"frame": 1, "objects": [\(object("1"))]}
      {"frame": 4, "objects": [\(object("null")), \(object("1"))]}
      {"frame": 5, "objects": [\(object("null"))]}
      """)
    let read = try TrackFile.read(path: path, content)
    #expect(read.frames == [1, 4] && read.annotations.map(\.identity) == [1, 1])
    #expect(
      read.warnings.map(\.description) == [
        "'\(path)': 2 boxes have no identity, the first in frame 4; left out"
      ])
    #expect(try TrackFile.read(path: path, .detections).warnings.isEmpty)
    let one = try folder.write("one.jsonl", #"{"objects": [\#(object("1")), \#(object("null"))]}"#)
    #expect(
      try TrackFile.read(path: one, content).warnings.map(\.reason) == ["1 box has no identity, in frame 1"])
  }

  static let identified = [
    #"{"images": [{"id": 1}], "annotations": [{"id": 1, "image_id": 1, "track_id": 4, "bbox": [0, 0, 1, 1]}]}"#,
    #"{"annotations": [{"id": 1}, {"id": 2, "track_id": 4}], "images": [{"id": 1}]}"#,
    #"[{"image_id": 1, "bbox": [0, 0, 1, 1], "score": 1}, {"image_id": 1, "track_id": 4, "bbox": [0, 0, 1, 1]}]"#,
    #"{"images": [], "annotations": [{"attributes": 7}, {"attributes": {"occluded": false, "track_id": 0}, "id": 2}]}"#,
  ]

  @Test(arguments: identified)
  func `the identities of COCO-VID and CVAT are reported as not read`(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("vid.json", text)
    for content in [MOTReader.Content.results, .groundTruth] {
      let error = #expect(throws: EvaluationError.self) { try TrackFile.read(path: path, content) }
      #expect(error?.message == "'\(path)' is a COCO file, whose 'track_id' is not read")
    }
  }

  @Test func `COCO, VOC and YOLO have no identities, and a failed image is an empty frame`() throws {
    let folder = try TemporaryFolder()
    let coco = try Self.write(#require(DetectionFormat(name: "coco")), Self.records(in: folder), into: folder)
    for content in [MOTReader.Content.results, .groundTruth] {
      let read = #expect(throws: EvaluationError.self) { try TrackFile.read(path: coco, content) }
      #expect(read?.message == "'\(coco)' is a COCO file, whose boxes have no identity")
      let all = #expect(throws: EvaluationError.self) { try TrackFile.read(path: folder.path, content) }
      #expect(all?.message == "'\(folder.path)' is a folder, but boxes of frames are lines of one file")
    }
    let empty = #expect(throws: EvaluationError.self) { try TrackFile.read(path: folder.path, .detections) }
    #expect(
      empty?.message
        == "The folder '\(folder.path)' has no results: neither .xml files nor labels and classes.txt")
    let failed = try folder.write(
      "failed.jsonl", #"{"image": "a.jpg", "error": {"code": "x", "message": "y"}}"#)
    #expect(try TrackFile.read(path: failed, .detections).frames.isEmpty)
  }
}
