// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaFormats

/// Boxes that cannot be followed are named.
@Suite struct BoxValidationTests {
  private static func box(x: Double) -> BoundingBox { BoundingBox(x: x, y: 10, width: 20, height: 20) }

  @Test func `nothing odd gives no note`() {
    var validation = BoxValidation()
    validation.take([], frame: 1, size: PixelSize(width: 100, height: 100), limit: 2)
    validation.take(
      [Self.box(x: 90), Self.box(x: -10)], frame: 2, size: PixelSize(width: 100, height: 100), limit: 2)
    validation.take([Self.box(x: 500)], frame: 3, size: nil, limit: 2)
    #expect(validation.warnings(limit: 2, isCut: true).isEmpty)
  }

  @Test func `boxes outside the image are counted, with the first frame`() {
    var validation = BoxValidation()
    let size = PixelSize(width: 100, height: 50)
    validation.take([Self.box(x: 0)], frame: 1, size: size, limit: 9)
    validation.take([Self.box(x: 100), Self.box(x: 0)], frame: 4, size: size, limit: 9)
    #expect(
      validation.warnings(limit: 9, isCut: true)
        == ["1 box is outside the 100 × 50 image, first in frame 4; left out"])
    validation.take([Self.box(x: -30)], frame: 5, size: size, limit: 9)
    #expect(
      validation.warnings(limit: 9, isCut: false)
        == ["2 boxes are outside the 100 × 50 image, first in frame 4; kept"])
  }

  @Test func `boxes beyond the limit of a frame are counted`() {
    var validation = BoxValidation()
    validation.take((0..<5).map { Self.box(x: Double($0)) }, frame: 7, size: nil, limit: 2)
    #expect(
      validation.warnings(limit: 2, isCut: false)
        == [
          "3 boxes are beyond the 2 highest-scoring of a frame, first in frame 7; left out (detectionLimit)"
        ])
  }
}
