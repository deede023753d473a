// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

@testable import FoveaC

/// Segmenters and embedders of C, and the columns of maps and features.
@Suite struct MapTests {
  static let photo = CImage.file(ResultTests.photos[6])
  static let missing = CImage.file("/no/such.jpg")

  static func model(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite" }

  /// Calls `body` with the columns that a handle returns for images.
  static func columns<R>(
    _ analyzer: CAnalyzer, _ images: [CImage], _ body: (inout fovea_columns) throws -> R
  ) throws -> R {
    let result = try analyzer.result(images)
    defer { fovea_result_free(result) }
    var columns = fovea_columns()
    columns.size = UInt32(MemoryLayout<fovea_columns>.size)
    fovea_result_columns(result, &columns)
    return try body(&columns)
  }

  /// The classes of the pixels of an image.
  static func pixels(_ columns: inout fovea_columns, _ image: Int, _ size: PixelSize) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 7, count: size.area)
    try CFailure.check(
      fovea_map_pixels(&columns, image, Int32(size.width), Int32(size.height), &pixels, pixels.count))
    return pixels
  }

  @Test(arguments: ["map_scores", "map_argmax", "map_two", "map_probability"])
  func `a segmenter finds the same cells and pixels as in Swift`(_ name: String) async throws {
    let path = Self.model(name)
    let user = try CAnalyzer(.file(path), kind: .segmenter)
    let segmenter = try await ImageSegmenter(model: .file(path))
    let map = try await segmenter.segment(.file(ResultTests.photos[6]))
    try Self.columns(user, [Self.photo, Self.missing]) { columns in
      #expect(columns.images == 2 && columns.objects == 0 && columns.labels == 0 && columns.features == nil)
      #expect(columns.map_class_count == fovea_segmenter_class_count(user.pointer))
      #expect((0..<2).map { columns.map_sizes[$0] } == [Int32(map.width), Int32(map.height)])
      #expect((0..<map.classes.count).map { columns.map_classes[$0] } == map.classes)
      #expect((columns.map_confidences == nil) == map.confidences.isEmpty)
      #expect((0..<map.confidences.count).map { columns.map_confidences[$0] } == map.confidences)
      let size = PixelSize(width: Int(columns.widths[0]), height: Int(columns.heights[0]))
      let pixels = try Self.pixels(&columns, 0, size)
      #expect(pixels == map.classes(in: size))
      // A failed image has no cells.
      #expect(columns.map_offsets[2] == columns.map_offsets[1] && columns.map_places[8].isNaN)
      let none = try Self.pixels(&columns, 1, PixelSize(width: 2, height: 1))
      #expect(none == [255, 255])
    }
    let count = fovea_segmenter_class_count(user.pointer)
    let names = (0..<count).map { fovea_segmenter_class_name(user.pointer, $0).map { String(cString: $0) } }
    #expect(names.compactMap(\.self) == segmenter.labels)
    #expect(fovea_segmenter_assumption_count(user.pointer) == segmenter.assumptions.count)
  }

  @Test func `an embedder computes the same features as in Swift, and NaN for a failed image`() async throws {
    let embedder = try await ImageEmbedder()
    let features = try await embedder.embedding(of: .file(ResultTests.photos[6]))
    let user = try CAnalyzer(kind: .embedder)
    #expect(fovea_embedder_dimension(user.pointer) == embedder.dimension)
    try Self.columns(user, [Self.missing, Self.photo]) { columns in
      let count = Int(columns.feature_count)
      #expect(count == embedder.dimension && columns.map_offsets == nil)
      #expect((0..<count).allSatisfy { columns.features[$0].isNaN })
      #expect((0..<count).map { columns.features[count + $0] } == features)
      #expect(columns.widths[1] > 0 && columns.milliseconds[5 + 4] > 0)
    }
  }

  @Test func `no images give no maps and no features`() throws {
    try Self.columns(CAnalyzer(.file(Self.model("map_scores")), kind: .segmenter), []) { columns in
      #expect(columns.images == 0 && columns.map_classes == nil)
      #expect(CFailure.of(fovea_map_pixels(&columns, 0, 1, 1, nil, 0))?.code == "argument-invalid")
    }
    try Self.columns(CAnalyzer(kind: .embedder), []) { #expect($0.images == 0 && $0.features == nil) }
  }

  static let refused: [(kind: CAnalyzer.Kind, model: CModel?, options: [String: String], says: String)] = [
    (.segmenter, nil, [:], "'model' names no model, and none for maps is embedded"),
    (
      .segmenter, .file(model("map_scores")), ["threshold": "0.5"],
      "The option 'threshold' does not apply to a segmenter"
    ),
    (
      .segmenter, .file(model("map_scores")), ["family": "yolov8"],
      "The family 'yolov8' is not one of a segmenter"
    ),
    (.embedder, nil, ["labels": "names.txt"], "The option 'labels' does not apply to an embedder"),
    (.detector, nil, ["family": "mask"], "The family 'mask' is not one of a detector"),
  ]

  @Test(arguments: refused)
  func `models and options of other kinds are refused`(
    _ row: (kind: CAnalyzer.Kind, model: CModel?, options: [String: String], says: String)
  ) {
    let failure = #expect(throws: CFailure.self) { try CAnalyzer(row.model, row.options, kind: row.kind) }
    #expect(failure?.message == row.says)
  }

  static let damaged: [(name: String, change: @Sendable (inout fovea_columns) -> Void, says: String)] = [
    ("no classes", { $0.map_classes = nil }, "'map_classes' of columns is NULL"),
    ("no sizes", { $0.map_sizes = nil }, "'map_offsets' or 'map_sizes' of columns is NULL"),
    ("a short struct", { $0.size = 192 }, "'size' of columns is 192, 240…4096 expected"),
    ("no images", { $0.images = 0 }, "'image' is 0, and there are 0"),
  ]

  @Test(arguments: damaged)
  func `damaged columns of maps are refused`(
    _ row: (name: String, change: @Sendable (inout fovea_columns) -> Void, says: String)
  ) throws {
    let user = try CAnalyzer(.file(Self.model("map_scores")), kind: .segmenter)
    try Self.columns(user, [Self.photo]) { columns in
      row.change(&columns)
      var pixels: [UInt8] = [0]
      #expect(CFailure.of(fovea_map_pixels(&columns, 0, 1, 1, &pixels, 1))?.message == row.says)
    }
  }

  @Test func `pixels need a size and enough memory`() throws {
    let user = try CAnalyzer(.file(Self.model("map_scores")), kind: .segmenter)
    try Self.columns(user, [Self.photo]) { columns in
      var pixels = [UInt8](repeating: 0, count: 4)
      #expect(CFailure.of(fovea_map_pixels(&columns, 0, 2, 3, &pixels, 4))?.code == "argument-invalid")
      #expect(CFailure.of(fovea_map_pixels(&columns, 0, 0, 3, &pixels, 4))?.code == "argument-invalid")
      #expect(CFailure.of(fovea_map_pixels(&columns, 0, 2, 2, nil, 4))?.message == "'out' is NULL")
      #expect(CFailure.of(fovea_map_pixels(nil, 0, 2, 2, &pixels, 4))?.message == "'columns' is NULL")
    }
  }
}
