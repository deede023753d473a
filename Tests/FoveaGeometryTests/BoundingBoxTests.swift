// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct BoundingBoxTests {
  struct OverlapCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var a: BoundingBox
    var b: BoundingBox
    var iou: Double
  }

  static let unit = BoundingBox(x: 0, y: 0, width: 1, height: 1)

  static let overlaps = [
    OverlapCase(testDescription: "the same box", a: unit, b: unit, iou: 1),
    OverlapCase(
      testDescription: "half out", a: unit, b: BoundingBox(x: 0.5, y: 0, width: 1, height: 1), iou: 1.0 / 3
    ),
    OverlapCase(
      testDescription: "one inside the other", a: unit,
      b: BoundingBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5),
      iou: 0.25),
    OverlapCase(
      testDescription: "touching edges", a: unit, b: BoundingBox(x: 1, y: 0, width: 1, height: 1), iou: 0),
    OverlapCase(
      testDescription: "touching corners", a: unit, b: BoundingBox(x: 1, y: 1, width: 1, height: 1), iou: 0),
    OverlapCase(testDescription: "apart", a: unit, b: BoundingBox(x: 5, y: 5, width: 1, height: 1), iou: 0),
    OverlapCase(
      testDescription: "empty", a: unit, b: BoundingBox(x: 0.5, y: 0.5, width: 0, height: 1), iou: 0),
    OverlapCase(
      testDescription: "crossed edges", a: unit, b: BoundingBox(minX: 1, minY: 1, maxX: 0, maxY: 0), iou: 0),
    OverlapCase(
      testDescription: "not a number", a: unit, b: BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1), iou: 0),
    OverlapCase(
      testDescription: "huge", a: BoundingBox(x: 0, y: 0, width: 1e150, height: 1e150),
      b: BoundingBox(x: 0, y: 0, width: 1e150, height: 0.5e150), iou: 0.5),
  ]

  @Test(arguments: overlaps)
  func `overlap is intersection over union, whichever box is asked`(_ overlap: OverlapCase) {
    #expect(abs(overlap.a.iou(with: overlap.b) - overlap.iou) < 1e-12)
    #expect(abs(overlap.b.iou(with: overlap.a) - overlap.iou) < 1e-12)
  }

  @Test func `clamping keeps the part inside the image`() {
    let size = PixelSize(width: 10, height: 20)
    #expect(
      BoundingBox(minX: -5, minY: 3, maxX: 50, maxY: 25).clamped(to: size)
        == BoundingBox(minX: 0, minY: 3, maxX: 10, maxY: 20))
    #expect(BoundingBox(x: 30, y: 30, width: 5, height: 5).clamped(to: size).isEmpty)
  }

  @Test func `growing adds the fraction on each side`() {
    #expect(
      BoundingBox(x: 10, y: 10, width: 20, height: 40).expanded(by: 0.1)
        == BoundingBox(minX: 8, minY: 6, maxX: 32, maxY: 54))
  }

  @Test func `areas of sizes never overflow`() {
    #expect(PixelSize(width: 3, height: 4).area == 12)
    #expect(PixelSize(width: .max, height: 2).area == .max)
    #expect(PixelSize(width: 3, height: 4).transposed == PixelSize(width: 4, height: 3))
  }

  @Test func `fractions become pixels of an image and of a region`() {
    let box = NormalizedBox(minX: 0.1, minY: 0.2, maxX: 0.5, maxY: 1)
    #expect(
      box.pixels(in: PixelSize(width: 100, height: 50)) == BoundingBox(minX: 10, minY: 10, maxX: 50, maxY: 50)
    )
    #expect(
      box.pixels(in: BoundingBox(x: 100, y: 0, width: 10, height: 10))
        == BoundingBox(minX: 101, minY: 2, maxX: 105, maxY: 10))
    #expect(
      NormalizedBox.unit.pixels(in: PixelSize(width: 7, height: 9))
        == BoundingBox(x: 0, y: 0, width: 7, height: 9))
  }
}
