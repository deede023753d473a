// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaFormats

/// Maps of classes in every format that holds them.
@Suite struct MapFormatTests {
  static let size = PixelSize(width: 4, height: 2)

  /// A row of two columns of class 0, one of class 15 and one of no class, twice.
  static func map(labels: [String]) -> SegmentationMap {
    SegmentationMap(
      MapCells(classes: [0, 0, 15, 255, 0, 0, 15, 255], confidences: []), width: 4, labels: labels,
      isBinary: false, region: BoundingBox(x: 0, y: 0, width: 4, height: 2),
      bounds: BoundingBox(x: 0, y: 0, width: 4, height: 2))
  }

  static let labels = ["background"] + [String](repeating: "", count: 14) + ["person"]

  static func findings(
    _ labels: [String] = labels, _ orientation: Orientation = .up
  ) -> DetectionRecord.Findings {
    DetectionRecord.Findings(size: size, orientation: orientation, content: .map(map(labels: labels)))
  }

  static func text(_ format: DetectionFormat, _ masks: MaskForm = .rle, labels: [String] = labels) throws
    -> String
  {
    var settings = DetectionFormat.Settings()
    settings.kind = .maps
    settings.masks = masks
    var writer = try #require(format.writer(settings))
    return writer.text(of: [DetectionRecord(image: "a.jpg", result: .success(findings(labels)))])
  }

  @Test func `text has the share of each class, the largest first`() throws {
    #expect(try Self.text(.text) == "a.jpg  4 × 2\n  background  50.0 %\n  person      25.0 %\n")
    #expect(try Self.text(.text, labels: []) == "a.jpg  4 × 2\n  class 0   50.0 %\n  class 15  25.0 %\n")
  }

  @Test func `JSON has the share and the run lengths of each class`() throws {
    let text = try Self.text(.jsonl)
    #expect(
      text.contains(
        #""classes": [{"text": "background", "index": 0, "share": 0.5, "#
          + #""mask": {"size": [2, 4], "counts": "044"}}, "#
          + #"{"text": "person", "index": 15, "share": 0.25, "mask": {"size": [2, 4], "counts": "422"}}]"#),
      "\(text)")
    let bare = try Self.text(.json, .none, labels: [])
    #expect(bare.contains(#"{"text": null, "index": 15, "share": 0.25}"#), "\(bare)")
  }

  @Test func `only text and JSON hold maps`() {
    #expect(DetectionFormat.all.filter(\.holdsMaps).map(\.name) == ["text", "json", "jsonl"])
  }

  @Test func `a folder of maps has a PNG of class numbers for each image`() throws {
    let folder = try TemporaryFolder()
    let maps = MapFolder(path: folder["maps"])
    try maps.write(Self.findings(), of: ImageFile(path: folder["in/a.b.jpg"], relativePath: "sub/a.b.jpg"))
    let image = try EncodedImage(path: folder["maps/sub/a.b.png"])
    #expect(image.size == Self.size)
    let colors = TestFrame(try image.canvas()).rgb
    #expect(Array(colors[6..<12]) == [192, 128, 128, 224, 224, 192])
  }

  @Test func `a map never replaces the photo`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.png", "photo")
    let error = #expect(throws: FoveaError.self) {
      try MapFolder(path: folder.path).write(Self.findings(), of: ImageFile(path: folder["a.png"]))
    }
    #expect(error?.code == .outputOverwrites)
    #expect(try folder.read("a.png") == "photo")
  }

  struct Existing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var isReplaced = false
  }

  static func existing() throws -> [Existing] {
    let map = try ClassImage.png([UInt8](repeating: 1, count: 8), size: size)
    let photo = try PixelCanvas(size: size).encoded(as: .png)
    return [
      Existing(
        testDescription: "a map", bytes: ClassImage.naming("sha256:0", in: map), isReplaced: true),
      Existing(testDescription: "class numbers of another program", bytes: map),
      Existing(testDescription: "a photo", bytes: photo),
      Existing(testDescription: "a photo with a source", bytes: ClassImage.naming("sha256:0", in: photo)),
      Existing(testDescription: "text", bytes: Array("notes".utf8)),
      Existing(testDescription: "an empty file", bytes: []),
    ]
  }

  @Test func `a map only replaces a map of an earlier run`() throws {
    for row in try Self.existing() {
      let folder = try TemporaryFolder()
      try folder.write("maps/a.png", row.bytes)
      let maps = MapFolder(path: folder["maps"], source: "sha256:1")
      let error: FoveaError?
      do throws(FoveaError) {
        try maps.write(Self.findings(), of: ImageFile(path: folder["in/a.jpg"], relativePath: "a.jpg"))
        error = nil
      } catch let failure {
        error = failure
      }
      #expect(error?.code == (row.isReplaced ? nil : .outputOverwrites), "\(row)")
      let after = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder["maps/a.png"])))
      #expect((after == row.bytes) == !row.isReplaced, "\(row)")
      guard let error else { continue }
      #expect(
        error.message == "the class numbers would replace '\(folder["maps/a.png"])', "
          + "which is not a map of an earlier run")
    }
  }

  @Test(arguments: Orientation.allCases)
  func `maps turn upright and back`(_ orientation: Orientation) throws {
    let findings = Self.findings(Self.labels, orientation)
    let upright = findings.upright()
    #expect(upright.size == orientation.uprightSize(ofStored: Self.size) && upright.count == 2)
    #expect(upright.stored() == findings)
  }
}
