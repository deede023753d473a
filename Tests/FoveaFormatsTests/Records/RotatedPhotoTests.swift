// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaFormats

/// Boxes of a photo that EXIF rotates, in upright and in stored pixels, from every format to every reader.
@Suite struct RotatedPhotoTests {
  /// 24 × 16 pixels as stored, with the orientation `right`.
  private static let photo = PackageRoot.path + "/Tests/Fixtures/images/turned.jpg"
  private static let (stored, upright) = (
    PixelSize(width: 24, height: 16), PixelSize(width: 16, height: 24)
  )
  private static let storedBox = BoundingBox(x: 4, y: 2, width: 6, height: 8)
  private static let uprightBox = BoundingBox(x: 6, y: 4, width: 8, height: 6)

  private static func findings(isUpright: Bool) -> DetectionRecord.Findings {
    let cat = DetectedObject(
      box: storedBox, score: 0.5, labels: [Label(text: "cat", index: 0, confidence: 0.5)])
    let findings = DetectionRecord.Findings(size: stored, orientation: .right, content: .objects([cat]))
    return isUpright ? findings.upright() : findings
  }

  private static func write(_ name: String, isUpright: Bool, into folder: TemporaryFolder) throws -> String {
    let format = try #require(DetectionFormat(name: name))
    var settings = DetectionFormat.Settings()
    settings.writesScores = true
    settings.names.set(["cat"])
    let path = folder.path + "/results"
    let findings = findings(isUpright: isUpright)
    if var writer = format.writer(settings) {
      let record = DetectionRecord(image: photo, result: .success(findings))
      try folder.write("results", writer.text(of: [record]))
    } else if let output = format.folder(path, settings) {
      try output.begin(classNames: ["cat"])
      try output.write(findings, of: ImageFile(path: photo))
    }
    return path
  }

  private static func truth(_ size: PixelSize?, _ box: BoundingBox) throws -> COCOGroundTruth {
    let sides = size.map { #", "width": \#($0.width), "height": \#($0.height)"# } ?? ""
    let bbox = "[\(box.minX), \(box.minY), \(box.width), \(box.height)]"
    return try COCOGroundTruth(
      json: Array(
        #"""
        {"images": [{"id": 1, "file_name": "turned.jpg"\#(sides)}], "categories": [{"id": 1, "name": "cat"}],
         "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": \#(bbox)}]}
        """#.utf8))
  }

  @Test func `the fixture and the boxes are as stated`() {
    #expect(Self.findings(isUpright: true).objects.map(\.box) == [Self.uprightBox])
    #expect(Self.findings(isUpright: true).stored() == Self.findings(isUpright: false))
    #expect(Self.findings(isUpright: false).stored() == Self.findings(isUpright: false))
  }

  @Test(arguments: ["yolo", "voc", "csv", "json", "jsonl"], [true, false])
  func `boxes of images are frames in stored pixels`(_ format: String, _ isUpright: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(format, isUpright: isUpright, into: folder)
    let boxes = try TrackFile.read(path: path, .detections).annotations.map(\.box)
    let box = try #require(boxes.first)
    #expect(boxes.count == 1)
    #expect(abs(box.minX - 4) < 1e-3 && abs(box.minY - 2) < 1e-3, "\(box)")
    #expect(abs(box.width - 6) < 1e-3 && abs(box.height - 8) < 1e-3, "\(box)")
  }

  @Test(arguments: [FoveaFormats.FrameFormat.jsonl, .csv], [true, false])
  func `boxes of tracks are detections in stored pixels, and results as written`(
    _ format: FoveaFormats.FrameFormat, _ isUpright: Bool
  ) throws {
    var cat = DetectedObject(box: Self.storedBox, score: 0.5)
    cat.trackingID = 7
    let frame = FrameRecord(
      source: "clip.mp4", number: 1, size: Self.stored, orientation: .right, objects: [cat])
    let writer = format.writer()
    let text = writer.header() + writer.text(for: isUpright ? frame.upright() : frame)
    let folder = try TemporaryFolder()
    let path = try folder.write("tracks", text)
    #expect(try TrackFile.read(path: path, .detections).annotations.map(\.box) == [Self.storedBox])
    let box = isUpright ? Self.uprightBox : Self.storedBox
    #expect(try TrackFile.read(path: path, .results).annotations.map(\.box) == [box])
  }

  @Test(arguments: ["yolo", "voc", "csv", "json", "jsonl"], [true, false])
  func `boxes are evaluated in the pixels of the ground truth`(_ format: String, _ isUpright: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(format, isUpright: isUpright, into: folder)
    let truths: [(PixelSize?, BoundingBox)] = [
      (Self.stored, Self.storedBox), (nil, Self.storedBox), (Self.upright, Self.uprightBox),
    ]
    for (size, box) in truths {
      let truth = try Self.truth(size, box)
      var found = COCODetections(groundTruth: truth)
      try found.read(path: path)
      let report = try DetectionEvaluator(groundTruth: truth).evaluate(found)
      #expect(abs((report.metrics.averagePrecision ?? 0) - 1) < 1e-12, "\(String(describing: size))")
    }
  }

  /// A photo in upright and in stored pixels.
  private struct Photo {
    var name: String
    var orientation: Orientation
    var stored: PixelSize
    var uprightBox: BoundingBox

    func size(isUpright: Bool) -> PixelSize {
      isUpright ? orientation.uprightSize(ofStored: stored) : stored
    }
    func box(isUpright: Bool) -> BoundingBox { isUpright ? uprightBox : RotatedPhotoTests.storedBox }

    func record(isUpright: Bool) -> String {
      let (size, box) = (self.size(isUpright: isUpright), self.box(isUpright: isUpright))
      return #"""
        {"image": "\#(name)", "width": \#(size.width), "height": \#(size.height),
         "orientation": "\#(orientation.name)", "space": "\#(isUpright ? "upright" : "stored")",
         "objects": [{"box": {"x": \#(box.minX), "y": \#(box.minY), "width": \#(box.width),
           "height": \#(box.height)}, "score": 0.5, "labels": [{"text": "cat"}]}]}
        """#
    }
  }

  /// A photo upside down and a square one, whose sizes are the same upright and stored.
  private static let ambiguous = [
    Photo(
      name: "down.jpg", orientation: .down, stored: stored,
      uprightBox: BoundingBox(x: 14, y: 6, width: 6, height: 8)),
    Photo(
      name: "square.jpg", orientation: .right, stored: PixelSize(width: 16, height: 16),
      uprightBox: uprightBox),
  ]

  /// Ground truths that have the ambiguous photos upright or stored, with other photos that show it.
  struct ShownCase {
    /// Whether each of the other photos is upright in the ground truth.
    var others: [Bool]
    var isUpright: Bool
    var ambiguous = 0
  }

  @Test(
    arguments: [
      ShownCase(others: [true], isUpright: true), ShownCase(others: [false], isUpright: false),
      ShownCase(others: [true, true], isUpright: true),
      ShownCase(others: [], isUpright: false, ambiguous: 2),
      ShownCase(others: [true, false], isUpright: false, ambiguous: 2),
    ], [true, false])
  func `photos with the same sides upright and stored follow the others`(
    _ test: ShownCase, _ isUpright: Bool
  ) throws {
    let others = test.others.indices.map {
      Photo(name: "\($0).jpg", orientation: .right, stored: Self.stored, uprightBox: Self.uprightBox)
    }
    let photos = Self.ambiguous + others
    let spaces = [test.isUpright, test.isUpright] + test.others
    var truth = (images: [COCOGroundTruth.Image](), annotations: [COCOGroundTruth.Annotation]())
    for (index, (photo, isUpright)) in zip(photos, spaces).enumerated() {
      truth.images.append(
        COCOGroundTruth.Image(id: index + 1, fileName: photo.name, size: photo.size(isUpright: isUpright)))
      truth.annotations.append(
        COCOGroundTruth.Annotation(
          id: index + 1, imageID: index + 1, categoryID: 1, box: COCOBox(photo.box(isUpright: isUpright))))
    }
    let groundTruth = try COCOGroundTruth(
      images: truth.images, categories: [COCOGroundTruth.Category(id: 1, name: "cat")],
      annotations: truth.annotations)
    var found = COCODetections(groundTruth: groundTruth)
    let records = photos.map { $0.record(isUpright: isUpright) }.joined(separator: ",\n")
    try found.read(json: Array("[\(records)]".utf8))
    #expect(found.ambiguousImages.count == test.ambiguous)
    let report = try DetectionEvaluator(groundTruth: groundTruth).evaluate(found)
    #expect(abs((report.metrics.averagePrecision ?? 0) - 1) < 1e-12)
  }

  @Test(arguments: [("coco", true), ("coco", false), ("voc", false)])
  func `exchanged sides without an orientation are refused`(_ format: String, _ isUpright: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(format, isUpright: isUpright, into: folder)
    if format == "voc" {
      // As other tools write it.
      let file = "results/" + ResultFile.name(of: ImageFile(path: Self.photo), ending: ".xml")
      let lines = try folder.read(file).split(separator: "\n", omittingEmptySubsequences: false)
      let others = lines.filter { !$0.hasPrefix("\t<orientation>") && !$0.hasPrefix("\t<space>") }
      #expect(others.count == lines.count - 2)
      try folder.write(file, others.joined(separator: "\n"))
    }
    let (own, other) = isUpright ? (Self.upright, Self.stored) : (Self.stored, Self.upright)
    var found = COCODetections(groundTruth: try Self.truth(other, Self.storedBox))
    let error = #expect(throws: EvaluationError.self) { try found.read(path: path) }
    #expect(error?.code == .invalidDetections)
    #expect(
      error?.message == "'\(path)': '\(Self.photo)' is \(own) pixels there and \(other) in the ground truth, "
        + "so only one of them has the upright photo")
    #expect(
      error?.remedy.description == "Detect again with or without upright(), as in the ground truth")
    // The same sides are the same pixels.
    var same = COCODetections(groundTruth: try Self.truth(own, Self.storedBox))
    try same.read(path: path)
    #expect(same.count == 1)
  }

  @Test(arguments: [
    (true, Orientation.right, false), (false, Orientation.right, true), (false, Orientation.up, false),
  ])
  func `a YOLO folder declares stored pixels of rotated photos`(
    _ isUpright: Bool, _ orientation: Orientation, _ isMarked: Bool
  ) throws {
    let folder = try TemporaryFolder()
    var findings = Self.findings(isUpright: isUpright)
    findings.orientation = orientation
    let output = YOLOFolder(path: folder.path)
    try output.begin(classNames: ["cat"])
    try output.write(findings, of: ImageFile(path: Self.photo))
    let mark = isMarked ? "# Boxes are in pixels as stored, not as shown.\n" : ""
    let yaml = mark + "train: images\nval: images\nnc: 1\nnames:\n  0: \"cat\"\n"
    #expect(try folder.read("data.yaml") == yaml)
    // A resumed run keeps the line, a new one does not.
    try YOLOFolder(path: folder.path, resumes: true).begin(classNames: ["cat"])
    #expect(try folder.read("data.yaml") == yaml)
    try YOLOFolder(path: folder.path).begin(classNames: ["cat"])
    #expect(try folder.read("data.yaml").hasPrefix("train: images\n"))
  }

  @Test(arguments: Orientation.allCases, [true, false])
  func `VOC and COCO files have the orientation of a photo and the space of its boxes`(
    _ orientation: Orientation, _ isUpright: Bool
  ) throws {
    var findings = Self.findings(isUpright: false)
    findings.orientation = orientation
    let record = DetectionRecord(
      image: Self.photo, result: .success(isUpright ? findings.upright() : findings))
    let written = try #require(record.findings)
    let text = VOCDocument(written, of: ImageFile(path: Self.photo)).text
    let name = "\t</size>\n\t<orientation>\(orientation.name)</orientation>\n"
    #expect(text.contains(name) == (orientation != .up))
    #expect(text.contains(name + "\t<space>stored</space>\n") == (orientation != .up && !isUpright))
    let read = try VOCReader().read(text: Array(text.utf8), name: "a.xml")
    #expect(read.findings?.stored().objects.map(\.box) == [Self.storedBox])
    var writer = COCODatasetWriter(classNames: ["cat"])
    let json = writer.header() + writer.text(for: record) + writer.footer()
    let members =
      ", \"orientation\": \"\(orientation.name)\"" + (isUpright ? ", \"space\": \"upright\"}" : "}")
    #expect(json.contains(members) == (orientation != .up))
    #expect(json.contains("orientation") == (orientation != .up))
  }
}
