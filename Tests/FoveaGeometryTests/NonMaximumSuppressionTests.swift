// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct NonMaximumSuppressionTests {
  struct SuppressionCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var boxes: [BoundingBox]
    var scores: [Float]
    var classes: [Int]?
    var threshold = 0.5
    var limit: Int?
    var kept: [Int]
  }

  private static func box(_ x: Double, _ width: Double = 10) -> BoundingBox {
    BoundingBox(x: x, y: 0, width: width, height: 10)
  }

  static let cases = [
    SuppressionCase(testDescription: "nothing", boxes: [], scores: [], kept: []),
    SuppressionCase(testDescription: "one", boxes: [box(0)], scores: [0.1], kept: [0]),
    SuppressionCase(
      testDescription: "best first", boxes: [box(0), box(50)], scores: [0.2, 0.9], kept: [1, 0]),
    SuppressionCase(
      testDescription: "a tie keeps the first", boxes: [box(0), box(1)], scores: [0.5, 0.5], kept: [0]),
    SuppressionCase(
      testDescription: "an overlap at the threshold stays", boxes: [box(0), box(0, 5)], scores: [0.9, 0.8],
      kept: [0, 1]),
    SuppressionCase(
      testDescription: "a chain keeps both ends", boxes: [box(0), box(3), box(6)], scores: [0.9, 0.8, 0.7],
      kept: [0, 2]),
    SuppressionCase(
      testDescription: "classes do not compete", boxes: [box(0), box(0)], scores: [0.9, 0.8],
      classes: [1, 2],
      kept: [0, 1]),
    SuppressionCase(
      testDescription: "one class competes", boxes: [box(0), box(0)], scores: [0.9, 0.8], classes: [1, 1],
      kept: [0]),
    SuppressionCase(
      testDescription: "the limit ends it", boxes: [box(0), box(50), box(100)], scores: [0.1, 0.3, 0.2],
      limit: 2,
      kept: [1, 2]),
    SuppressionCase(testDescription: "limit zero", boxes: [box(0)], scores: [1], limit: 0, kept: []),
    SuppressionCase(
      testDescription: "scores that are not numbers", boxes: [box(0), box(50)], scores: [.nan, 0.1], kept: [1]
    ),
    SuppressionCase(
      testDescription: "boxes without area",
      boxes: [box(0, 0), BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1), box(9)],
      scores: [0.9, 0.8, 0.1], kept: [2]),
    SuppressionCase(
      testDescription: "touching edges", boxes: [box(0), box(10)], scores: [0.9, 0.8], threshold: 0,
      kept: [0, 1]),
  ]

  @Test(arguments: cases)
  func `the best boxes are kept, best first`(_ suppression: SuppressionCase) {
    let kept = nonMaximumSuppression(
      boxes: suppression.boxes, scores: suppression.scores, classes: suppression.classes,
      threshold: suppression.threshold, limit: suppression.limit)
    #expect(kept == suppression.kept)
  }

  @Test func `as many scores as boxes are a precondition`() async {
    await #expect(processExitsWith: .failure) {
      _ = nonMaximumSuppression(boxes: [], scores: [1], threshold: 0.5)
    }
  }
}
