// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct ObjectJudgeTests {
  typealias Found = (box: BoundingBox, score: Float)

  static func box(_ x: Double, _ y: Double = 0, side: Double = 10) -> BoundingBox {
    BoundingBox(x: x, y: y, width: side, height: side)
  }

  static func image(
    _ objects: [(label: Int, box: BoundingBox)], _ found: [Found], named name: String = "a",
    crowds: [BoundingBox] = [], isTest: Bool = false
  ) -> BoxedImage {
    BoxedImage(
      ObjectSet.Image(
        path: name, name: name,
        objects: objects.enumerated().map { .init(id: $0 + 1, label: $1.label, box: $1.box) }, crowds: crowds,
        isTest: isTest),
      FoundBoxes(
        size: PixelSize(width: 100, height: 100),
        boxes: found.map { FoundBoxes.Box(box: $0.box, score: $0.score) }))
  }

  /// The content of a box with objects at 0 and 50, and a crowd at 80.
  struct Shown: Sendable, CustomTestStringConvertible {
    var name: String
    var box: BoundingBox
    var content: BoxedImage.Content
    var testDescription: String { name }
  }

  static let shown = [
    Shown(name: "the object itself", box: box(50), content: .object(1)),
    Shown(
      name: "an overlap of exactly a half", box: BoundingBox(x: 0, y: 0, width: 20, height: 10),
      content: .object(0)),
    Shown(name: "an overlap of less", box: BoundingBox(x: 0, y: 0, width: 21, height: 10), content: .unclear),
    Shown(
      name: "an overlap of exactly 0.3", box: BoundingBox(x: 0, y: 0, width: 3, height: 10), content: .unclear
    ),
    Shown(
      name: "an overlap of a quarter", box: BoundingBox(x: 0, y: 0, width: 2.5, height: 10), content: .nothing
    ),
    Shown(name: "nothing", box: box(30), content: .nothing),
    Shown(name: "a crowd", box: box(82), content: .unclear),
    Shown(name: "no number", box: BoundingBox(x: .nan, y: 0, width: 9, height: 9), content: .unclear),
  ]

  @Test(arguments: shown) func `a box shows an object, the background, or something unclear`(_ test: Shown) {
    let image = Self.image(
      [(0, Self.box(0)), (1, Self.box(50))], [(test.box, 0.5)], crowds: [Self.box(80, side: 20)])
    #expect(image.boxes.map(\.content) == [test.content])
  }

  @Test func `objects are clipped, and those outside their image left out`() {
    let image = Self.image([(0, Self.box(95)), (1, Self.box(200)), (1, Self.box(-10))], [])
    #expect(image.objects.map(\.box) == [BoundingBox(x: 95, y: 0, width: 5, height: 10)])
  }

  @Test func `figures separate losses by boxes from losses by names`() throws {
    // Four objects: one named right, one wrong, one classified as background, and one without a box.
    let image = Self.image(
      [(0, Self.box(0)), (0, Self.box(20)), (1, Self.box(40)), (1, Self.box(60))],
      [(Self.box(0), 0.9), (Self.box(20), 0.8), (Self.box(40), 0.7), (Self.box(80), 0.6)])
    let judge = ObjectJudge(
      answered: [
        .init(
          image: image,
          probabilities: [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8], [0.1, 0.2, 0.7]])
      ], classCount: 2)
    let figures = try judge.figures()
    #expect(figures.imageCount == 1 && figures.objectCount == 4 && figures.boxCount == 4)
    #expect(figures.boxRecall == 0.75 && !figures.isLimitedByBoxes)
    #expect(figures.namedShare == 2 / 3.0 && figures.rightLabels == 0.5)
    // Only the first box is right; a lower threshold adds a second, wrong one.
    #expect(abs((figures.bestThreshold ?? 0) - 0.9 * 0.8) < 1e-6)
    // Of class 0 one of two is found without a wrong one: 51 of 101 points of recall; of class 1 none.
    let half = 51 / 101.0
    let precision = try #require(figures.averagePrecision50)
    let best = try #require(figures.averagePrecision50WithRightLabels)
    #expect(abs(precision - half / 2) < 1e-9 && abs(best - (1 + half) / 2) < 1e-9)
  }

  @Test(
    arguments: [
      (nil, nil), (0.1372, "0.13"), (0.5, "0.50"), (1, "1.00"), (0.0099, "0.009"), (0.000_29, "0.0002"),
      (1e-9, "0.000000"), (0, "0.00"),
    ] as [(Double?, String?)])
  func `the text of the best threshold is not above it`(_ threshold: Double?, _ text: String?) throws {
    var figures = try ObjectJudge(answered: [], classCount: 2).figures()
    figures.bestThreshold = threshold
    #expect(figures.bestThresholdText == text)
    #expect(text.flatMap(Double.init) ?? 0 <= threshold ?? 0)
  }

  /// Named boxes on one image with objects of class 0 at 0 and 20, and the best threshold for them.
  static let thresholds: [(boxes: [(at: Double, score: Float, name: Int)], best: Double?)] = [
    ([], nil),
    ([(40, 0.9, 0)], nil),
    ([(0, 0.5, 0)], 0.5),
    // A wrong box between two right ones costs less than the second object gains.
    ([(0, 0.5, 0), (40, 0.375, 0), (20, 0.25, 0)], 0.25),
    // The same object detected twice counts once.
    ([(0, 0.5, 0), (0, 0.25, 0)], 0.5),
    ([(0, 0.5, 0), (20, 0.25, 1)], 0.5),
    // Tied boxes pass together.
    ([(0, 0.5, 0), (40, 0.5, 0), (60, 0.5, 0)], 0.5),
    // Background has no name, and a part of an object does not count.
    ([(40, 0.9, 2), (7, 0.8, 0), (0, 0.5, 0)], 0.5),
  ]

  @Test(arguments: thresholds.indices) func `the threshold with the largest F1 is found`(row: Int) {
    let row = Self.thresholds[row]
    let image = Self.image(
      [(0, Self.box(0)), (0, Self.box(20))], row.boxes.map { (Self.box($0.at), $0.score) })
    let answers = row.boxes.map { box in (0...2).map { $0 == box.name ? 1.0 : 0 } }
    let judge = ObjectJudge(answered: [.init(image: image, probabilities: answers)], classCount: 2)
    #expect(judge.bestThreshold == row.best)
  }

  @Test func `without boxes nothing is found, and without objects there are no figures`() throws {
    let empty = ObjectJudge(
      answered: [.init(image: Self.image([(0, Self.box(0))], []), probabilities: [])], classCount: 1)
    let figures = try empty.figures()
    #expect(figures.boxRecall == 0 && figures.isLimitedByBoxes && figures.averagePrecision50 == 0)
    #expect(figures.namedShare == nil && figures.rightLabels == nil && figures.bestThreshold == nil)
    let none = try ObjectJudge(answered: [], classCount: 1).figures()
    #expect(none.averagePrecision50 == nil && !none.isLimitedByBoxes)
  }
}
