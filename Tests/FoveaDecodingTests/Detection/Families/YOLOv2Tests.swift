// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import Testing

@testable import FoveaDecoding

@Suite struct YOLOv2Tests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var rows: Int
    var columns: Int
    var classes: Int
    var seed: UInt32
    var testDescription: String { name }
    var model: DetectorRecognizer {
      FamilyReference.model(
        input: [1, rows * 32, columns * 32, 3], [[1, rows, columns, 5 * (5 + classes)]], activation: .other)
    }
  }

  @Test(arguments: [
    Case(name: "yolov2 coco", rows: 3, columns: 4, classes: 80, seed: 21),
    Case(name: "yolov2 voc", rows: 4, columns: 3, classes: 20, seed: 23),
  ])
  func `boxes match Darknet's region layer`(_ test: Case) throws {
    let decoder = try test.model.decoder()
    #expect(decoder.family == .yolov2 && decoder.classCount == test.classes)
    var values = FamilyReference.numbers(
      seed: test.seed, count: test.rows * test.columns * 5 * (5 + test.classes), -2, 2)
    for index in values.indices where index % (5 + test.classes) >= 5 { values[index] *= 8 }
    try FamilyReference.expect(try decoder.decode([values], threshold: 0.2, limit: 100), test.name)
  }

  @Test func `the anchors are assumed from the number of classes, and the assumption is printed`() throws {
    func assumption(_ classes: Int) throws -> [String] {
      try Case(name: "", rows: 2, columns: 2, classes: classes, seed: 0).model.decoder().assumptions.map(
        \.description)
    }
    #expect(
      try assumption(20) == [
        "'m.tflite' does not declare its anchors; those of 'tiny-yolo-voc' are assumed,"
          + " which models with 20 classes usually have"
      ])
    #expect(try assumption(80).first?.contains("those of 'yolov2' are assumed") == true)
    #expect(try assumption(1).first?.hasSuffix("which models with 1 class usually have") == true)
  }

  @Test func `an export of Custom Vision expects bytes in OpenCV's order`() throws {
    let named = FamilyReference.model(
      input: [1, 416, 416, 3], [[1, 13, 13, 35]], names: ["model_outputs"])
    #expect(try named.decoder().input.isBGR)
    #expect(try named.decoder().input.normalization == Normalization(mean: [0], standardDeviation: [1]))
    let other = FamilyReference.model(input: [1, 416, 416, 3], [[1, 13, 13, 35]])
    #expect(try other.decoder().input == DetectorFamily.yolov2.input)
  }

  @Test(
    arguments: [
      (-.infinity, 0), (5, 1), (-5, 0),
    ] as [(Float, Int)])
  func `an objectness may be minus infinity, and a box without a size is not an object`(
    _ objectness: Float, _ count: Int
  ) throws {
    let decoder = try Case(name: "", rows: 1, columns: 1, classes: 2, seed: 0).model.decoder()
    var values = [Float](repeating: -20, count: 35)
    values.replaceSubrange(0..<7, with: [0, 0, -1, -1, objectness, 9, -9])
    #expect(try decoder.decode([values], threshold: 0.3, limit: 9).count == count)
    values[2] = 1e9  // an infinite size
    #expect(try decoder.decode([values], threshold: 0.3, limit: 9).isEmpty)
    values[2] = .nan
    #expect(try decoder.decode([values], threshold: 0.3, limit: 9).isEmpty)
  }

  @Test(arguments: [
    (4, "an objectness of box 0 that is not a number"), (5, "a class of box 0 that is not a number"),
    (6, "a class of box 0 that is not a number"), (34, "a class of box 4 that is not a number"),
  ])
  func `a score that is not a number is an error, whatever the objectness and the threshold`(
    _ place: Int, _ text: String
  ) throws {
    let decoder = try Case(name: "", rows: 1, columns: 1, classes: 2, seed: 0).model.decoder()
    for (objectness, threshold) in [(5, 0.3), (-5, 0.3), (-5, 0)] as [(Float, Float)] {
      var values = [Float](repeating: -20, count: 35)
      values.replaceSubrange(0..<7, with: [0, 0, -1, -1, objectness, 9, -9])
      for value in [Float.nan, -.nan, .infinity] {
        values[place] = value
        let error = #expect(throws: DetectionError.self) {
          try decoder.decode([values], threshold: threshold, limit: 9)
        }
        #expect(error?.message == "'m.tflite' of the family 'yolov2' returned \(text)")
      }
    }
  }

  @Test func `outputs of another size, and empty ones, are errors`() throws {
    let decoder = try Case(name: "", rows: 1, columns: 1, classes: 2, seed: 0).model.decoder()
    let short = #expect(throws: DetectionError.self) { try decoder.decode([[1]], threshold: 0.3, limit: 9) }
    #expect(
      short?.message == "'m.tflite' of the family 'yolov2' returned 1 numbers; 5 boxes of 7 are expected")
    let none = #expect(throws: DetectionError.self) {
      try decoder.decode([[Float](repeating: .nan, count: 35)], threshold: 0.3, limit: 9)
    }
    #expect(none?.message.hasSuffix("no number at all (NaN) as objectness") == true)
  }
}
