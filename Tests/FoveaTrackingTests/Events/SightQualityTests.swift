// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTracking

@Suite struct SightQualityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let box: BoundingBox
    var score = 0.8
    let value: Double
  }

  /// Of a frame of 200 × 100 pixels, of which a tenth is 2,000.
  @Test(arguments: [
    Row(
      testDescription: "a tenth of the frame", box: BoundingBox(x: 10, y: 10, width: 50, height: 40),
      value: 0.8),
    Row(testDescription: "more", box: BoundingBox(x: 10, y: 10, width: 100, height: 80), value: 0.8),
    Row(
      testDescription: "a quarter of that", box: BoundingBox(x: 10, y: 10, width: 25, height: 20), value: 0.4
    ),
    Row(
      testDescription: "at the left edge", box: BoundingBox(x: 0, y: 10, width: 50, height: 40), value: 0.4),
    Row(
      testDescription: "at the lower edge", box: BoundingBox(x: 10, y: 60, width: 50, height: 40), value: 0.4),
    Row(
      testDescription: "a pixel from the upper edge", box: BoundingBox(x: 10, y: 1, width: 50, height: 40),
      value: 0.8),
    Row(
      testDescription: "half visible", box: BoundingBox(x: 175, y: 10, width: 50, height: 80),
      value: 0.4),
    Row(
      testDescription: "outside", box: BoundingBox(x: 300, y: 10, width: 50, height: 40), value: 0),
    Row(testDescription: "empty", box: BoundingBox(x: 10, y: 10, width: 0, height: 40), value: 0),
    Row(
      testDescription: "not a number", box: BoundingBox(x: .nan, y: 10, width: 50, height: 40), value: 0),
    Row(
      testDescription: "a score that is not a number",
      box: BoundingBox(x: 10, y: 10, width: 50, height: 40), score: .nan, value: 0),
  ])
  func `large boxes with high scores that are not cut off are best`(_ row: Row) {
    let quality = SightQuality(row.box, score: row.score, in: PixelSize(width: 200, height: 100))
    #expect(abs(quality.value - row.value) < 1e-12)
  }

  @Test(arguments: [(0.5, 0.54, false), (0.5, 0.56, true), (0.5, 0.5, false), (0.9, 0.5, false)])
  func `a better one by a tenth replaces the best`(_ best: Double, _ next: Double, _ replaces: Bool) {
    func quality(_ score: Double) -> SightQuality {
      SightQuality(
        BoundingBox(x: 10, y: 10, width: 50, height: 50), score: score,
        in: PixelSize(width: 200, height: 100))
    }
    #expect(quality(next).replaces(quality(best)) == replaces)
  }
}
