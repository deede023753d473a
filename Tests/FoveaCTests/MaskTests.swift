// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

@testable import FoveaC

/// Masks and rotated boxes in columns, and the functions that read masks.
@Suite struct MaskTests {
  static let size = PixelSize(width: 12, height: 9)

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var objects: [DetectedObject] = []
    var hasMasks = false
    var hasOrientedBoxes = false
  }

  static func object(_ mask: ObjectMask? = nil, _ orientedBox: OrientedBox? = nil) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 1, y: 2, width: 6, height: 4), score: 0.5, mask: mask, orientedBox: orientedBox)
  }

  /// A ring, whose bounds reach beyond the image.
  static let ring = try? ObjectMask(
    cells: [255, 255, 255, 200, 255, 0, 0, 255, 255, 255, 250, 255], columns: 4,
    region: BoundingBox(x: -2.5, y: 1.25, width: 11, height: 6.5),
    bounds: BoundingBox(x: -1, y: 1.5, width: 8, height: 6))
  static let square = try? ObjectMask(
    cells: [255], columns: 1, region: BoundingBox(x: 3, y: 3, width: 4, height: 4))
  static let nothing = try? ObjectMask(
    cells: [], columns: 0, region: BoundingBox(x: 0, y: 0, width: 0, height: 0))
  static let rotated = OrientedBox(center: PixelPoint(x: 4, y: 5), width: 3, height: 2, angle: 0.5)

  static let rows = [
    Row(testDescription: "no objects"),
    Row(testDescription: "an object without", objects: [object()]),
    Row(testDescription: "a mask", objects: [object(ring)], hasMasks: true),
    Row(testDescription: "a mask that covers nothing", objects: [object(nothing)], hasMasks: true),
    Row(testDescription: "a rotated box", objects: [object(nil, rotated)], hasOrientedBoxes: true),
    Row(
      testDescription: "objects with and without",
      objects: [
        object(), object(ring, rotated), object(nothing), object(nil, rotated), object(square), object(),
      ],
      hasMasks: true, hasOrientedBoxes: true),
  ]

  /// The result of an image with these objects.
  static func result(_ objects: [DetectedObject]) -> OpaquePointer {
    var columns = ResultColumns(.objects)
    columns.add(objects, size: size, orientation: .up, timings: StageTimings())
    columns.finish()
    return Handle.make(ResultObject(columns))
  }

  /// Calls `body` with the columns of an image with these objects.
  static func with<R>(_ objects: [DetectedObject], _ body: (inout fovea_columns) throws -> R) rethrows -> R {
    let result = result(objects)
    defer { fovea_result_free(result) }
    var columns = fovea_columns()
    columns.size = UInt32(MemoryLayout<fovea_columns>.size)
    fovea_result_columns(result, &columns)
    return try body(&columns)
  }

  @Test(arguments: rows)
  func `columns contain the masks and rotated boxes, and are NULL without`(_ row: Row) {
    #expect(Self.ring != nil && Self.square != nil && Self.nothing != nil)
    Self.with(row.objects) { columns in
      #expect((columns.oriented_boxes != nil) == row.hasOrientedBoxes)
      #expect((columns.mask_offsets != nil) == row.hasMasks)
      #expect((columns.mask_sizes != nil) == row.hasMasks && (columns.mask_places != nil) == row.hasMasks)
      #expect((columns.mask_cells != nil) == row.objects.contains { $0.mask?.cells.isEmpty == false })
    }
    #expect(CFindings.taking(Self.result(row.objects)).map(\.objects) == [row.objects])
  }

  @Test(arguments: rows)
  func `pixels, run lengths and outlines equal Swift's`(_ row: Row) throws {
    try Self.with(row.objects) { columns in
      for (index, object) in row.objects.enumerated() {
        var bits = [UInt8](repeating: 7, count: Self.size.area + 1)
        try CFailure.check(fovea_mask_bits(&columns, index, 12, 9, &bits, Self.size.area))
        let bitmap = object.mask?.bitmap()
        let expected = (0..<9).flatMap { y in
          (0..<12).map { x in bitmap?.contains(x: x, y: y) == true ? UInt8(1) : 0 }
        }
        #expect(bits == expected + [7])

        var text: UnsafeMutablePointer<CChar>?
        try CFailure.check(fovea_mask_text(&columns, index, 12, 9, &text))
        let runs = try object.mask?.runLengths(in: Self.size) ?? RunLengths(counts: [108], size: Self.size)
        #expect(text.map { String(cString: $0) } == runs.text)
        fovea_string_free(text)

        var count = 7
        try CFailure.check(fovea_mask_outlines(&columns, index, nil, 0, &count))
        let outlines = object.mask?.outlines ?? []
        #expect(count == outlines.reduce(0) { $0 + $1.count + 1 })
        var points = [Double](repeating: 7, count: 2 * count + 1)
        if count > 0 { try CFailure.check(fovea_mask_outlines(&columns, index, &points, count - 1, &count)) }
        #expect(points.allSatisfy { $0 == 7 })
        try CFailure.check(fovea_mask_outlines(&columns, index, &points, count, &count))
        let pairs: [Double] = outlines.flatMap { outline -> [Double] in
          outline.flatMap { [$0.x, $0.y] } + [.nan, .nan]
        }
        #expect(points.map(\.bitPattern) == (pairs + [7]).map(\.bitPattern))
      }
    }
  }

  @Test func `impossible arguments and damaged columns are rejected with their names`() {
    let offsets: [Int64] = [0, 12, 11]
    let sizes: [Int32] = [5, 3, 4, 3]
    let places: [Double] = [0, 0, 1, .infinity, 0, 0, 1, 1]
    offsets.withUnsafeBufferPointer { offsets in
      sizes.withUnsafeBufferPointer { sizes in
        places.withUnsafeBufferPointer { places in
          let rows: [(String, (inout fovea_columns) -> Void)] = [
            ("'size' of columns is 144, 184…4096 expected", { $0.size = 144 }),
            ("'object' is 0, and there are 0", { $0.objects = 0 }),
            ("'object' is 0, and there are 1844674407370955161", { $0.objects = -1 }),
            ("'mask_offsets' or 'mask_sizes' of columns is NULL", { $0.mask_offsets = nil }),
            ("'mask_offsets' or 'mask_sizes' of columns is NULL", { $0.mask_sizes = nil }),
            ("'mask_cells' of columns is NULL", { $0.mask_cells = nil }),
            (
              "the mask of object 0 has the cells 0 to 12, and 5 × 3 cells",
              { $0.mask_sizes = sizes.baseAddress }
            ),
            (
              "the mask of object 0 has the cells 12 to 11, and 4 × 3 cells",
              { $0.mask_offsets = offsets.baseAddress.map { $0 + 1 } }
            ),
            ("the mask of object 0: The bounds ", { $0.mask_places = places.baseAddress }),
          ]
          for (message, change) in rows {
            let failure = Self.with([Self.object(Self.ring)]) { columns in
              change(&columns)
              var count = 0
              return CFailure.of(fovea_mask_outlines(&columns, 0, nil, 0, &count))
            }
            #expect(failure?.code == "argument-invalid")
            #expect(
              failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "no error"), not \(message)"
            )
          }
        }
      }
    }
    Self.with([Self.object(Self.ring)]) { columns in
      var (bits, text, count) = (
        [UInt8](repeating: 0, count: 6), UnsafeMutablePointer<CChar>(bitPattern: 0), 0
      )
      let rows = [
        (fovea_mask_bits(&columns, 1, 2, 3, &bits, 6), "'object' is 1, and there are 1"),
        (fovea_mask_bits(&columns, 0, 0, 3, &bits, 6), "'width' and 'height' are 0 and 3"),
        (fovea_mask_bits(&columns, 0, .max, .max, &bits, -1), "'width' and 'height' are 2147483647 and"),
        (fovea_mask_bits(&columns, 0, 2, 3, &bits, 5), "'length' is 5, at least 6 expected"),
        (fovea_mask_bits(&columns, 0, 2, 3, nil, 6), "'out' is NULL"),
        (fovea_mask_text(&columns, 0, 3, -1, &text), "'width' and 'height' are 3 and -1"),
        (fovea_mask_outlines(&columns, 0, nil, 9, &count), "'points' is NULL"),
      ]
      for (error, message) in rows {
        let failure = CFailure.of(error)
        #expect(failure?.code == "argument-invalid")
        #expect(
          failure?.message.hasPrefix(message) == true, "\(message): \(failure?.message ?? "")")
      }
      #expect(text == nil && count == 0)
    }
  }

  @Test(arguments: ["yolov8_seg", "described_obb"])
  func `masks and rotated boxes of a model equal Swift's`(_ name: String) async throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    let expected = try await ObjectDetector(model: .file(path)).analyze(.file(ResultTests.photos[1]))
    let isOfMasks = name == "yolov8_seg"
    #expect(
      expected.objects.contains { isOfMasks ? $0.mask?.isEmpty == false : $0.orientedBox?.isEmpty == false })
    ResultTests.expect(try CAnalyzer(.file(path)).find([.file(ResultTests.photos[1])]), [expected])
  }
}
