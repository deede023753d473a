// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaImage

@Suite struct CanvasRegionTests {
  /// A canvas of 37 × 21 pixels, each with its place as its colour.
  private static func places() -> PixelCanvas {
    TestImage.canvas(PixelSize(width: 37, height: 21)) { RGB($0 * 5, $1 * 7, ($0 + $1) % 3) }
  }

  @Test(
    arguments: [
      (BoundingBox(x: 3, y: 4, width: 10, height: 6), (3, 4, 10, 6)),
      (BoundingBox(x: 3.4, y: 4.6, width: 10, height: 6), (3, 4, 11, 7)),
      (BoundingBox(x: -5, y: -9, width: 100, height: 100), (0, 0, 37, 21)),
      (BoundingBox(x: 36.2, y: 20.1, width: 9, height: 0.2), (36, 20, 1, 1)),
    ] as [(BoundingBox, (Int, Int, Int, Int))])
  func `a crop has the pixels that its box touches`(
    _ box: BoundingBox, _ part: (x: Int, y: Int, width: Int, height: Int)
  ) throws {
    let canvas = Self.places()
    let crop = try #require(canvas.cropped(to: box))
    #expect(crop.size == PixelSize(width: part.width, height: part.height))
    for y in 0..<crop.size.height {
      for x in 0..<crop.size.width {
        #expect(TestImage.pixel(crop, x, y) == TestImage.pixel(canvas, part.x + x, part.y + y))
      }
    }
  }

  @Test(arguments: [
    BoundingBox(x: 37, y: 0, width: 5, height: 5), BoundingBox(x: -9, y: 0, width: 9, height: 5),
    BoundingBox(x: 1, y: 1, width: 0, height: 5), BoundingBox(x: .nan, y: 0, width: 5, height: 5),
    BoundingBox(x: 1e300, y: 0, width: 1e300, height: 5),
  ])
  func `a box outside the image has no crop`(_ box: BoundingBox) {
    #expect(Self.places().cropped(to: box) == nil)
  }

  @Test(
    arguments: [
      (BoundingBox(x: 3, y: 4, width: 24, height: 16), (3, 4, 24, 16), 64),
      (BoundingBox(x: 3.3, y: 4.7, width: 20, height: 11.9), (3, 4, 21, 13), 64),
      (BoundingBox(x: -12, y: -8, width: 24, height: 16), (0, 0, 12, 8), 16),
      (BoundingBox(x: 10, y: 10, width: 3, height: 2), (10, 10, 3, 2), 6),
      (BoundingBox(x: -50, y: -50, width: 1_000, height: 1_000), (0, 0, 37, 21), 64),
      (BoundingBox(minX: -.infinity, minY: -1e308, maxX: .infinity, maxY: 1e308), (0, 0, 37, 21), 4),
    ] as [(BoundingBox, (Int, Int, Int, Int), Int)])
  func `a pixelated part has at most 64 colours, and every other pixel is equal`(
    _ box: BoundingBox, _ part: (x: Int, y: Int, width: Int, height: Int), _ blocks: Int
  ) {
    let (before, after) = (Self.places(), Self.places())
    after.pixelate(box)
    var colors: Set<[Int]> = []
    for y in 0..<21 {
      for x in 0..<37 {
        let color = TestImage.pixel(after, x, y)
        let isInside = x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height
        if isInside {
          colors.insert([color.red, color.green, color.blue])
        } else {
          #expect(color == TestImage.pixel(before, x, y))
        }
      }
    }
    #expect(colors.count <= blocks && !colors.isEmpty)
  }

  @Test func `a block is the mean of its pixels`() {
    let canvas = TestImage.canvas(PixelSize(width: 16, height: 16)) { x, _ in RGB(x % 2 * 11, 255, 0) }
    canvas.pixelate(BoundingBox(x: 0, y: 0, width: 16, height: 16))
    #expect(TestImage.pixel(canvas, 0, 0) == RGB(6, 255, 0))
  }

  @Test(arguments: [
    BoundingBox(x: 37, y: 0, width: 5, height: 5), BoundingBox(x: .nan, y: 0, width: 5, height: 5),
    BoundingBox(x: 1e300, y: 0, width: 1e300, height: 5), BoundingBox(x: 5, y: 5, width: 0, height: 5),
  ])
  func `a box outside the image changes nothing`(_ box: BoundingBox) {
    let canvas = Self.places()
    canvas.pixelate(box)
    #expect(TestImage.pixel(canvas, 36, 5) == TestImage.pixel(Self.places(), 36, 5))
  }
}
