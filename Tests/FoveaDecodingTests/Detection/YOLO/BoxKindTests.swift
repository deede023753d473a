// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Centre and size, or edges, in the rows of YOLOv8 and YOLOv9, for an input of 320 × 256 pixels.
@Suite struct BoxKindTests {
  static let cells = YOLOGrid(width: 320, height: 256, strides: [8, 16, 32]).cells

  struct Form: Sendable, CustomTestStringConvertible {
    var isEdges: Bool
    var unit: (x: Float, y: Float)
    var isTransposed: Bool
    var testDescription: String { "\(isEdges ? "edges" : "centres") × \(unit.x), \(isTransposed)" }

    /// Boxes of three to nine cells' size near their cells, as a network returns them, and one object.
    func output() -> [Float] {
      var state: UInt32 = 7
      func random() -> Float {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 8) / 16_777_216
      }
      let rows = cells.enumerated().map { index, cell -> [Float] in
        var box = [
          (cell.x + random() * 2 - 0.5) * cell.stride, (cell.y + random() * 2 - 0.5) * cell.stride,
          cell.stride * (3 + 6 * random()), cell.stride * (3 + 6 * random()),
        ]
        if index == 400 { box = [100, 90, 150, 120] }
        if isEdges {
          box = [box[0] - box[2] / 2, box[1] - box[3] / 2, box[0] + box[2] / 2, box[1] + box[3] / 2]
        }
        return [
          box[0] * unit.x, box[1] * unit.y, box[2] * unit.x, box[3] * unit.y, index == 400 ? 0.8 : 0.01, 0.02,
        ]
      }
      return isTransposed ? (0..<6).flatMap { column in rows.map { $0[column] } } : rows.flatMap { $0 }
    }

    var decoder: any DetectionDecoder {
      get throws {
        let shape = isTransposed ? [1, 6, cells.count] : [1, cells.count, 6]
        return try FamilyReference.model(input: [1, 256, 320, 3], [shape]).decoder(family: .yolov8)
      }
    }
  }

  static let forms = [false, true].flatMap { isEdges in
    [(1, 1), (1 / 320, 1 / 256)].flatMap { unit in
      [true, false].map { Form(isEdges: isEdges, unit: unit, isTransposed: $0) }
    }
  }

  @Test(arguments: forms)
  func `the cells distinguish centres and edges`(_ form: Form) throws {
    let found = try form.decoder.decode([form.output()], threshold: 0.3, limit: 9)
    let box = try #require(found.first?.box.pixels(in: PixelSize(width: 320, height: 256)))
    for (value, truth) in [(box.midX, 100.0), (box.midY, 90), (box.width, 150), (box.height, 120)] {
      #expect(abs(value - truth) < 0.01, "\(box)")
    }
  }

  @Test func `boxes that are neither are an error`() throws {
    // Upright in all rows, and far from their cells.
    let form = Self.forms[0]
    let rows = Self.cells.count
    var output = form.output()
    for row in 0..<rows {
      for (column, value) in [10, 10, 300, 250].enumerated() { output[column * rows + row] = Float(value) }
    }
    let error = #expect(throws: DetectionError.self) {
      try form.decoder.decode([output], threshold: 0.3, limit: 9)
    }
    #expect(
      error?.message
        == "'m.tflite' of the family 'yolov8' returned boxes that are neither centre and size nor edges: either way they"
        + " are far from their cells")
  }
}
