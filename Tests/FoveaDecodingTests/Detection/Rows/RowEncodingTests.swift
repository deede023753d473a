// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// One answer of a network for 96 × 64 pixels, in each layout that exporters write.
@Suite struct RowEncodingTests {
  static let levels = [8, 16, 32].map { YOLOGrid(width: 96, height: 64, strides: [$0]).cells }
  static let cells = levels.flatMap { $0 }

  /// A row: edges in pixels, and the probabilities of three classes.
  struct Row: Sendable {
    var edges: [Float]
    var scores: [Float]
    var cell: YOLOGrid.Cell

    var center: [Float] {
      [(edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2, edges[2] - edges[0], edges[3] - edges[1]]
    }
    var logits: [Float] { scores.map { log($0 / (1 - $0)) } }
    /// Four distributions, each with its weight on two of 16 distances.
    var distances: [Float] {
      let (x, y) = ((cell.x + 0.5) * cell.stride, (cell.y + 0.5) * cell.stride)
      return [x - edges[0], y - edges[1], edges[2] - x, edges[3] - y].flatMap { distance -> [Float] in
        let place = distance / cell.stride
        return (0..<16).map { log(max(1 - abs(place - Float($0)), 1e-12)) }
      }
    }
  }

  /// Boxes of two cells around each cell, and two objects.
  static let rows = cells.enumerated().map { index, cell in
    let (x, y) = ((cell.x + 0.5) * cell.stride, (cell.y + 0.5) * cell.stride)
    var row = Row(
      edges: [x - cell.stride, y - cell.stride, x + cell.stride, y + cell.stride],
      scores: [0.01, 0.02, 0.01],
      cell: cell)
    if index == 40 { (row.edges, row.scores) = ([26, 20, 46, 36], [0.1, 0.2, 0.8]) }
    if index == 100 { (row.edges, row.scores) = ([60, 2, 84, 14], [0.6, 0.2, 0.1]) }
    return row
  }

  /// An output, row by row.
  struct Output: Sendable {
    var shape: [Int]
    var values: [Float]

    /// A list [1, N, C], or [1, C, N].
    static func list(_ rows: [[Float]], isTransposed: Bool = false) -> Output {
      let columns = rows[0].count
      return isTransposed
        ? Output(
          shape: [1, columns, rows.count], values: (0..<columns).flatMap { column in rows.map { $0[column] } }
        )
        : Output(shape: [1, rows.count, columns], values: rows.flatMap { $0 })
    }

    /// A map [1, H, W, C] for each level, or [1, C, H, W].
    static func maps(_ rows: [[Float]], isPlanar: Bool = false) -> [Output] {
      var first = 0
      return zip(RowEncodingTests.levels, [[8, 12], [4, 6], [2, 3]]).map { level, sides in
        let part = Array(rows[first..<(first + level.count)])
        first += level.count
        let list = Output.list(part, isTransposed: isPlanar)
        return Output(
          shape: isPlanar ? [1, part[0].count] + sides : [1] + sides + [part[0].count], values: list.values)
      }
    }
  }

  struct Encoding: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outputs: [Output]
    var family: DetectorFamily
    var isPlanar = false
    var labels: Int?

    var model: DetectorRecognizer {
      var model = FamilyReference.model(
        input: isPlanar ? [1, 3, 64, 96] : [1, 64, 96, 3], outputs.map(\.shape))
      model.labelCount = labels
      return model
    }
  }

  static let scores = rows.map(\.scores)
  static let logits = rows.map(\.logits)
  static let distances = rows.map(\.distances)
  static let joined = zip(distances, logits).map { $0 + $1 }
  static let fractions: [Float] = [1 / 96, 1 / 64, 1 / 96, 1 / 64]

  /// Boxes in each kind and unit.
  static let boxes: [(String, [[Float]])] = [
    ("centres in pixels", rows.map(\.center)), ("edges in pixels", rows.map(\.edges)),
    ("centres in fractions", rows.map { zip($0.center, fractions).map(*) }),
    ("edges in fractions", rows.map { zip($0.edges, fractions).map(*) }),
  ]

  static let pairs = boxes.flatMap { name, boxes in
    [(false, false), (true, false), (false, true), (true, true)].flatMap { across, isReversed in
      [1, 3].map { perCell -> Encoding in
        func list(_ rows: [[Float]]) -> Output {
          .list(rows.flatMap { Array(repeating: $0, count: perCell) }, isTransposed: across)
        }
        let outputs = [list(boxes), list(scores)]
        return Encoding(
          testDescription:
            "\(name), \(perCell) a cell\(across ? ", columns" : "")\(isReversed ? ", last" : "")",
          outputs: isReversed ? outputs.reversed() : outputs, family: perCell == 3 ? .yolov4 : .yoloPair)
      }
    }
  }

  static let lists = boxes.flatMap { name, boxes in
    [
      Encoding(
        testDescription: "\(name), joined",
        outputs: [.list(zip(boxes, scores).map { $0 + $1 }, isTransposed: true)], family: .yolov8),
      Encoding(
        testDescription: "\(name), joined, 3 a cell",
        outputs: [
          .list(
            zip(boxes, scores).flatMap { Array(repeating: $0 + $1, count: 3) }, isTransposed: true)
        ], family: .yolov7Joined),
    ]
  }

  static let splits = [
    Encoding(
      testDescription: "distances and logits", outputs: [.list(distances), .list(logits)], family: .yoloSplit),
    Encoding(
      testDescription: "distances and probabilities", outputs: [.list(distances), .list(scores)],
      family: .yoloSplit),
    Encoding(
      testDescription: "logits, distances in columns",
      outputs: [.list(logits, isTransposed: true), .list(distances, isTransposed: true)], family: .yoloSplit),
    Encoding(
      testDescription: "six maps", outputs: Output.maps(distances) + Output.maps(logits), family: .yoloSplit),
    Encoding(
      testDescription: "six maps in another order",
      outputs: (Output.maps(logits) + Output.maps(distances)).reversed(), family: .yoloSplit),
    Encoding(
      testDescription: "six planar maps",
      outputs: zip(Output.maps(distances, isPlanar: true), Output.maps(logits, isPlanar: true)).flatMap {
        [$0, $1]
      }, family: .yoloSplit, isPlanar: true),
    Encoding(
      testDescription: "three maps", outputs: Output.maps(joined).reversed(), family: .yoloSplit, labels: 3),
    Encoding(
      testDescription: "three planar maps", outputs: Output.maps(joined, isPlanar: true), family: .yoloSplit,
      isPlanar: true, labels: 3),
  ]

  @Test(arguments: pairs + lists + splits)
  func `each layout of one network gives the same boxes`(_ encoding: Encoding) throws {
    let decoder = try encoding.model.decoder()
    #expect(decoder.family == encoding.family && decoder.classCount == 3)
    let found = try decoder.decode(encoding.outputs.map(\.values), threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [2, 0])
    let truths: [(score: Float, edges: [Double])] = [(0.8, [26, 20, 46, 36]), (0.6, [60, 2, 84, 14])]
    for (one, truth) in zip(found, truths) {
      #expect(abs(one.score - truth.score) < 1e-5)
      let box = one.box.pixels(in: PixelSize(width: 96, height: 64))
      for (value, edge) in zip([box.minX, box.minY, box.maxX, box.maxY], truth.edges) {
        #expect(abs(value - edge) < 1e-3, "\(box)")
      }
    }
  }

  @Test(arguments: pairs + lists + splits)
  func `answers that are not numbers, or of another size, have no boxes`(_ encoding: Encoding) throws {
    let decoder = try encoding.model.decoder()
    let values = encoding.outputs.map(\.values)
    let changes: [[[Float]]] = [
      values.map { $0.map { _ in .nan } }, values.map { $0 + [0] }, values.map { _ in [] }, [], [[0.5]],
    ]
    for changed in changes {
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode(changed, threshold: 0.3, limit: 9)
      }
      #expect(error?.code == .invalidOutput)
    }
    let numbers: [Float] = [.infinity, -.infinity, 0, 1e38]
    for number in numbers {
      let found = try? decoder.decode(values.map { $0.map { _ in number } }, threshold: 0, limit: 9)
      for detection in found ?? [] {
        let box = detection.box
        #expect((box.minX + box.minY + box.maxX + box.maxY).isFinite && detection.score <= 1)
      }
    }
  }

  @Test func `rows with equal scores keep their order`() throws {
    var rows = Self.rows
    rows[40].scores = [0.1, 0.7, 0.7]
    rows[100].scores = [0.7, 0.1, 0.1]
    let joined = rows.map { $0.center + $0.scores }
    let tied: [[Output]] = [
      [.list(rows.map(\.center)), .list(rows.map(\.scores))],
      [.list(rows.map(\.distances)), .list(rows.map(\.logits))],
      Output.maps(rows.map(\.distances)) + Output.maps(rows.map(\.logits)),
      [.list(joined.flatMap { [$0, $0, $0] }, isTransposed: true)],
    ]
    for (outputs, family) in zip(tied, [DetectorFamily.yoloPair, .yoloSplit, .yoloSplit, .yolov7Joined]) {
      let decoder = try Encoding(testDescription: "", outputs: outputs, family: family).model.decoder()
      #expect(decoder.family == family)
      let found = try decoder.decode(outputs.map(\.values), threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == [1, 0])
    }
  }

  @Test func `values near 0 in place of boxes near their cells are an error`() throws {
    let codes = FamilyReference.numbers(seed: 3, count: Self.cells.count * 4, -1, 1)
    let decoder = try Self.pairs[0].model.decoder()
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([codes, Self.scores.flatMap { $0 }], threshold: 0.3, limit: 9)
    }
    #expect(
      error?.message == "'m.tflite' of the family 'yolo-pair' returned boxes that are far from their cells")
  }

  struct Shape: Sendable, CustomTestStringConvertible {
    var outputs: [[Int]]
    var labels: Int?
    var asked: DetectorFamily?
    var family: DetectorFamily?
    var code = DetectionCode.unknownFamily
    var testDescription: String { "\(outputs), \(labels ?? 0) labels" }
  }

  static let maps = [[8, 12], [4, 6], [2, 3]]
  static let shapes = [
    Shape(outputs: [[1, 126, 4], [1, 126, 4]], family: .yoloPair),
    Shape(outputs: [[1, 4, 126], [1, 4, 126]], family: .yoloPair),
    Shape(outputs: [[1, 126, 4], [1, 126]], family: .yoloPair),
    Shape(outputs: [[1, 125, 4], [1, 125, 3]]),
    Shape(outputs: [[1, 126, 4], [1, 125, 3]]),
    Shape(outputs: [[1, 126, 5], [1, 126, 3]]),
    Shape(outputs: [[1, 126, 4], [1, 126, 3], [1, 126, 1]]),
    Shape(outputs: [[1, 126, 4], [1, 126, 32]], code: .ambiguousFamily),
    Shape(outputs: [[1, 126, 64], [1, 126, 64]], code: .ambiguousModel),
    Shape(outputs: [[1, 126, 64], [1, 126, 32]], code: .ambiguousFamily),
    Shape(outputs: maps.flatMap { [[1] + $0 + [64], [1] + $0 + [64]] }, code: .ambiguousModel),
    Shape(outputs: maps.map { [1] + $0 + [67] }, code: .ambiguousFamily),
    Shape(outputs: maps.map { [1] + $0 + [67] }, labels: 3, family: .yoloSplit),
    Shape(outputs: maps.map { [1, 67] + $0 }, code: .ambiguousFamily),
    Shape(outputs: maps.map { [1] + $0 + [67] }, asked: .yoloSplit, family: .yoloSplit),
    Shape(outputs: maps.map { [1] + $0 + [67] }, labels: 2),
    Shape(outputs: maps.map { [1] + $0 + [144] }, code: .ambiguousFamily),
    Shape(outputs: maps.map { [1] + $0 + [144] }, labels: 80, family: .yoloSplit),
    Shape(outputs: maps.map { [1] + $0 + [144] }, labels: 43),
    Shape(outputs: maps.map { [1] + $0 + [144] }, asked: .yoloSplit, family: .yoloSplit),
    Shape(outputs: maps.map { [1] + $0 + [255] }),
    Shape(outputs: maps.map { [1] + $0 + [255] }, labels: 80),
    Shape(outputs: maps.map { [1] + $0 + [255] }, labels: 191, family: .yoloSplit),
    Shape(outputs: [[8, 12], [4, 6], [2, 2]].map { [1] + $0 + [144] }),
    Shape(outputs: maps.map { [1] + $0 + [64] }, labels: 0),
    Shape(outputs: [[1, 7, 378]], family: .yolov7Joined),
    Shape(outputs: [[1, 378, 7]], family: .yolov5),
    Shape(outputs: [[1, 378, 7]], asked: .yolov7Joined, family: .yolov7Joined),
    Shape(outputs: [[1, 4, 378]]),
    // 126 cells or 126 numbers, 378 rows or 378 numbers.
    Shape(outputs: [[1, 126, 378]], code: .ambiguousFamily),
    Shape(outputs: [[1, 126, 378]], labels: 122, family: .yolov7Joined),
    Shape(outputs: [[1, 300, 4], [1, 300, 91]], family: .detr),
    Shape(outputs: [[1, 100, 92], [1, 100, 4]], family: .detrSoftmax),
    Shape(outputs: [[1, 300, 80], [1, 300, 4]], family: .detr),
    Shape(outputs: [[1, 300, 81], [1, 300, 4]], family: .detrSoftmax),
    Shape(outputs: [[1, 300, 1], [1, 300, 4]], family: .detr),
    Shape(outputs: [[1, 300, 6], [1, 300, 4]], code: .ambiguousFamily),
    Shape(outputs: [[1, 300, 6], [1, 300, 4]], labels: 6, family: .detr),
    Shape(outputs: [[1, 300, 6], [1, 300, 4]], labels: 5, family: .detrSoftmax),
    Shape(outputs: [[1, 300, 6], [1, 300, 4]], asked: .detrSoftmax, family: .detrSoftmax),
    Shape(outputs: [[1, 299, 6], [1, 299, 4]]),
    Shape(outputs: [[1, 299, 6], [1, 299, 4]], asked: .detr, family: .detr),
    Shape(outputs: [[1, 1001, 6], [1, 1001, 4]], asked: .detr, code: .familyMismatch),
    Shape(outputs: [[1, 0, 4], [1, 0, 3]]),
    Shape(outputs: [[1, .max, 4], [1, .max, 64]]),
    Shape(outputs: [[1, 64, .max], [1, .max, .max]]),
    Shape(outputs: [[-1, 126, 4], [1, 126, -3]]),
  ]

  @Test(arguments: shapes)
  func `shapes and labels show the layout, or an error names what decides`(_ test: Shape) throws {
    var model = FamilyReference.model(input: [1, 64, 96, 3], test.outputs)
    model.labelCount = test.labels
    guard let family = test.family else {
      let error = #expect(throws: DetectionError.self) { try model.decoder(family: test.asked) }
      #expect(error?.code == test.code, "\(error?.message ?? "")")
      return
    }
    #expect(try model.decoder(family: test.asked).family == family)
    #expect(try model.decoder(family: family).family == family)
  }

  static let undecoded = [
    (144, "80 classes, or yolov5 with 43 classes before its last layer"),
    (65, "1 class, or the feature maps of another model"),
    (66, "2 classes, or yolov5 with 17 classes before its last layer"),
    (256, "192 classes, or the feature maps of another model"),
  ]

  @Test(arguments: undecoded)
  func `maps without labels are an error with both readings`(_ columns: Int, _ readings: String) {
    let model = FamilyReference.model(
      input: [1, 64, 96, 3], Self.maps.map { [1] + $0 + [columns] })
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(
      error?.message == "'m.tflite' can be yolo-split with \(readings). It has \(model.tensorList)")
    #expect(
      error?.remedy.description
        == "Name the family, yolo-split (Options.family), or give the label file: its number of lines decides;"
        + " if the last layer is missing, export the model with it")
  }

  @Test func `an error names both readings of queries`() {
    let error = #expect(throws: DetectionError.self) {
      try FamilyReference.model(input: [1, 64, 96, 3], [[1, 300, 4], [1, 300, 6]]).decoder()
    }
    #expect(
      error?.message.hasPrefix(
        "'m.tflite' can be of several families: detr or rt-detr with 6 classes, or detr-softmax with 5 classes. It has "
      )
        == true)
    #expect(
      error?.remedy
        == "Name the family, detr or rt-detr or detr-softmax (Options.family), or give the label file: its number of lines decides"
    )
  }
}
