// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import Testing

/// Classes painted on images.
@Suite struct MapOverlayTests {
  private static let size = PixelSize(width: 3, height: 1)

  private static func painted(_ labels: [String]) throws -> PixelCanvas {
    let region = BoundingBox(x: 0, y: 0, width: 3, height: 1)
    let map = SegmentationMap(
      MapCells(classes: [0, 1, 255], confidences: []), width: 3, labels: labels, isBinary: false,
      region: region, bounds: region)
    let canvas = PixelCanvas(size: size, filled: .white)
    try canvas.draw(
      DetectionRecord.Findings(size: size, orientation: .up, content: .map(map)), keypointThreshold: 0.3)
    #expect(canvas.paddingIsUntouched)
    return canvas
  }

  @Test func `a class has 40 % of its colour, and no class none`() throws {
    let canvas = try Self.painted(["road", "wall"])
    #expect(canvas.color(0, 0) == RGBColor(red: 153, green: 153, blue: 153))
    #expect(canvas.color(1, 0) == RGBColor(red: 204, green: 153, blue: 153))
    #expect(canvas.color(2, 0) == .white)
  }

  @Test(arguments: [["background", "person"], ["Background", "person"], []])
  func `the background is not painted`(_ labels: [String]) throws {
    let canvas = try Self.painted(labels)
    #expect(canvas.color(0, 0) == .white)
    #expect(canvas.color(1, 0) == RGBColor(red: 204, green: 153, blue: 153))
  }
}
