// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Anchors compared with numbers computed by hand from the published generators.
///
/// **Source:** TensorFlow Object Detection API, `multiple_grid_anchor_generator.py` (`create_ssd_anchors`) and
/// `multiscale_grid_anchor_generator.py`; google/automl, `efficientdet/keras/anchors.py`.
@Suite struct AnchorLayoutTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var layout: AnchorLayout
    var index: Int
    /// Centre x, centre y, width, height in pixels of the input.
    var pixels: [Float]
  }

  static let ssd = AnchorLayout.ssd(width: 300, height: 300)
  static let wide = AnchorLayout.ssd(width: 640, height: 320)
  static let pyramid = AnchorLayout.pyramidSSD(width: 320, height: 320)
  static let lite0 = AnchorLayout.efficientDet(width: 320, height: 320, scale: 3)
  static let lite4 = AnchorLayout.efficientDet(width: 640, height: 640, scale: 4)

  static let rows = [
    // Maps of 19, 10, 5, 3, 2 and 1 cells; cells of the first are 300 / 19 = 15.789 pixels.
    Row(testDescription: "SSD, first", layout: ssd, index: 0, pixels: [7.8947, 7.8947, 30, 30]),
    Row(testDescription: "SSD, ratio 2", layout: ssd, index: 1, pixels: [7.8947, 7.8947, 84.8528, 42.4264]),
    Row(testDescription: "SSD, second cell", layout: ssd, index: 3, pixels: [23.6842, 7.8947, 30, 30]),
    Row(testDescription: "SSD, second map", layout: ssd, index: 1083, pixels: [15, 15, 105, 105]),
    // √(0.35 · 0.5) · 300
    Row(
      testDescription: "SSD, between scales", layout: ssd, index: 1088, pixels: [15, 15, 125.4990, 125.4990]),
    // 0.95 · 300 · √3 and its third
    Row(
      testDescription: "SSD, last map, ratio 3", layout: ssd, index: 1914,
      pixels: [150, 150, 493.6345, 164.5448]),
    Row(testDescription: "SSD, last", layout: ssd, index: 1916, pixels: [150, 150, 292.4038, 292.4038]),
    // Sizes are fractions of the shorter side, so that a square stays one.
    Row(testDescription: "wide SSD, first", layout: wide, index: 0, pixels: [8, 8, 32, 32]),
    Row(testDescription: "pyramid, first", layout: pyramid, index: 0, pixels: [4, 4, 32, 32]),
    Row(
      testDescription: "pyramid, second scale", layout: pyramid, index: 1, pixels: [4, 4, 45.2548, 45.2548]),
    Row(testDescription: "pyramid, ratio 2", layout: pyramid, index: 2, pixels: [4, 4, 45.2548, 22.6274]),
    // 320 is not a multiple of 128: the last map starts at 0.
    Row(testDescription: "pyramid, last map", layout: pyramid, index: 12750, pixels: [0, 0, 512, 512]),
    Row(testDescription: "Lite0, first", layout: lite0, index: 0, pixels: [4, 4, 24, 24]),
    Row(testDescription: "Lite0, ratio 2", layout: lite0, index: 1, pixels: [4, 4, 33.9411, 16.9706]),
    Row(testDescription: "Lite0, ratio ½", layout: lite0, index: 2, pixels: [4, 4, 16.9706, 33.9411]),
    Row(testDescription: "Lite0, second scale", layout: lite0, index: 3, pixels: [4, 4, 30.2381, 30.2381]),
    // Three cells of 320 / 3 pixels.
    Row(
      testDescription: "Lite0, last map", layout: lite0, index: 19125, pixels: [53.3333, 53.3333, 320, 320]),
    Row(testDescription: "Lite4, first", layout: lite4, index: 0, pixels: [4, 4, 32, 32]),
  ]

  @Test(arguments: rows) func `anchors lie where the generator places them`(_ row: Row) {
    let anchor = row.layout.anchors[row.index]
    let (width, height) = (Float(row.layout.inputWidth), Float(row.layout.inputHeight))
    let found = [
      anchor.centerX * width, anchor.centerY * height, anchor.width * width, anchor.height * height,
    ]
    // A thousandth of a pixel: the numbers above have four decimals.
    for (found, expected) in zip(found, row.pixels) {
      #expect(abs(found - expected) < 1e-3, "\(found) \(expected)")
    }
  }

  @Test(arguments: [
    (192, 192, 738, 0, 0), (300, 300, 1917, 0, 0), (320, 320, 2034, 12804, 19206), (384, 384, 0, 0, 27621),
    (448, 448, 0, 0, 37629), (512, 512, 0, 0, 49104), (640, 640, 0, 51150, 76725), (640, 320, 4038, 0, 0),
  ])
  func `the numbers of anchors match the published ones`(
    _ width: Int, _ height: Int, _ ssd: Int, _ pyramid: Int, _ efficientDet: Int
  ) {
    if ssd > 0 {
      #expect(AnchorLayout.ssdCount(width: width, height: height) == ssd)
      #expect(AnchorLayout.ssd(width: width, height: height).anchors.count == ssd)
    }
    if pyramid > 0 {
      #expect(AnchorLayout.pyramidCount(width: width, height: height, perCell: 6) == pyramid)
      #expect(AnchorLayout.pyramidSSD(width: width, height: height).anchors.count == pyramid)
    }
    if efficientDet > 0 {
      #expect(AnchorLayout.pyramidCount(width: width, height: height, perCell: 9) == efficientDet)
      #expect(AnchorLayout.efficientDet(width: width, height: height, scale: 3).anchors.count == efficientDet)
    }
  }
}
