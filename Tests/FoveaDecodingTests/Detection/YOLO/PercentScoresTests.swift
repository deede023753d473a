// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Swift-YOLO's rows of percent, and what is not percent, for an input of 96 × 96 pixels: 567 rows.
@Suite struct PercentScoresTests {
  static let levels = [8, 16, 32].map { YOLOGrid(width: 96, height: 96, strides: [$0]).cells }
  static let cells = levels.flatMap { $0 + $0 + $0 }

  static func model(step: Float = 0, rows: Int = 567, columns: Int = 7) -> DetectorRecognizer {
    FamilyReference.model(
      input: [1, 96, 96, 3], [[1, rows, columns]], type: step > 0 ? .int8 : .float32,
      quantization: step > 0 ? .perTensor(scale: step, zeroPoint: -128) : .none)
  }

  /// Boxes in pixels; an object of the second class in one row.
  static func answer(
    row objectRow: Int = 300, objectness: Float = 80, other: Float = 0, classes: (Float, Float) = (30, 90),
    unit: Float = 1
  ) -> [Float] {
    cells.enumerated().flatMap { row, cell -> [Float] in
      row == objectRow
        ? [48 * unit, 36 * unit, 30 * unit, 20 * unit, objectness, classes.0 / 3, classes.1]
        : [
          (cell.x + 0.5) * cell.stride * unit, (cell.y + 0.5) * cell.stride * unit, 20 * unit, 20 * unit,
          other,
          classes.0, classes.0,
        ]
    }
  }

  @Test(arguments: [Float(0), 0.5, 1.7, 3.4])
  func `scores in percent are divided by 100`(_ step: Float) throws {
    let decoder = try Self.model(step: step).decoder()
    #expect(decoder.family == .yolov5 && decoder.classCount == 2)
    let found = try decoder.decode([Self.answer()], threshold: 0.3, limit: 9)
    #expect(found.count == 1 && found.first?.classIndex == 1)
    #expect(abs((found.first?.score ?? 0) - 0.72) < 1e-5)
    let box = found.first?.box.pixels(in: PixelSize(width: 96, height: 96))
    #expect(abs((box?.midX ?? 0) - 48) < 1e-4 && abs((box?.height ?? 0) - 20) < 1e-4)
    #expect(try decoder.decode([Self.answer(objectness: 0)], threshold: 0.3, limit: 9).isEmpty)
    #expect(try decoder.decode([Self.answer(objectness: 1, other: 1)], threshold: 0.3, limit: 9).isEmpty)
  }

  /// The odd rows of 567 are in no sample.
  @Test(arguments: [Float(0), 1.7], [0, 1, 301, 565, 566])
  func `one object in any row shows that scores are percent`(_ step: Float, _ row: Int) throws {
    let decoder = try Self.model(step: step).decoder()
    for classes: (Float, Float) in [(0, 90), (30, 90)] {
      let found = try decoder.decode(
        [Self.answer(row: row, classes: classes)], threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [1])
      #expect(abs((found.first?.score ?? 0) - 0.72) < 1e-5)
    }
    // Barely an object: no class of 90 as in 0…1.
    let unsure = Self.answer(row: row, objectness: 0.9, classes: (0, 90))
    #expect(try decoder.decode([unsure], threshold: 0.3, limit: 9).isEmpty)
  }

  @Test(arguments: [Float(0.5), 1.7, 3.4])
  func `steps too coarse for 0…1 are percent, also if nothing is detected`(_ step: Float) throws {
    let decoder = try Self.model(step: step).decoder()
    let empty = Self.answer(objectness: 0, classes: (0, 0))
    let nothing = empty.enumerated().map { $0.offset % 7 < 4 ? $0.element : 0 }
    #expect(try decoder.decode([nothing], threshold: 0.3, limit: 9).isEmpty)
    #expect(decoder.assumptions.count == 1)
    #expect(try Self.model().decoder().assumptions.isEmpty)
  }

  @Test func `scores of 0…1 stay unchanged`() throws {
    let decoder = try Self.model().decoder()
    for unit: Float in [1, 1 / 96] {
      let found = try decoder.decode(
        [Self.answer(objectness: 0.8, classes: (0.3, 0.9), unit: unit)], threshold: 0.3, limit: 9)
      #expect(found.count == 1 && abs((found.first?.score ?? 0) - 0.72) < 1e-5)
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var values: [Float]
    var text = "it must be 0…1"
    var step: Float = 0
  }

  static let wrong = [
    Wrong(testDescription: "places in fractions", values: answer(unit: 1 / 96)),
    Wrong(testDescription: "more than 100", values: answer(objectness: 130)),
    Wrong(testDescription: "a class of 255", values: answer(classes: (30, 255))),
    Wrong(testDescription: "logits", values: answer(other: -3)),
    Wrong(testDescription: "infinite", values: answer(objectness: .infinity)),
    Wrong(
      testDescription: "places of no cells",
      values: answer().enumerated().map { $0.offset % 7 == 0 ? 90 : $0.element }),
    Wrong(
      testDescription: "too coarse for 0…1, and places of no cells",
      values: answer(objectness: 0, classes: (0, 0)).enumerated().map {
        $0.offset % 7 == 0 ? 90 : $0.element
      },
      text: "has output steps of 2.5, which leave no room for scores of 0…1, and its scores are not percent",
      step: 2.5),
  ]

  @Test(arguments: wrong)
  func `scores that are neither percent nor 0…1 are an error`(_ test: Wrong) throws {
    let error = #expect(throws: DetectionError.self) {
      try Self.model(step: test.step).decoder().decode([test.values], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains(test.text) == true, "\(error?.message ?? "")")
  }

  @Test func `rows of another family are not percent`() throws {
    // End to end: left, top, right, bottom, score, class.
    let rows: [Float] = (0..<300).flatMap { row in [10, 10, 50, 50, row == 5 ? 0.9 : 0.01, Float(row % 80)] }
    let decoder = try Self.model(rows: 300, columns: 6).decoder(family: .yolov5)
    let error = #expect(throws: DetectionError.self) { try decoder.decode([rows], threshold: 0.3, limit: 9) }
    #expect(error?.code == .invalidOutput)
  }
}
