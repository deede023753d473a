// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct OrientationTests {
  static let stored = PixelSize(width: 40, height: 30)

  @Test(arguments: Orientation.allCases)
  func `a box maps to the upright image and back unchanged`(_ orientation: Orientation) {
    let box = BoundingBox(minX: 3, minY: 5, maxX: 11, maxY: 29)
    let upright = orientation.uprightBox(fromStored: box, stored: Self.stored)
    #expect(orientation.storedBox(fromUpright: upright, stored: Self.stored) == box)
    #expect(abs(upright.area - box.area) < 1e-9)
    #expect(upright.clamped(to: orientation.uprightSize(ofStored: Self.stored)) == upright)
  }

  @Test(arguments: Orientation.allCases)
  func `a point moves with the corner of a box, and back unchanged`(_ orientation: Orientation) {
    for point in [PixelPoint(x: 3, y: 5), PixelPoint(x: -7, y: 44.5), PixelPoint(x: 0, y: 0)] {
      let upright = orientation.uprightPoint(fromStored: point, stored: Self.stored)
      #expect(orientation.storedPoint(fromUpright: upright, stored: Self.stored) == point)
      let box = orientation.uprightBox(
        fromStored: BoundingBox(x: point.x, y: point.y, width: 1, height: 2), stored: Self.stored)
      #expect([box.minX, box.maxX].contains(upright.x) && [box.minY, box.maxY].contains(upright.y))
    }
    let right = Orientation.right.uprightPoint(fromStored: PixelPoint(x: 3, y: 5), stored: Self.stored)
    #expect(right == PixelPoint(x: 25, y: 3))
  }

  @Test func `a fraction of a region is a point in its pixels`() {
    let region = BoundingBox(x: 10, y: 20, width: 40, height: 80)
    #expect(NormalizedPoint(x: 0.25, y: 1).pixels(in: region) == PixelPoint(x: 20, y: 100))
    #expect(NormalizedPoint(x: -0.5, y: 1.5).pixels(in: region) == PixelPoint(x: -10, y: 140))
  }

  /// The displayed position of the pixel stored at the top left, in the upright image.
  ///
  /// **Source:** Exif 2.32, table of tag 274: "the 0th row is at the visual …, the 0th column at the visual …".
  static let corners: [(Orientation, BoundingBox)] = [
    (.up, BoundingBox(x: 0, y: 0, width: 1, height: 1)),
    (.upMirrored, BoundingBox(x: 39, y: 0, width: 1, height: 1)),
    (.down, BoundingBox(x: 39, y: 29, width: 1, height: 1)),
    (.downMirrored, BoundingBox(x: 0, y: 29, width: 1, height: 1)),
    (.leftMirrored, BoundingBox(x: 0, y: 0, width: 1, height: 1)),
    (.right, BoundingBox(x: 29, y: 0, width: 1, height: 1)),
    (.rightMirrored, BoundingBox(x: 29, y: 39, width: 1, height: 1)),
    (.left, BoundingBox(x: 0, y: 39, width: 1, height: 1)),
  ]

  @Test(arguments: corners)
  func `the first stored pixel is seen as in Exif`(_ orientation: Orientation, _ seen: BoundingBox) {
    let first = BoundingBox(x: 0, y: 0, width: 1, height: 1)
    #expect(orientation.uprightBox(fromStored: first, stored: Self.stored) == seen)
  }

  @Test(arguments: Orientation.allCases)
  func `names and numbers match Exif and UIKit`(_ orientation: Orientation) {
    #expect(Orientation(rawValue: orientation.exifValue) == orientation)
    #expect(orientation.name == "\(orientation)")
    #expect(orientation.isTransposed == (orientation.exifValue >= 5))
  }
}
