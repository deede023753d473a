// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaFormats

/// Masks and rotated boxes in every format, and their way back.
@Suite struct MaskFormatTests {
  /// The shape that an object of a test has besides its box.
  enum Shape: CaseIterable { case mask, orientedBox, neither }

  static let size = PixelSize(width: 6, height: 4)
  /// The pixels of columns 1 and 2 in rows 1 and 2.
  static let runs: [UInt32] = [5, 2, 2, 2, 13]

  static func object(_ shape: Shape) throws -> DetectedObject {
    var object = DetectedObject(
      box: BoundingBox(x: 1, y: 1, width: 2, height: 3), score: 0.5,
      labels: [Label(text: "cat", index: 0, confidence: 0.5)])
    switch shape {
    case .mask: object.mask = try ObjectMask(RunLengths(counts: runs, size: size))
    case .orientedBox:
      object.orientedBox = OrientedBox(
        center: PixelPoint(x: 3, y: 2), width: 2, height: 1, angle: .pi / 6)
    case .neither: break
    }
    return object
  }

  static func record(_ objects: [DetectedObject]) -> DetectionRecord {
    DetectionRecord(
      image: "a.jpg",
      result: .success(
        DetectionRecord.Findings(size: size, orientation: .up, content: .objects(objects))))
  }

  /// Returns what a format writes for an image with one object.
  static func text(_ format: String, _ shape: Shape, _ masks: MaskForm = .rle) throws -> String {
    let format = try #require(DetectionFormat(name: format))
    var settings = DetectionFormat.Settings()
    settings.masks = masks
    settings.names.set(["cat"])
    let record = record([try object(shape)])
    if var writer = format.writer(settings) { return writer.text(of: [record]) }
    let folder = try TemporaryFolder()
    let output = try #require(format.folder(folder.path, settings))
    try output.begin(classNames: ["cat"])
    try output.write(try #require(record.findings), of: ImageFile(path: photo, relativePath: "a.jpg"))
    return try folder.read(format == .yolo ? "labels/a.txt" : "a.xml")
  }

  struct FormatCase: CustomTestStringConvertible, Sendable {
    var format: String
    var shape: Shape
    var masks = MaskForm.rle
    /// The part that differs from an object with only a box; nil if there is none.
    var part: String?
    var testDescription: String { "\(format), \(shape), \(masks)" }
  }

  static let rle = #"{"size": [4, 6], "counts": "5220;"}"#
  static let polygons = "[[1, 1, 3, 1, 3, 3, 1, 3]]"
  static let oriented = #""orientedBox": {"x": 3, "y": 2, "width": 2, "height": 1, "degrees": 30}"#
  static let yoloCorners = "0.166667 0.250000 0.500000 0.250000 0.500000 0.750000 0.166667 0.750000"
  static let yoloRotated = "0.397329 0.266747 0.686004 0.516747 0.602671 0.733253 0.313996 0.483253"

  @Test(arguments: [
    FormatCase(format: "text", shape: .mask, part: "  mask 67 %\n"),
    FormatCase(format: "text", shape: .orientedBox, part: "  rotated 30°\n"),
    FormatCase(format: "json", shape: .mask, part: #", "mask": \#(rle)}"#),
    FormatCase(
      format: "json", shape: .mask, masks: .polygon,
      part: #", "mask": {"size": [4, 6], "polygons": \#(polygons)}}"#),
    FormatCase(format: "json", shape: .mask, masks: .none),
    FormatCase(format: "json", shape: .orientedBox, part: ", \(oriented)}"),
    FormatCase(format: "json", shape: .orientedBox, masks: .none, part: ", \(oriented)}"),
    FormatCase(format: "jsonl", shape: .mask, part: #", "mask": \#(rle)}"#),
    FormatCase(
      format: "jsonl", shape: .mask, masks: .polygon,
      part: #", "mask": {"size": [4, 6], "polygons": \#(polygons)}}"#),
    FormatCase(format: "jsonl", shape: .mask, masks: .none),
    FormatCase(format: "jsonl", shape: .orientedBox, part: ", \(oriented)}"),
    FormatCase(format: "csv", shape: .mask),
    FormatCase(format: "csv", shape: .orientedBox),
    FormatCase(format: "coco", shape: .mask, part: #""area": 4, "segmentation": \#(rle), "#),
    FormatCase(
      format: "coco", shape: .mask, masks: .polygon, part: #""area": 4, "segmentation": \#(polygons), "#),
    FormatCase(format: "coco", shape: .mask, masks: .none),
    FormatCase(format: "coco", shape: .orientedBox),
    FormatCase(format: "voc", shape: .mask),
    FormatCase(format: "voc", shape: .orientedBox),
    FormatCase(format: "yolo", shape: .mask, part: "0 \(yoloCorners)\n"),
    FormatCase(format: "yolo", shape: .mask, masks: .polygon, part: "0 \(yoloCorners)\n"),
    FormatCase(format: "yolo", shape: .mask, masks: .none),
    FormatCase(format: "yolo", shape: .orientedBox, part: "0 \(yoloRotated)\n"),
  ])
  func `a format has the shape, or exactly the text of a box`(_ test: FormatCase) throws {
    let text = try Self.text(test.format, test.shape, test.masks)
    let bare = try Self.text(test.format, .neither)
    guard let part = test.part else {
      #expect(text == bare)
      return
    }
    #expect(text.contains(part), "\(text)")
    #expect(!bare.contains(part) && bare != text)
  }

  @Test func `each format is in the table`() {
    let known: Set = ["text", "json", "jsonl", "csv", "coco", "voc", "yolo"]
    #expect(Set(DetectionFormat.all.map(\.name)) == known, "add rows for the new format")
  }

  @Test func `COCO results have the segmentation of a mask`() throws {
    let index = try COCOIndex(
      instances: Array(
        #"{"images": [{"id": 7, "file_name": "a.jpg"}], "categories": [{"id": 3, "name": "cat"}]}"#.utf8),
      name: "i.json")
    let start = #"{"image_id": 7, "category_id": 3, "bbox": [1, 1, 2, 3], "#
    let parts: [(MaskForm, String)] = [
      (.rle, #""segmentation": \#(Self.rle), "#), (.polygon, #""segmentation": \#(Self.polygons), "#),
      (.none, ""),
    ]
    for (form, part) in parts {
      var writer = COCOWriter(index: index)
      writer.masks = form
      let text = writer.text(of: [Self.record([try Self.object(.mask)])])
      #expect(text == "[\n\(start)\(part)\"score\": 0.5}\n]\n")
    }
  }

  @Test(arguments: Shape.allCases)
  func `frames of a video have the same members`(_ shape: Shape) throws {
    let record = FrameRecord(source: "v.mp4", number: 1, size: Self.size, objects: [try Self.object(shape)])
    let expected: [(MaskForm, String?)] =
      switch shape {
      case .mask:
        [
          (.rle, #", "mask": \#(Self.rle)}]"#),
          (.polygon, #", "mask": {"size": [4, 6], "polygons": \#(Self.polygons)}}]"#), (.none, nil),
        ]
      case .orientedBox: [(.rle, ", \(Self.oriented)}]"), (.none, ", \(Self.oriented)}]")]
      case .neither: [(.rle, nil)]
      }
    for (form, part) in expected {
      var writer = FrameJSONWriter()
      writer.masks = form
      let text = writer.text(for: record)
      if let part { #expect(text.contains(part), "\(text)") }
      #expect(text.contains(#""mask""#) == (shape == .mask && form != .none))
      #expect(text.contains(#""orientedBox""#) == (shape == .orientedBox))
    }
    let bare = FrameRecord(source: "v.mp4", number: 1, objects: [try Self.object(.mask)])
    #expect(!FrameJSONWriter().text(for: bare).contains(#""mask""#), "the size of the frame is not known")
  }

  @Test func `numbers of rotated boxes must be finite`() throws {
    var object = try Self.object(.orientedBox)
    object.orientedBox?.angle = .nan
    let findings = try #require(Self.record([object]).findings)
    #expect(throws: FoveaError.self) { try findings.checkNumbers() }
    #expect(throws: Never.self) {
      try Self.record([Self.object(.orientedBox), Self.object(.mask)]).findings?.checkNumbers()
    }
  }

  // MARK: Notes

  @Test func `a format without a shape is noted once`() throws {
    let (mask, rotated) = (try Self.object(.mask), try Self.object(.orientedBox))
    var notes = ShapeNotes(DetectionFormat.csv)
    #expect(notes.notes(for: [try Self.object(.neither)]).isEmpty)
    #expect(notes.notes(for: [mask]) == ["masks are not in csv: use json, jsonl, coco or yolo"])
    #expect(
      notes.notes(for: [mask, rotated]) == ["rotated boxes are not in csv: use json, jsonl or yolo"])
    #expect(notes.notes(for: [mask, rotated]).isEmpty)
    var frames = ShapeNotes(FrameFormat.mot)
    #expect(
      frames.notes(for: [mask, rotated])
        == ["masks are not in mot: use jsonl", "rotated boxes are not in mot: use jsonl"])
    var none = ShapeNotes(DetectionFormat.csv, masks: MaskForm.none)
    #expect(none.notes(for: [mask]).isEmpty)
    for (form, note) in [
      (MaskForm.rle, "--masks rle has no effect: no object has a mask"),
      (.polygon, "--masks polygon has no effect: no object has a mask"), (MaskForm.none, nil), (nil, nil),
    ] as [(MaskForm?, String?)] {
      var notes = ShapeNotes(DetectionFormat.json, masks: form)
      #expect(notes.notes(for: []).isEmpty && notes.unused.isEmpty)
      #expect(notes.notes(for: [rotated]).isEmpty && notes.unused == [note].compactMap(\.self))
      #expect(notes.notes(for: [rotated, mask]).isEmpty && notes.unused.isEmpty)
    }
    for format in [DetectionFormat.text, .json, .jsonl, .yolo] {
      var notes = ShapeNotes(format)
      #expect(notes.notes(for: [mask, rotated]).isEmpty, "\(format.name)")
    }
  }

  @Test func `shapes of a file of boxes to follow are noted once`() throws {
    let folder = try TemporaryFolder()
    let cases: [([Shape], String?)] = [
      ([.neither], nil), ([.mask, .mask], "masks"), ([.orientedBox], "rotated boxes"),
      ([.neither, .orientedBox, .mask], "masks and rotated boxes"),
    ]
    for (shapes, words) in cases {
      var writer = JSONLinesWriter()
      let text = writer.text(of: [Self.record(try shapes.map { try Self.object($0) })])
      let path = try folder.write("boxes.jsonl", text)
      let frames = try TrackFile.read(path: path, .detections)
      #expect(frames.annotations.count == shapes.count)
      #expect(
        frames.warnings.map(\.description)
          == (words.map { ["'\(path)': objects have \($0); only their boxes are followed"] } ?? []))
    }
  }

  // MARK: Reading

  /// Returns a record with objects of random masks and rotated boxes, on an image that EXIF rotates.
  static func random(_ seed: UInt64) throws -> DetectionRecord {
    var numbers = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
    let size = PixelSize(width: 40, height: 30)
    let objects = try (0..<6).map { index in
      let columns = Int.random(in: 1...9, using: &numbers)
      let cells = (0..<(columns * Int.random(in: 1...9, using: &numbers))).map { _ in
        UInt8.random(in: 0...255, using: &numbers)
      }
      let place = BoundingBox(
        x: number(-5...30), y: number(-5...20), width: number(1...30), height: number(1...30))
      var object = DetectedObject(
        box: place.clamped(to: size), score: 0.5, labels: [Label(text: "cat", index: 0, confidence: 0.5)])
      if index != 1 { object.mask = try ObjectMask(cells: cells, columns: columns, region: place) }
      if index > 2 {
        object.orientedBox = OrientedBox(
          center: PixelPoint(x: place.midX, y: place.midY), width: place.width, height: place.height,
          angle: number(-0.78...2.35))
      }
      return object
    }
    return DetectionRecord(
      image: "a.jpg",
      result: .success(
        DetectionRecord.Findings(size: size, orientation: .right, content: .objects(objects))))
  }

  static func read(_ text: String) throws -> [DetectedObject] {
    var records: [DetectionRecord] = []
    try JSONRecordReader().read(json: Array(text.utf8)) { records.append($0) }
    return records.first?.findings?.objects ?? []
  }

  @Test func `JSON keeps the pixels of masks, and rotated boxes`() throws {
    for seed in 0..<20 as Range<UInt64> {
      let record = try Self.random(seed)
      let findings = try #require(record.findings)
      for written in [findings, findings.upright()] {
        var writer = JSONLinesWriter()
        let text = writer.text(of: [DetectionRecord(name: record.name, result: .success(written))])
        let read = try Self.read(text)
        #expect(read.count == written.objects.count)
        for (object, original) in zip(read, written.objects) {
          #expect((object.mask == nil) == (original.mask == nil))
          #expect(
            try object.mask?.runLengths(in: written.size) == original.mask?.runLengths(in: written.size))
          #expect((object.orientedBox == nil) == (original.orientedBox == nil))
          guard let box = object.orientedBox, let other = original.orientedBox else { continue }
          #expect(abs(box.center.x - other.center.x) < 0.006 && abs(box.center.y - other.center.y) < 0.006)
          #expect(abs(box.width - other.width) < 0.006 && abs(box.height - other.height) < 0.006)
          #expect(abs(box.angle - other.angle) < 1e-5)
        }
        // Written again, the text is the same.
        var again = JSONLinesWriter()
        var copy = written
        copy.content = .objects(read)
        #expect(again.text(of: [DetectionRecord(name: record.name, result: .success(copy))]) == text)
      }
    }
  }

  @Test func `upright and stored shapes are the same pixels`() throws {
    for seed in 0..<10 as Range<UInt64> {
      for orientation in Orientation.allCases {
        var findings = try #require(Self.random(seed).findings)
        findings.orientation = orientation
        // Cells of one pixel: between larger ones, rounding depends on the direction.
        findings.content = .objects(
          try findings.objects.map { object in
            var object = object
            object.mask = try object.mask.map { try ObjectMask($0.runLengths(in: findings.size)) }
            return object
          })
        let upright = findings.upright()
        let back = upright.stored()
        for ((object, turned), original) in zip(zip(back.objects, upright.objects), findings.objects) {
          #expect(
            try object.mask?.runLengths(in: findings.size) == original.mask?.runLengths(in: findings.size))
          #expect(
            try turned.mask?.runLengths(in: upright.size).area
              == original.mask?.runLengths(in: findings.size).area)
          guard let box = object.orientedBox, let other = original.orientedBox else { continue }
          #expect(box.probabilisticIoU(with: other) > 1 - 1e-6, "\(orientation)")
        }
      }
    }
  }

  static let square = #""box": {"x": 0, "y": 0, "width": 6, "height": 4}, "score": 1"#

  @Test(
    arguments: [
      (#""mask": {"size": [4, 6], "counts": "5220;"}"#, nil),
      (#""mask": {"counts": [5, 2, 2, 2, 13], "size": [4, 6], "x": 1}"#, nil),
      (#""mask": null, "orientedBox": null"#, nil),
      (#""mask": {"size": [4, 6], "polygons": []}"#, nil),
      (#""mask": []"#, "mask: an object with 'size', and 'counts' or 'polygons', is needed"),
      (#""mask": "5220;""#, "mask: an object with 'size', and 'counts' or 'polygons', is needed"),
      (#""mask": {"counts": "5220;"}"#, "mask: 'size' is not two whole numbers, height and width"),
      (
        #""mask": {"size": [4], "counts": "5220;"}"#,
        "mask: 'size' is not two whole numbers, height and width"
      ),
      (#""mask": {"size": [4, 6]}"#, "mask: neither 'counts' nor 'polygons' exists"),
      (
        #""mask": {"size": [4, 6], "counts": "522"}"#,
        "mask: The runs have 9 pixels together; an image of 6 × 4 has 24"
      ),
      (
        #""mask": {"size": [4, 6], "counts": "5 2"}"#,
        "mask: The string of run lengths is damaged: character 2 is not part of a number of run lengths"
      ),
      (
        #""mask": {"size": [4, 6], "counts": [5, -2]}"#,
        "mask: number 2 of 'counts' is -2; expected 0 to 4,294,967,295"
      ),
      (
        #""mask": {"size": [4, 6], "counts": 7}"#,
        "mask: 'counts' is neither a string nor an array of numbers"
      ),
      (#""mask": {"size": [4, 6], "polygons": 7}"#, "mask: 'polygons' is not an array"),
      (
        #""mask": {"size": [4, 6], "polygons": [[1, 1, 3, 3]]}"#,
        "mask: Polygon 1 has 2 points; at least three are needed"
      ),
      (
        #""mask": {"size": [4, 6], "polygons": [[1, 1, 3, 3, 1]]}"#,
        "mask: Polygon 1 has 5 numbers; pairs are needed"
      ),
      (#""orientedBox": 7"#, "orientedBox is not an object"),
      (
        #""orientedBox": {"x": 1, "y": 1, "width": 2, "height": 2}"#,
        "orientedBox does not have x, y, width, height and degrees"
      ),
      (
        #""orientedBox": {"x": 1, "y": 1, "width": -2, "height": 2, "degrees": 0}"#,
        "orientedBox has a negative size"
      ),
      (
        #""orientedBox": {"x": "1", "y": 1, "width": 2, "height": 2, "degrees": 0}"#,
        "orientedBox: x is not a number"
      ),
    ] as [(String, String?)])
  func `a damaged shape is an error with its line and member`(_ member: String, _ problem: String?) throws {
    let text =
      "{\"image\": \"a\", \"objects\": []}\n"
      + #"{"image": "b", "width": 6, "height": 4, "objects": [{\#(Self.square), \#(member)}]}"# + "\n"
    do throws(EvaluationError) {
      try JSONRecordReader().read(json: Array(text.utf8)) { _ in }
      #expect(problem == nil)
    } catch {
      let problem = problem ?? "no problem"
      let isMask = problem.hasPrefix("mask: ")
      let start = isMask ? ", before line 2, column " : ": \(problem) at line 2, column "
      #expect(error.message.hasPrefix("The text of the records" + start), "\(error.message)")
      #expect(!isMask || error.message.hasSuffix(": " + problem), "\(error.message)")
    }
  }

  @Test(arguments: [
    (
      6, 5, #"{"size": [4, 6], "counts": "5220;"}"#,
      ", object 1, before line 1, ", ": mask: 'size' is [4, 6]; the image has [5, 6]"
    ),
    (
      65_535, 65_535, #"{"size": [65535, 65535], "counts": [0, 4294836225]}"#,
      ": the masks of a record have more than 2³⁰ pixels at line 1, ", ""
    ),
  ])
  func `a mask must fit its image and memory`(
    _ width: Int, _ height: Int, _ mask: String, _ start: String, _ end: String
  ) throws {
    let text =
      #"{"image": "b", "objects": [{\#(Self.square), "mask": \#(mask)}], "width": \#(width), "height": \#(height)}"#
    let error = #expect(throws: EvaluationError.self) {
      try JSONRecordReader().read(json: Array(text.utf8)) { _ in }
    }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("The text of the records" + start) && message.hasSuffix(end), "\(message)")
  }

  // MARK: Evaluation

  /// 24 × 16 pixels as stored, with the orientation `right`.
  private static let photo = PackageRoot.path + "/Tests/Fixtures/images/turned.jpg"

  @Test(
    arguments: ["json", "jsonl", "coco", "yolo"], [MaskForm.rle, .polygon])
  func `masks are evaluated in the pixels of the ground truth`(_ name: String, _ form: MaskForm) throws {
    let size = PixelSize(width: 24, height: 16)
    // An L, so that no rotation is the same.
    let outline = [(4.0, 2.0), (10, 2), (10, 5), (7, 5), (7, 10), (4, 10)].map { PixelPoint(x: $0, y: $1) }
    var object = DetectedObject(
      box: BoundingBox(x: 4, y: 2, width: 6, height: 8), score: 0.5,
      labels: [Label(text: "cat", index: 0, confidence: 0.5)])
    object.mask = try ObjectMask(RunLengths(polygons: [outline], size: size))
    let stored = DetectionRecord.Findings(size: size, orientation: .right, content: .objects([object]))
    let format = try #require(DetectionFormat(name: name))
    for findings in [stored, stored.upright()] {
      var settings = DetectionFormat.Settings()
      settings.masks = form
      settings.writesScores = true
      settings.names.set(["cat"])
      let folder = try TemporaryFolder()
      let path = folder.path + "/results"
      if var writer = format.writer(settings) {
        let record = DetectionRecord(image: Self.photo, result: .success(findings))
        try folder.write("results", writer.text(of: [record]))
      } else if let output = format.folder(path, settings) {
        try output.begin(classNames: ["cat"])
        try output.write(findings, of: ImageFile(path: Self.photo))
      }
      for truth in [stored, stored.upright()] {
        // A COCO file has no orientation, so it must have the pixels of its ground truth.
        if name == "coco", truth.space != findings.space { continue }
        let shape = try #require(truth.objects[0].mask)
        let mask = try shape.runLengths(in: truth.size)
        let box = truth.objects[0].box.corner
        let instances = """
          {"images": [{"id": 1, "file_name": "turned.jpg", "width": \(truth.size.width), \
          "height": \(truth.size.height)}], "categories": [{"id": 1, "name": "cat"}], "annotations": [{"id": 1, \
          "image_id": 1, "category_id": 1, "bbox": \(box), "iscrowd": 0, "segmentation": \
          {"size": [\(truth.size.height), \(truth.size.width)], "counts": \(mask.counts)}}]}
          """
        let groundTruth = try COCOGroundTruth(json: Array(instances.utf8), readsMasks: true)
        var found = COCODetections(groundTruth: groundTruth)
        found.readsMasks = true
        try found.read(path: path)
        #expect(found.count == 1 && found.withoutMask == 0)
        var options = DetectionEvaluator.Options()
        options.shape = .masks
        let report = try DetectionEvaluator(groundTruth: groundTruth, options: options).evaluate(found)
        #expect(abs((report.metrics.averagePrecision ?? 0) - 1) < 1e-12, "\(findings.space), \(truth.space)")
      }
    }
  }

  @Test func `a mask of another image is an error of its detection`() throws {
    let truth = try COCOGroundTruth(
      json: Array(
        #"""
        {"images": [{"id": 1, "file_name": "a.jpg", "width": 6, "height": 4}],
         "categories": [{"id": 1, "name": "cat"}], "annotations": []}
        """#.utf8), readsMasks: true)
    var found = COCODetections(groundTruth: truth)
    found.readsMasks = true
    let record =
      #"{"image": "a.jpg", "width": 6, "height": 4, "objects": [{\#(Self.square), "mask": "#
      + #"{"size": [2, 2], "counts": [4]}}]}"#
    let error = #expect(throws: EvaluationError.self) { try found.read(json: Array(record.utf8)) }
    #expect(error?.message.hasSuffix("mask: 'size' is [2, 2]; the image has [4, 6]") == true)
    // The member is skipped if masks are not read.
    found.readsMasks = false
    #expect(throws: Never.self) { try found.read(json: Array(record.utf8)) }
  }

  // MARK: YOLO

  @Test func `a YOLO folder has one kind of line, and names its task`() throws {
    let (mask, rotated, bare) = (
      try Self.object(.mask), try Self.object(.orientedBox), try Self.object(.neither)
    )
    let box = "0 0.166667 0.250000 0.500000 0.250000 0.500000 1.000000 0.166667 1.000000\n"
    let cases: [([DetectedObject], String?, then: [DetectedObject], String)] = [
      ([mask, mask], "segment", [bare], box), ([rotated], "obb", [bare], box),
      ([bare], nil, [mask], "0 0.333333 0.625000 0.333333 0.750000\n"),
      ([mask, bare], nil, [rotated], "0 0.333333 0.625000 0.333333 0.750000\n"),
    ]
    for (first, task, then, line) in cases {
      let folder = try TemporaryFolder()
      var output = YOLOFolder(path: folder.path)
      try output.begin(classNames: ["cat"])
      func write(_ name: String, _ objects: [DetectedObject]) throws {
        try output.write(
          try #require(Self.record(objects).findings), of: ImageFile(path: Self.photo, relativePath: name))
      }
      try write("empty.jpg", [])
      try write("a.jpg", first)
      try write("b.jpg", then)
      #expect(try folder.read("labels/empty.txt").isEmpty)
      #expect(try folder.read("labels/b.txt") == line)
      let yaml = (task.map { "task: \($0)\n" } ?? "") + "train: images\n"
      #expect(try folder.read("data.yaml").hasPrefix(yaml))
      #expect(try YOLODeclaration(folder: folder.path).shape?.rawValue == task)
      guard task != nil else { continue }
      output = YOLOFolder(path: folder.path, resumes: true)
      try output.begin(classNames: ["cat"])
      try write("c.jpg", then)
      #expect(try folder.read("labels/c.txt") == line)
    }
  }

  @Test(arguments: [false, true])
  func `the labels of an earlier run decide for later ones`(_ resumes: Bool) throws {
    let objects: [YOLOLines.Shape: DetectedObject] = [
      .box: try Self.object(.neither), .outline: try Self.object(.mask),
      .rotatedBox: try Self.object(.orientedBox),
    ]
    let another = "ame another folder with its path"
    let cases: [(YOLOLines.Shape, then: YOLOLines.Shape, masks: Bool, String?)] = [
      (.box, .box, true, nil), (.box, .outline, false, nil), (.outline, .outline, true, nil),
      (.outline, .box, true, nil), (.rotatedBox, .box, true, nil), (.rotatedBox, .rotatedBox, false, nil),
      (
        .box, .outline, true,
        "boxes, those of this run outlines. Write boxes with --masks none, or n\(another)"
      ),
      (.box, .rotatedBox, false, "boxes, those of this run rotated boxes. N\(another)"),
      (.box, .rotatedBox, true, "boxes, those of this run rotated boxes. N\(another)"),
      (.outline, .outline, false, "outlines, those of this run boxes. Omit --masks none, or n\(another)"),
      (.outline, .rotatedBox, true, "outlines, those of this run rotated boxes. N\(another)"),
      (.rotatedBox, .outline, true, "rotated boxes, those of this run outlines. N\(another)"),
    ]
    for (first, then, masks, problem) in cases {
      let folder = try TemporaryFolder()
      func write(_ name: String, _ shape: YOLOLines.Shape, _ output: YOLOFolder) throws {
        let object = try #require(objects[shape])
        try output.begin(classNames: ["cat"])
        try output.write(
          try #require(Self.record([object]).findings),
          of: ImageFile(path: Self.photo, relativePath: name))
      }
      try write("a.jpg", first, YOLOFolder(path: folder.path))
      let before = try folder.read("data.yaml")
      let later = YOLOFolder(path: folder.path, writesScores: false, resumes: resumes, writesMasks: masks)
      var found: String?
      do { try write("b.jpg", then, later) } catch let error as FoveaError {
        found = "\(error.message). \(error.remedy)"
      }
      #expect(found == problem.map { "the labels in '\(folder.path)' are \($0)" })
      #expect((try? folder.read("labels/b.txt")) == nil || found == nil)
      #expect(try folder.read("data.yaml") == before)
    }
  }

  @Test func `a mask without a pixel is one in every format`() throws {
    var object = try Self.object(.mask)
    object.mask = try ObjectMask(
      cells: [0, 0, 0, 0], columns: 2, region: BoundingBox(x: 1, y: 1, width: 2, height: 2))
    let record = Self.record([object, try Self.object(.mask)])
    for form in [MaskForm.rle, .polygon] {
      var json = JSONLinesWriter()
      json.masks = form
      let text = json.text(of: [record])
      let none = form == .rle ? #""counts": "h0""# : #""polygons": []"#
      #expect(text.contains(#""mask": {"size": [4, 6], \#(none)}}, {"#), "\(text)")
      let read = try Self.read(text)
      #expect(try read.first?.mask?.runLengths(in: Self.size).area == 0)
      var coco = COCODatasetWriter(classNames: ["cat"])
      coco.masks = form
      let annotations = coco.text(of: [record])
      #expect(
        annotations.contains(#""area": 0, "segmentation": {"size": [4, 6], "counts": "h0"}, "#),
        "\(annotations)")
    }
    let folder = try TemporaryFolder()
    let output = YOLOFolder(path: folder.path)
    try output.begin(classNames: ["cat"])
    try output.write(
      try #require(record.findings), of: ImageFile(path: Self.photo, relativePath: "a.jpg"))
    #expect(try folder.read("labels/a.txt") == "0 \(Self.yoloCorners)\n")
  }

  @Test func `lines with points are read as boxes, masks or rotated boxes`() throws {
    let corners = "\(Self.yoloRotated)"
    let lines = "0 \(Self.yoloCorners) 0.25\n0 \(corners)\n0 0.5 0.5 0.5 0.5\n0 0.1 0.1 0.9 0.1 0.5 0.9\n"
    func read(_ shape: YOLOLines.Shape) throws -> [DetectedObject] {
      try YOLOLines.read(
        text: Array(lines.utf8), name: "a.txt", as: shape, size: Self.size, classes: ["cat"])
    }
    let boxes = try read(.box)
    #expect(boxes.map(\.score) == [0.25, 1, 1, 1])
    #expect(boxes.allSatisfy { $0.mask == nil && $0.orientedBox == nil })
    #expect(abs(boxes[0].box.minX - 1) < 1e-4 && abs(boxes[0].box.maxY - 3) < 1e-4)
    let plain = try YOLOLines.read(text: Array(lines.utf8), name: "a.txt", size: Self.size, classes: ["cat"])
    #expect(plain == boxes)

    let outlines = try read(.outline)
    #expect(outlines.map { $0.mask == nil } == [false, false, true, false])
    #expect(try outlines[0].mask?.runLengths(in: Self.size).counts == Self.runs)
    #expect(outlines.map(\.box) == boxes.map(\.box))

    let rotated = try read(.rotatedBox)
    #expect(rotated.map { $0.orientedBox == nil } == [false, false, true, true])
    let box = try #require(rotated[1].orientedBox)
    #expect(abs(box.center.x - 3) < 1e-4 && abs(box.center.y - 2) < 1e-4)
    #expect(abs(box.width - 2) < 1e-4 && abs(box.height - 1) < 1e-4 && abs(box.angle - .pi / 6) < 1e-4)
  }

  @Test(arguments: [
    "0 0.1 0.1 0.5 nan 0.9 0.9", "0 0.5 0.5 0.5 0.5 0.5 0.5", "0 0.1 0.1 0.9 x 0.9 0.9 0.5",
    "0 0.5 0.5 0.2 0.2 0.4 0.4 2 0.6 0.6 2",
  ])
  func `a line with points that are no outline is an error`(_ line: String) {
    let error = #expect(throws: EvaluationError.self) {
      try YOLOLines.read(text: Array(line.utf8), name: "a.txt", size: Self.size, classes: [])
    }
    #expect(error?.message.hasPrefix("a.txt line 1: ") == true)
    #expect(error?.message.hasSuffix("is not a class, a box and an optional score") == true)
  }

  @Test func `points outside the image are moved to its edge`() {
    let points = [(-1.0, 2.0), (7, -3), (3, 9)].map { PixelPoint(x: $0, y: $1) }
    #expect(
      YOLOLines.line(class: 2, points: points, size: Self.size, score: 0.5)
        == "2 0.000000 0.500000 1.000000 0.000000 0.500000 1.000000 0.500000\n")
  }
}
