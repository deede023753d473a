// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct OrientedBoxTests {
  static func box(
    _ x: Double = 0, _ y: Double = 0, _ width: Double = 4, _ height: Double = 2, _ angle: Double = 0
  ) -> OrientedBox {
    OrientedBox(center: PixelPoint(x: x, y: y), width: width, height: height, angle: angle)
  }

  private static let root = 2.0.squareRoot()
  private static let quarter = Double.pi / 2

  static let rotated: [(OrientedBox, [(Double, Double)])] = [
    (box(), [(-2.0, -1.0), (2, -1), (2, 1), (-2, 1)]),
    (box(10, 5, 4, 2, quarter), [(11, 3), (11, 7), (9, 7), (9, 3)]),
    (box(0, 0, 2, 2, quarter / 2), [(0, -root), (root, 0), (0, root), (-root, 0)]),
    (box(0, 0, 4, 2, 200 * quarter), [(-2.0, -1.0), (2, -1), (2, 1), (-2, 1)]),
  ]

  @Test(arguments: rotated)
  func `corners turn clockwise, and the hull is around them`(
    _ box: OrientedBox, _ corners: [(Double, Double)]
  ) {
    #expect(box.corners.count == 4)
    for (corner, expected) in zip(box.corners, corners) {
      #expect(abs(corner.x - expected.0) < 1e-9 && abs(corner.y - expected.1) < 1e-9)
    }
    let (xs, ys) = (box.corners.map(\.x), box.corners.map(\.y))
    #expect(abs(box.hull.minX - (xs.min() ?? 0)) < 1e-9 && abs(box.hull.maxX - (xs.max() ?? 0)) < 1e-9)
    #expect(abs(box.hull.minY - (ys.min() ?? 0)) < 1e-9 && abs(box.hull.maxY - (ys.max() ?? 0)) < 1e-9)
  }

  @Test func `an upright box is its own hull`() {
    let upright = BoundingBox(x: 3, y: 4, width: 10, height: 20)
    #expect(OrientedBox(upright).hull == upright)
    #expect(OrientedBox(upright).area == 200)
  }

  static let angles: [(Double, Double)] = [
    (0, 0), (2 * quarter, 0), (-2 * quarter, 0), (quarter, quarter), (-quarter, quarter),
    (-quarter / 2, -quarter / 2), (1.5 * quarter, -quarter / 2), (7, 7 - 4 * quarter),
    (-2_000 * quarter + 0.25, 0.25),
  ]

  @Test(arguments: angles)
  func `the normalized angle is from −π/4 to below 3π/4`(_ angle: Double, _ expected: Double) {
    let box = Self.box(1, 2, 5, 3, angle)
    #expect(abs(box.normalized.angle - expected) < 1e-9)
    #expect(abs(box.normalized.probabilisticIoU(with: box) - 1) < 1e-4)
  }

  @Test func `all finite angles have a normalized one in the range`() {
    for angle in [1e300, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.pi / 4 - 1e-17, 1e16] {
      let normalized = Self.box(0, 0, 4, 2, angle).normalized.angle
      #expect(normalized >= -.pi / 4 && normalized < 3 * .pi / 4, "\(angle)")
    }
  }

  @Test(arguments: [
    box(.nan), box(0, .infinity), box(0, 0, 0, 2), box(0, 0, 4, -1), box(0, 0, .nan, 2),
    box(0, 0, 4, .infinity),
    box(0, 0, 4, 2, .nan), box(0, 0, 4, 2, .infinity),
  ])
  func `a box with an impossible number covers nothing`(_ box: OrientedBox) {
    #expect(box.isEmpty)
    #expect(box.corners.isEmpty)
    #expect(box.hull.isEmpty)
    #expect(box.area == 0)
    #expect(box.probabilisticIoU(with: Self.box()) == 0)
    #expect(Self.box().probabilisticIoU(with: box) == 0)
    #expect(box.normalized.isEmpty)
    #expect(
      nonMaximumSuppression(orientedBoxes: [box, Self.box()], scores: [0.9, 0.1], threshold: 0.5) == [1])
  }

  @Test(arguments: [1e-200, 1e-9, 1, 1e9, 1e200])
  func `the overlap of a box with itself is 1, or 0 if numbers do not suffice`(_ side: Double) {
    let box = Self.box(0, 0, side, side / 3, 0.3)
    let overlap = box.probabilisticIoU(with: box)
    #expect((1e-9...1e9).contains(side) ? abs(overlap - 1) < 1e-6 : (0...1).contains(overlap))
  }

  struct SuppressionCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var boxes: [OrientedBox]
    var scores: [Float]
    var classes: [Int]?
    var threshold = 0.5
    var limit: Int?
    var kept: [Int]
  }

  static let cases = [
    SuppressionCase(testDescription: "nothing", boxes: [], scores: [], kept: []),
    SuppressionCase(testDescription: "one", boxes: [box()], scores: [0.1], kept: [0]),
    SuppressionCase(
      testDescription: "best first", boxes: [box(), box(90)], scores: [0.2, 0.9], kept: [1, 0]),
    SuppressionCase(
      testDescription: "a tie keeps the first", boxes: [box(), box(0.1)], scores: [0.5, 0.5], kept: [0]),
    SuppressionCase(
      testDescription: "half a turn is the same box", boxes: [box(), box(0, 0, 4, 2, .pi)],
      scores: [0.5, 0.6],
      kept: [1]),
    SuppressionCase(
      testDescription: "a quarter turn is another", boxes: [box(0, 0, 9, 1), box(0, 0, 9, 1, .pi / 2)],
      scores: [0.5, 0.6], kept: [1, 0]),
    SuppressionCase(
      testDescription: "classes", boxes: [box(), box()], scores: [0.5, 0.6], classes: [1, 2], kept: [1, 0]),
    SuppressionCase(
      testDescription: "a limit", boxes: [box(), box(90), box(180)], scores: [0.5, 0.6, 0.7], limit: 2,
      kept: [2, 1]),
    SuppressionCase(
      testDescription: "a limit of 0", boxes: [box()], scores: [0.5], limit: 0, kept: []),
    SuppressionCase(
      testDescription: "NaN", boxes: [box(), box(90)], scores: [.nan, 0.6], kept: [1]),
    SuppressionCase(
      testDescription: "a threshold of 1", boxes: [box(), box()], scores: [0.5, 0.6], threshold: 1,
      kept: [1, 0]),
    SuppressionCase(
      testDescription: "a threshold of 0", boxes: [box(), box(1e6)], scores: [0.5, 0.6], threshold: 0,
      kept: [1, 0]),
    SuppressionCase(
      testDescription: "a threshold below 0", boxes: [box(), box(1e6)], scores: [0.5, 0.6], threshold: -1,
      kept: [1]),
  ]

  @Test(arguments: cases)
  func `the best of overlapping oriented boxes is kept`(_ test: SuppressionCase) {
    #expect(
      nonMaximumSuppression(
        orientedBoxes: test.boxes, scores: test.scores, classes: test.classes, threshold: test.threshold,
        limit: test.limit) == test.kept)
  }

  @Test func `skipping distant boxes changes nothing`() {
    var numbers = SeededGenerator(seed: 5)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
    let boxes = (0..<400).map { _ in
      Self.box(number(0...200), number(0...200), number(1...60), number(1...60), number(-4...4))
    }
    let scores = boxes.indices.map { 1 - Float($0) / 1_000 }
    for threshold in [0.01, 0.1, 0.45, 0.7, 0.95] {
      var kept: [Int] = []
      for index in boxes.indices
      where !kept.contains(where: { boxes[$0].probabilisticIoU(with: boxes[index]) > threshold }) {
        kept.append(index)
      }
      #expect(nonMaximumSuppression(orientedBoxes: boxes, scores: scores, threshold: threshold) == kept)
    }
  }

  /// Vectors of the reference; see the README of the goldens.
  struct Vectors: Decodable {
    struct Overlaps: Decodable {
      var a: [[Double]]
      var b: [[Double]]
      var overlap: [[Double]]
    }
    struct Rows: Decodable {
      var rows: [[Double]]
      var objects: [[Double]]
    }
    var probiou: Overlaps
    var obb: Rows
    enum CodingKeys: String, CodingKey {
      case probiou
      case obb = "yolo-obb"
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `overlaps and kept rows are those of the reference`() throws {
    let bytes = try SharedData.bytes("goldens/tasks/decode-vectors.json")
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(bytes))
    func box(_ row: [Double], angle: Int) -> OrientedBox {
      Self.box(row[0], row[1], row[2], row[3], row[angle])
    }
    #expect(vectors.probiou.a.count == 6)
    for (first, overlaps) in zip(vectors.probiou.a, vectors.probiou.overlap) {
      for (second, overlap) in zip(vectors.probiou.b, overlaps) {
        let own = box(first, angle: 4).probabilisticIoU(with: box(second, angle: 4))
        #expect(abs(own - overlap) < 1e-4, "\(own), \(overlap)")
      }
    }
    // Rows are x, y, width, height, the score of each class, angle.
    let best = vectors.obb.rows.map { row in
      row[4..<7].enumerated().max { $0.element < $1.element } ?? (offset: 0, element: 0)
    }
    let rows = vectors.obb.rows.indices.filter { best[$0].element > 0.5 }
    let kept = nonMaximumSuppression(
      orientedBoxes: rows.map { box(vectors.obb.rows[$0], angle: 7) },
      scores: rows.map { Float(best[$0].element) },
      classes: rows.map { best[$0].offset }, threshold: 0.45)
    #expect(kept.count == 30)
    #expect(vectors.obb.objects.count == 30)
    for (place, object) in zip(kept, vectors.obb.objects) {
      let row = vectors.obb.rows[rows[place]]
      let own = Array(row[0..<4]) + [best[rows[place]].element, Double(best[rows[place]].offset), row[7]]
      for (number, expected) in zip(own, object) {
        #expect(abs(number - expected) < 1e-3, "\(own), \(object)")
      }
    }
  }
}
