// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaDecoding

/// YOLOX and others exported with their suppression.
@Suite struct SuppressedTests {
  static func model(
    _ output: [Int] = [20, 7], name: String = "out0", input: [Int] = [1, 416, 416, 3]
  ) -> DetectorRecognizer {
    FamilyReference.model(input: input, [output], names: [name])
  }

  struct Order: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var name = "out0"
    var row: @Sendable (_ box: [Float], _ score: Float, _ classIndex: Float) -> [Float]
  }

  static let orders = [
    Order(testDescription: "batch, class, score, box") { [0, $2, $1] + $0 },
    Order(testDescription: "the same, named", name: "batchno_classid_score_x1y1x2y2") { [0, $2, $1] + $0 },
    Order(testDescription: "batch, box, score, class") { [0] + $0 + [$1, $2] },
    Order(testDescription: "batch, box, class, score") { [0] + $0 + [$2, $1] },
    Order(testDescription: "box, objectness, class's score, class") { $0 + [$1 / 0.9, 0.9, $2] },
  ]

  @Test(arguments: orders, [Float(1), 416])
  func `the order of a row is found from its values`(_ order: Order, _ unit: Float) throws {
    let decoder = try Self.model(name: order.name).decoder()
    #expect(decoder.family == .yoloxSuppressed && decoder.input == DetectorFamily.yolox.input)
    let first: [Float] = [0.125, 0.25, 0.5, 0.75].map { $0 * unit }
    let second: [Float] = [0.5, 0.375, 0.75, 1].map { $0 * unit }
    let values =
      order.row(first, 0.8, 17) + order.row(second, 0.6, 2) + [Float](repeating: 0, count: 7 * 18)
    let found = try decoder.decode([values], threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [17, 2])
    #expect(abs((found.first?.score ?? 0) - 0.8) < 1e-6)
    #expect(found.first?.box == NormalizedBox(minX: 0.125, minY: 0.25, maxX: 0.5, maxY: 0.75))
    #expect(try decoder.decode([values], threshold: 0.7, limit: 9).count == 1)
    #expect(try decoder.decode([values], threshold: 0.3, limit: 1).count == 1)
  }

  @Test func `any number of rows is read, including none`() throws {
    let decoder = try Self.model().decoder()
    #expect(try decoder.decode([[]], threshold: 0.3, limit: 9).isEmpty)
    let row: [Float] = [0, 10, 20, 200, 300, 0.9, 1]
    #expect(try decoder.decode([row], threshold: 0.3, limit: 9).count == 1)
    // The unused part of a fixed number of rows.
    #expect(
      try decoder.decode([row + [Float](repeating: -1, count: 7)], threshold: 0, limit: 9).map(\.classIndex)
        == [1])
  }

  @Test func `suppression is repeated only if the caller requests it`() throws {
    let rows: [Float] = [0, 10, 20, 200, 300, 0.9, 1, 0, 10, 20, 200, 300, 0.8, 2]
    var model = Self.model()
    #expect(try model.decoder().decode([rows], threshold: 0.3, limit: 9).count == 1)
    model.suppression.crossClassIoU = 1
    #expect(try model.decoder().decode([rows], threshold: 0.3, limit: 9).count == 2)
    model.suppression.isClassAgnostic = true
    #expect(try model.decoder().decode([rows], threshold: 0.3, limit: 9).count == 1)
  }

  @Test(
    arguments: [
      (
        [0, 10, 20, 200, 300, 7.5, 1],
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      (
        [0, 10, 20, 5, 300, 0.9, 1],
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      (
        [0, 10, 20, 200, 300, 0.9, 1.5],
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      (
        [0, 10, 20, 200, 300, 0.9, 1e12],
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      (
        [Float](repeating: -.infinity, count: 7),
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      (
        [0, 10, 20, 200, 300, -.infinity, -1],
        "returned rows of 7 numbers that are not score, class and box in any of the usual orders"
      ),
      ([0, 10, 20, 200, .nan, 0.9, 1], "returned rows that are not numbers (NaN)"),
      ([0, 10, 20], "returned 3 numbers, which are not rows of 7"),
    ] as [([Float], String)])
  func `rows that are not objects are errors`(_ row: [Float], _ text: String) throws {
    let decoder = try Self.model().decoder()
    let error = #expect(throws: DetectionError.self) { try decoder.decode([row], threshold: 0.3, limit: 9) }
    #expect(error?.message == "'m.tflite' of the family 'yolox-nms' " + text)
    #expect(error?.code == .invalidOutput)
  }

  @Test func `an infinite box is not a result`() throws {
    let decoder = try Self.model().decoder()
    #expect(
      try decoder.decode([[0, 10, 20, .infinity, 300, 0.9, 1]], threshold: 0.3, limit: 9).isEmpty)
  }

  @Test func `one row of seven is a classifier's unless another fact decides`() throws {
    #expect(throws: DetectionError.self) { try Self.model([1, 7]).decoder() }
    #expect(try Self.model([1, 7]).decoder(family: .yoloxSuppressed).family == .yoloxSuppressed)
    #expect(
      try Self.model([1, 7], name: "batchno_classid_score_x1y1x2y2").decoder().family == .yoloxSuppressed)
    #expect(try Self.model([1, 100, 7]).decoder().family == .yoloxSuppressed)
    // The cells of a YOLOX with two classes take precedence.
    #expect(throws: DetectionError.self) { try Self.model([1, 3549, 7]).decoder() }
    var labelled = Self.model([1, 3549, 7])
    labelled.labelCount = 2
    #expect(try labelled.decoder().family == .yolox)
    #expect(throws: DetectionError.self) { try Self.model([20, 8]).decoder() }
    #expect(throws: DetectionError.self) { try Self.model([2, 20, 7]).decoder() }
  }
}
