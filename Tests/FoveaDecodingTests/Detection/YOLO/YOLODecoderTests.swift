// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// One detection between background rows, in each layout; the input is 64 × 32 pixels, so the grid has 42
/// cells.
@Suite struct YOLODecoderTests {
  static let cells = YOLOGrid(width: 64, height: 32, strides: [8, 16, 32]).cells

  /// The layouts with two classes, as written by their exporters.
  enum Layout: String, CaseIterable, Sendable {
    case yolox, yoloxRaw, yolov5, yolov5Pixels, yolov8, yolov8Rows, yolov8Pixels, yolov10, yolov10Pixels

    var family: DetectorFamily {
      switch self {
      case .yolox, .yoloxRaw: .yolox
      case .yolov5, .yolov5Pixels: .yolov5
      case .yolov8, .yolov8Rows, .yolov8Pixels: .yolov8
      case .yolov10, .yolov10Pixels: .yolov10
      }
    }

    var rows: Int {
      switch family {
      case .yolov5: YOLODecoderTests.cells.count * 3
      case .yolov10: 9
      default: YOLODecoderTests.cells.count
      }
    }

    /// The numbers of a row for a box in pixels of the input.
    func row(_ index: Int, _ box: BoundingBox, score: Float, classIndex: Int) -> [Float] {
      let (x, y) = (Float(box.midX), Float(box.midY))
      let (width, height) = (Float(box.width), Float(box.height))
      let cell = YOLODecoderTests.cells[index % YOLODecoderTests.cells.count]
      let classes: [Float] = classIndex == 0 ? [score, 0] : [0, score]
      switch self {
      case .yolox: return [x, y, width, height, 1] + classes
      case .yoloxRaw:
        return [
          x / cell.stride - cell.x, y / cell.stride - cell.y, log2(width / cell.stride),
          log2(height / cell.stride), 1,
        ]
          + classes
      case .yolov5: return [x / 64, y / 32, width / 64, height / 32, score] + classes.map { $0 > 0 ? 1 : 0 }
      case .yolov5Pixels: return [x, y, width, height, score] + classes.map { $0 > 0 ? 1 : 0 }
      case .yolov8, .yolov8Rows: return [x / 64, y / 32, width / 64, height / 32] + classes
      case .yolov8Pixels: return [x, y, width, height] + classes
      case .yolov10:
        return [
          Float(box.minX / 64), Float(box.minY / 32), Float(box.maxX / 64), Float(box.maxY / 32), score,
        ]
          + [Float(classIndex)]
      case .yolov10Pixels:
        return [Float(box.minX), Float(box.minY), Float(box.maxX), Float(box.maxY), score, Float(classIndex)]
      }
    }

    /// The natural logarithm of a power of two, which is enough for the tests.
    private func log2(_ value: Float) -> Float { Float(value.exponent) * 0.693_147_18 }

    /// All rows: background, some of them replaced.
    func output(_ replaced: [Int: [Float]]) -> [Float] {
      let all = (0..<rows).map { index in
        let cell = YOLODecoderTests.cells[index % YOLODecoderTests.cells.count]
        let side = Double(cell.stride)
        let box = BoundingBox(x: Double(cell.x) * side, y: Double(cell.y) * side, width: side, height: side)
        return replaced[index] ?? row(index, box, score: 0.01, classIndex: 0)
      }
      guard family == .yolov8, self != .yolov8Rows else { return all.flatMap { $0 } }
      return all[0].indices.flatMap { column in all.map { $0[column] } }
    }

    func decoder(_ suppression: SuppressionOptions = SuppressionOptions()) throws -> any DetectionDecoder {
      let columns = family == .yolov8 || family == .yolov10 ? 6 : 7
      let shape = family == .yolov8 && self != .yolov8Rows ? [1, columns, rows] : [1, rows, columns]
      var recognizer = DetectorRecognizer(
        modelName: "m",
        signature: YOLORecognitionTests.signature([shape], input: [1, 32, 64, 3]), metadata: nil)
      recognizer.labelCount = 2
      recognizer.suppression = suppression
      return try recognizer.decoder()
    }
  }

  static let box = BoundingBox(x: 20, y: 8, width: 16, height: 8)

  @Test(arguments: Layout.allCases)
  func `a box is found at its position`(_ layout: Layout) throws {
    let row = layout.row(5, Self.box, score: 0.75, classIndex: 1)
    let decoder = try layout.decoder()
    #expect(decoder.family == layout.family)
    let found = try decoder.decode([layout.output([5: row])], threshold: 0.3, limit: 10)
    #expect(found.count == 1)
    let first = try #require(found.first)
    #expect(first.classIndex == 1)
    #expect(abs(first.score - 0.75) < 1e-6)
    let box = first.box.pixels(in: PixelSize(width: 64, height: 32))
    for (value, expected) in [
      (box.minX, Self.box.minX), (box.minY, Self.box.minY), (box.maxX, Self.box.maxX),
      (box.maxY, Self.box.maxY),
    ] { #expect(abs(value - expected) < 1e-4, "\(box)") }
  }

  @Test(arguments: Layout.allCases)
  func `values without a position are not results`(_ layout: Layout) throws {
    var rows: [Int: [Float]] = [:]
    let good = layout.row(0, Self.box, score: 0.9, classIndex: 0)
    for (index, value) in [Float.nan, .infinity, -.infinity, 1e38].enumerated() {
      for column in 0..<2 {
        var row = good
        row[column] = value
        // Up to the width or height, or the right or lower edge.
        if index > 1 { row[column + 2] = value }
        rows[index * 2 + column] = row
      }
    }
    let output = layout.output(rows)
    let found = try layout.decoder().decode([output], threshold: 0.3, limit: 50)
    for detection in found {
      let edges = [detection.box.minX, detection.box.minY, detection.box.maxX, detection.box.maxY]
      #expect(edges.allSatisfy { $0.isFinite })
      #expect(detection.box.maxX > detection.box.minX && detection.box.maxY > detection.box.minY)
    }
  }

  @Test(arguments: Layout.allCases.filter { $0 != .yoloxRaw })
  func `a negative size is not a result`(_ layout: Layout) throws {
    let turned = BoundingBox(minX: 36, minY: 8, maxX: 20, maxY: 16)
    let row = layout.row(3, turned, score: 0.9, classIndex: 0)
    #expect(try layout.decoder().decode([layout.output([3: row])], threshold: 0.3, limit: 5).isEmpty)
  }

  @Test(arguments: Layout.allCases)
  func `a score that is not a number is an error`(_ layout: Layout) throws {
    for (classIndex, threshold) in [(0, Float(0.3)), (1, 0.3), (1, 0)] {
      let infinite = layout.row(3, Self.box, score: -.infinity, classIndex: classIndex)
      #expect(throws: DetectionError.self) {
        try layout.decoder().decode([layout.output([3: infinite])], threshold: threshold, limit: 50)
      }
      let row = layout.row(3, Self.box, score: .nan, classIndex: classIndex)
      let error = #expect(throws: DetectionError.self) {
        try layout.decoder().decode([layout.output([3: row])], threshold: threshold, limit: 50)
      }
      #expect(error?.code == .invalidOutput)
      #expect(
        error?.message
          == "'m' of the family '\(layout.family)' returned a score of row 3 that is not a number"
      )
    }
  }

  @Test(arguments: [Layout.yolox, .yoloxRaw, .yolov5, .yolov5Pixels], [Float(0), 0.01, 0.5])
  func `a class that is not a number is an error, whatever the objectness and the threshold`(
    _ layout: Layout, _ objectness: Float
  ) throws {
    let decoder = try layout.decoder()
    for threshold in [Float(0), 0.3, 1] {
      for column in 5..<7 {
        func message(_ value: Float) -> String? {
          var row = layout.row(3, Self.box, score: 0.5, classIndex: 0)
          (row[4], row[column]) = (objectness, value)
          return #expect(throws: DetectionError.self) {
            try decoder.decode([layout.output([3: row])], threshold: threshold, limit: 50)
          }?.message
        }
        let name = "'m' of the family '\(layout.family)' returned"
        #expect(message(.nan) == "\(name) a score of row 3 that is not a number")
        #expect(message(-.nan) == "\(name) a score of row 3 that is not a number")
        #expect(message(-.infinity) == "\(name) a score of row 3 that is not a number")
        #expect(message(.infinity) == "\(name) inf as a class's score; it must be 0…1")
      }
    }
  }

  @Test(arguments: Layout.allCases, [Float(4.2), -3, .infinity])
  func `scores without a sigmoid are an error`(_ layout: Layout, _ score: Float) throws {
    // All rows: no class of the output is in 0…1, like logits.
    let rows = Dictionary(
      uniqueKeysWithValues: (0..<layout.rows).map { index -> (Int, [Float]) in
        var row = layout.row(index, Self.box, score: 0.5, classIndex: 0)
        if [.yolov8, .yolov10].contains(layout.family) { row[4] = score } else { row[4] = score }
        if layout.family == .yolov8 { row[5] = score }
        return (index, row)
      })
    var output = layout.output(rows)
    if layout.family == .yolox {
      // The rows need their own cells, or the error would be about these.
      output = layout.output([:])
      for index in 0..<layout.rows { output[index * 7 + 4] = score }
    }
    let error = #expect(throws: DetectionError.self) {
      try layout.decoder().decode([output], threshold: 0.3, limit: 5)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("it must be 0…1") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: Layout.allCases)
  func `an output without numbers is an error`(_ layout: Layout) throws {
    var output = layout.output([:])
    for index in output.indices {
      let isPlace: Bool
      switch layout.family {
      case .yolov8 where layout != .yolov8Rows: isPlace = index < 4 * layout.rows
      default: isPlace = index % (output.count / layout.rows) < 4
      }
      if !isPlace { output[index] = .nan }
    }
    let error = #expect(throws: DetectionError.self) {
      try layout.decoder().decode([output], threshold: 0, limit: 5)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message == "'m' returned no number at all (NaN)")
  }

  @Test(arguments: Layout.allCases)
  func `an output of another size is an error`(_ layout: Layout) throws {
    let decoder = try layout.decoder()
    for outputs: [[Float]] in [[], [[]], [[1, 2, 3]], [layout.output([:]) + [1]]] {
      let error = #expect(throws: DetectionError.self) { try decoder.decode(outputs, threshold: 0, limit: 5) }
      #expect(error?.code == .invalidOutput)
    }
  }

  @Test func `centres far from their cells are an error`() throws {
    var output = Layout.yolox.output([:])
    for row in 0..<Layout.yolox.rows {
      output[row * 7] = 1000
      output[row * 7 + 1] = -1000
    }
    let error = #expect(throws: DetectionError.self) {
      try Layout.yolox.decoder().decode([output], threshold: 0.3, limit: 5)
    }
    #expect(
      error?.message
        == "'m' of the family 'yolox' returned centres that are far from their cells, decoded or not")
  }

  @Test func `an impossible class is an error, unless its score is zero`() throws {
    let decoder = try Layout.yolov10.decoder()
    var row = Layout.yolov10.row(2, Self.box, score: 0, classIndex: -1)
    #expect(
      try decoder.decode([Layout.yolov10.output([2: row])], threshold: 0, limit: 50).allSatisfy {
        $0.classIndex == 0
      })
    row[4] = 0.5
    for value in [Float(-1), .nan, 1e9] {
      row[5] = value
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([Layout.yolov10.output([2: row])], threshold: 0, limit: 50)
      }
      #expect(error?.code == .invalidOutput)
    }
  }

  @Test(arguments: [(0.5, 0.95), (0.5, 0.5), (1, 0.9), (0, 0.9), (0.01, 1.4)] as [(Float, Float)])
  func `a fractional class is an error, whatever its score`(_ score: Float, _ value: Float) {
    var row = Layout.yolov10.row(2, Self.box, score: score, classIndex: 0)
    row[5] = value
    let error = #expect(throws: DetectionError.self) {
      try Layout.yolov10.decoder().decode([Layout.yolov10.output([2: row])], threshold: 0.3, limit: 50)
    }
    #expect(error?.code == .invalidOutput)
    #expect(
      error?.message
        == "'m' of the family 'yolov10' returned \(value) as the class of row 2; it must be a whole number from 0"
    )
  }

  @Test(arguments: [(0, 1.004, 1), (0.25, 1.875, 2), (0.25, 0.12, 0)] as [(Float, Float, Int)])
  func `a class that a quantised output rounds is the nearest one`(
    _ step: Float, _ value: Float, _ classIndex: Int
  ) throws {
    let rows = Layout.yolov10.rows
    var signature = YOLORecognitionTests.signature([[1, rows, 6]], input: [1, 32, 64, 3])
    if step > 0 {
      signature.outputs = [
        TensorDescription(
          name: "out0", elementType: .uint8, shape: [1, rows, 6],
          quantization: .perTensor(scale: step, zeroPoint: 0))
      ]
    }
    let decoder = try YOLORecognitionTests.recognizer(signature).decoder()
    #expect(decoder.family == .yolov10)
    var row = Layout.yolov10.row(2, Self.box, score: 0.75, classIndex: 0)
    row[5] = value
    let found = try decoder.decode([Layout.yolov10.output([2: row])], threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [classIndex])
  }

  @Test(arguments: Layout.allCases.filter { $0.family != .yolov10 })
  func `duplicates are suppressed within a class, and across classes if boxes are nearly equal`(
    _ layout: Layout
  ) throws {
    let output = layout.output([
      0: layout.row(0, Self.box, score: 0.9, classIndex: 0),
      7: layout.row(7, Self.box, score: 0.8, classIndex: 0),
      20: layout.row(20, Self.box, score: 0.7, classIndex: 1),
    ])
    func scores(_ suppression: SuppressionOptions, threshold: Float = 0.3) throws -> [Float] {
      try layout.decoder(suppression).decode([output], threshold: threshold, limit: 9).map {
        ($0.score * 10).rounded()
      }
    }
    #expect(try scores(SuppressionOptions()) == [9])
    #expect(try scores(SuppressionOptions(crossClassIoU: 1)) == [9, 7])
    #expect(try scores(SuppressionOptions(), threshold: 0.05) == [9])
    // An evaluation's threshold keeps each name.
    #expect(try scores(SuppressionOptions(), threshold: 0.04) == [9, 7])
    #expect(try scores(SuppressionOptions(crossClassIoU: 0.8), threshold: 0.04) == [9])
    #expect(try scores(SuppressionOptions(isClassAgnostic: true)) == [9])
    #expect(try scores(SuppressionOptions(iouThreshold: 1)) == [9, 8])
    #expect(try scores(SuppressionOptions(iouThreshold: 1, crossClassIoU: 1)) == [9, 8, 7])
  }

  @Test func `an end-to-end model keeps its boxes within a class, unless suppression is requested`() throws {
    let output = Layout.yolov10.output([
      0: Layout.yolov10.row(0, Self.box, score: 0.7, classIndex: 0),
      1: Layout.yolov10.row(1, Self.box, score: 0.9, classIndex: 1),
    ])
    func scores(_ suppression: SuppressionOptions) throws -> [Float] {
      try Layout.yolov10.decoder(suppression).decode([output], threshold: 0.3, limit: 9).map(\.score)
    }
    #expect(try scores(SuppressionOptions()) == [0.9])
    #expect(try scores(SuppressionOptions(crossClassIoU: 1)) == [0.9, 0.7])
    #expect(try scores(SuppressionOptions(iouThreshold: 0.5, crossClassIoU: 1)) == [0.9, 0.7])
    #expect(try scores(SuppressionOptions(isClassAgnostic: true)) == [0.9])
  }
}
