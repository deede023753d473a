// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
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

  /// The definition: each box compared with all kept ones.
  static func plain(
    boxes: [BoundingBox], scores: [Float], classes: [Int]?, threshold: Double, crossClass: Double? = nil
  ) -> [Int] {
    let order = boxes.indices.filter { !scores[$0].isNaN && !boxes[$0].isEmpty }
      .sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
    var kept: [Int] = []
    for index in order
    where !kept.contains(where: {
      let isSameClass = classes == nil || classes?[$0] == classes?[index]
      return boxes[index].iou(with: boxes[$0]) > (isSameClass ? threshold : crossClass ?? 1)
    }) {
      kept.append(index)
    }
    return kept
  }

  struct SceneCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var count = 600
    var extent = 1000.0
    /// Sides are 2 to the power of a number in this range.
    var sides = 2.0...6.0
    /// If not nil, boxes lie around this many centres.
    var clusters: Int?
    /// Whole numbers cause ties of scores, and IoUs equal to the threshold.
    var isWhole = false
    var offset = 0.0
  }

  static let scenes = [
    SceneCase(testDescription: "apart", sides: 2...4),
    SceneCase(testDescription: "crowded"),
    SceneCase(testDescription: "all sizes", sides: -6...12),
    SceneCase(testDescription: "clusters", clusters: 20),
    SceneCase(testDescription: "whole numbers", extent: 60, sides: 0...3, isWhole: true),
    SceneCase(testDescription: "fractions of an image", extent: 1, sides: -6 ... -1),
    SceneCase(testDescription: "far from the origin", offset: 1e15),
    SceneCase(testDescription: "huge", extent: 1e300, sides: 980...999),
    SceneCase(testDescription: "tiny", extent: 1e-290, sides: -980 ... -960),
  ]

  @Test(arguments: scenes, [0, 0.3, 0.5, 0.65, 1])
  func `the result equals that of comparing all boxes`(_ scene: SceneCase, _ threshold: Double) {
    var random = SeededGenerator(seed: 11)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    let centers = (0..<(scene.clusters ?? 1)).map { _ in (number(0...scene.extent), number(0...scene.extent))
    }
    var boxes: [BoundingBox] = []
    var scores: [Float] = []
    var classes: [Int] = []
    for _ in 0..<scene.count {
      var edges = (0..<2).map { _ in number(scene.sides) }.map { exponent in
        var side = 1.0
        for _ in 0..<Int(abs(exponent)) { side *= exponent < 0 ? 0.5 : 2 }
        return side * (1 + number(0...1))
      }
      var x = number(0...scene.extent)
      var y = number(0...scene.extent)
      if scene.clusters != nil, let center = centers.randomElement(using: &random) {
        x = center.0 + number(-8...8)
        y = center.1 + number(-8...8)
      }
      if scene.isWhole {
        x.round()
        y.round()
        edges = edges.map { $0.rounded() }
      }
      boxes.append(BoundingBox(x: x + scene.offset, y: y, width: edges[0], height: edges[1]))
      scores.append(scene.isWhole ? Float(Int(number(0...5))) / 5 : Float(number(0...1)))
      classes.append(Int(number(0...3)))
    }
    // What a spatial search must not lose or fail on.
    let odd: [BoundingBox] = [
      BoundingBox(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity),
      BoundingBox(minX: 0, minY: 0, maxX: .infinity, maxY: 1), BoundingBox(x: 0, y: 0, width: 0, height: 5),
      BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1), BoundingBox(minX: 5, minY: 5, maxX: 1, maxY: 1),
      BoundingBox(x: -1e308, y: -1e308, width: 1e307, height: 1e307),
      BoundingBox(x: 1, y: 1, width: .leastNonzeroMagnitude, height: 1),
      BoundingBox(x: 2, y: 2, width: 1e-200, height: 1e200),
    ]
    boxes += odd + odd
    scores += Array(repeating: 0.5, count: odd.count) + [.nan, -.infinity, .infinity, -0.0, 0, 1, 2, .nan]
    classes += Array(repeating: 1, count: odd.count * 2)
    for classes in [nil, classes] {
      let kept = nonMaximumSuppression(boxes: boxes, scores: scores, classes: classes, threshold: threshold)
      let expected = Self.plain(boxes: boxes, scores: scores, classes: classes, threshold: threshold)
      #expect(kept == expected)
      let crossClass = nonMaximumSuppression(
        boxes: boxes, scores: scores, classes: classes, threshold: threshold, crossClassThreshold: 0.4)
      #expect(
        crossClass
          == Self.plain(
            boxes: boxes, scores: scores, classes: classes, threshold: threshold, crossClass: 0.4))
    }
  }

  @Test(arguments: [(nil, [0, 1, 2, 3]), (0.8, [0, 2, 3]), (1, [0, 1, 2, 3]), (0.5, [0, 3])])
  func `boxes of different classes compete above their own threshold, and those of one class do not`(
    _ crossClass: Double?, _ expected: [Int]
  ) {
    // IoUs with the first: 0.905 of another class, 0.667 of another class, 0.905 of the same class.
    let boxes = [Self.box(0), Self.box(0.5), Self.box(2), Self.box(0.5)]
    let kept = nonMaximumSuppression(
      boxes: boxes, scores: [0.9, 0.8, 0.7, 0.6], classes: [0, 1, 2, 0], threshold: 1,
      crossClassThreshold: crossClass)
    #expect(kept == expected)
  }

  @Test func `a threshold below zero or not a number is used unchanged`() {
    let boxes = (0..<60).map { Self.box(Double($0) * 50) }
    let scores = [Float](repeating: 0.5, count: 60)
    #expect(nonMaximumSuppression(boxes: boxes, scores: scores, threshold: -1) == [0])
    #expect(nonMaximumSuppression(boxes: boxes, scores: scores, threshold: .nan).count == 60)
  }

  @Test func `the number of scores must equal the number of boxes`() async {
    await #expect(processExitsWith: .failure) {
      _ = nonMaximumSuppression(boxes: [], scores: [1], threshold: 0.5)
    }
  }
}
