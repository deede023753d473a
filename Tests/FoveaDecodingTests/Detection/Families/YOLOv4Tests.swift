// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// YOLOv3 and v4 with boxes and scores as two outputs, for an input of 96 × 64 pixels: 378 rows.
@Suite struct YOLOv4Tests {
  static let count = 378
  static let cells = YOLOGrid(width: 96, height: 64, strides: [8, 16, 32]).cells

  /// The layout of an exporter's boxes and scores.
  struct Export: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var classes = 2
    var scoresFirst = false
    var unit: (x: Float, y: Float) = (1, 1)
    var isEdges = false
    /// The values of rows without an object: a box around their cell, or this.
    var background: [Float]?

    var model: DetectorRecognizer {
      let shapes = [[1, count, 4], [1, count, classes]]
      return FamilyReference.model(input: [1, 64, 96, 3], scoresFirst ? shapes.reversed() : shapes)
    }

    /// One object of the last class, with the score 0.9, in row 100.
    func answer(_ box: [Float] = [48, 16, 24, 8], score: Float = 0.9, background scoreBackground: Float = 0)
      -> [[Float]]
    {
      var boxes: [Float] = []
      var scores: [Float] = []
      for row in 0..<count {
        let cell = cells[row / 3]
        var place =
          row == 100
          ? box
          : background ?? [
            (cell.x + 0.5) * cell.stride, (cell.y + 0.5) * cell.stride, cell.stride, cell.stride,
          ]
        if isEdges {
          place = [
            place[0] - place[2] / 2, place[1] - place[3] / 2, place[0] + place[2] / 2,
            place[1] + place[3] / 2,
          ]
        }
        boxes += [place[0] * unit.x, place[1] * unit.y, place[2] * unit.x, place[3] * unit.y]
        scores += (0..<classes).map { row == 100 && $0 == classes - 1 ? score : scoreBackground }
      }
      return scoresFirst ? [scores, boxes] : [boxes, scores]
    }
  }

  static let fractions: (x: Float, y: Float) = (1 / 96, 1 / 64)

  static let exports = [
    Export(testDescription: "pixels"),
    Export(testDescription: "scores first", scoresFirst: true),
    Export(testDescription: "fractions", unit: fractions),
    Export(
      testDescription: "one class, fractions, scores first", classes: 1, scoresFirst: true, unit: fractions),
    Export(testDescription: "80 classes", classes: 80),
    Export(testDescription: "four classes in pixels", classes: 4),
    Export(testDescription: "four classes in pixels, scores first", classes: 4, scoresFirst: true),
    Export(testDescription: "four classes in fractions", classes: 4, unit: fractions),
    Export(
      testDescription: "four classes in fractions, scores first", classes: 4, scoresFirst: true,
      unit: fractions),
    Export(testDescription: "edges in pixels", isEdges: true),
    Export(testDescription: "edges in fractions", unit: fractions, isEdges: true),
    Export(testDescription: "all rows but one the same", background: [8, 8, 4, 4]),
    Export(
      testDescription: "all rows but one the same, in fractions", scoresFirst: true, unit: fractions,
      background: [8, 8, 4, 4]),
    Export(
      testDescription: "four classes, all rows but one the same, in fractions", classes: 4, unit: fractions,
      background: [8, 8, 4, 4]),
    Export(testDescription: "all rows but one zero", background: [0, 0, 0, 0]),
  ]

  @Test(arguments: exports)
  func `boxes are read in any order, unit and kind`(_ export: Export) throws {
    for box in [[48, 16, 24, 8], [20, 40, 36, 48]] as [[Float]] {
      guard export.background == nil || box[0] > box[2] else { continue }
      let decoder = try export.model.decoder()
      #expect(decoder.family == .yolov4 && decoder.classCount == export.classes)
      let found = try decoder.decode(export.answer(box), threshold: 0.3, limit: 10)
      #expect(found.count == 1)
      #expect(found.first?.classIndex == export.classes - 1)
      #expect(abs((found.first?.score ?? 0) - 0.9) < 1e-6)
      let pixels = found.first?.box.pixels(in: PixelSize(width: 96, height: 64))
      for (value, truth) in [
        (pixels?.midX, box[0]), (pixels?.midY, box[1]), (pixels?.width, box[2]), (pixels?.height, box[3]),
      ] { #expect(abs((value ?? -1) - Double(truth)) < 1e-3) }
    }
  }

  @Test func `an image without objects has none`() throws {
    for export in Self.exports {
      #expect(try export.model.decoder().decode(export.answer(score: 0.01), threshold: 0.3, limit: 9).isEmpty)
    }
  }

  @Test func `metadata and the value range show which of two outputs of four columns is which`() throws {
    // Neither boxes at one place nor scores that are equally large in all rows indicate anything.
    let export = Export(testDescription: "", classes: 4, unit: Self.fractions, background: [8, 8, 4, 4])
    let answer = export.answer(background: 0.2)
    let error = #expect(throws: DetectionError.self) {
      try export.model.decoder().decode(answer, threshold: 0.3, limit: 9)
    }
    #expect(
      error?.message
        == "'m.tflite' of the family 'yolov4' returned two outputs of four numbers per row, neither of which holds boxes"
    )
    for boxes in [0, 1] {
      var model = export.model
      let whole = model.signature.outputs
      let quantized = [
        Quantization.perTensor(scale: 0.5, zeroPoint: 0), .perTensor(scale: 1 / 255, zeroPoint: 0),
      ]
      model.signature.outputs = whole.indices.map {
        TensorDescription(
          name: whole[$0].name, elementType: .uint8, shape: whole[$0].shape,
          quantization: quantized[$0 == boxes ? 0 : 1])
      }
      let found = try model.decoder().decode(
        boxes == 0 ? answer : answer.reversed(), threshold: 0.3, limit: 9)
      #expect(found.count == 1 && found.first?.classIndex == 3)
    }
  }

  @Test func `numbers that are not scores or of another size are errors`() throws {
    let export = Self.exports[0]
    let decoder = try export.model.decoder()
    for (score, background) in [(Float(4), Float(0)), (-2, -3), (87, 0)] {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode(export.answer(score: score, background: background), threshold: 0.3, limit: 9)
      }
      #expect(
        error?.message.contains("as a class's score; it must be 0…1") == true, "\(error?.message ?? "")")
    }
    #expect(throws: DetectionError.self) {
      try decoder.decode(export.answer(score: .nan, background: .nan), threshold: 0.3, limit: 9)
    }
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([[1], [2]], threshold: 0.3, limit: 9)
    }
    #expect(
      error?.message
        == "'m.tflite' of the family 'yolov4' returned 1 numbers in output 0; 378 rows of 4 are expected"
    )
  }

  @Test func `if the family is named any number of rows is read, and SSDs keep theirs`() throws {
    let any = FamilyReference.model(input: [1, 96, 96, 3], [[1, 77, 4], [1, 77, 3]])
    #expect(throws: DetectionError.self) { try any.decoder() }
    #expect(try any.decoder(family: .yolov4).classCount == 3)
    #expect(DetectorFamily(name: "yolov3") == .yolov4)
    let ssd = FamilyReference.model(
      input: [1, 300, 300, 3], [[1, 1917, 4], [1, 1917, 91]],
      names: ["raw_outputs/box_encodings", "raw_outputs/class_predictions"])
    #expect(try ssd.decoder().family == .anchorSSD)
  }
}
