// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Maps of classes, from the tensors to the cells.
@Suite struct MapHeadTests {
  static func signature(
    _ shape: [Int], type: ElementType = .float32, quantization: Quantization = .none,
    image: [Int] = [1, 64, 64, 3]
  ) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .float32, shape: image)],
      outputs: [
        TensorDescription(name: "map", elementType: type, shape: shape, quantization: quantization)
      ])
  }

  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var shape: [Int]
    var type = ElementType.float32
    var quantization = Quantization.none
    var image = [1, 64, 64, 3]
    var end: OutputActivation?
    var labels: Int?
    var task: String?
    /// The name of the family; nil for a model that is not recognised.
    var family: String?
    /// Columns, rows and channels.
    var layout: [Int] = []
  }

  @Test(arguments: [
    Shape(
      testDescription: "DeepLab", shape: [1, 64, 64, 21], family: "map", layout: [64, 64, 21]),
    Shape(
      testDescription: "DeepLab, a quarter", shape: [1, 16, 16, 19], family: "map", layout: [16, 16, 19]),
    Shape(testDescription: "an eighth, as a detector's features", shape: [1, 8, 8, 19]),
    Shape(
      testDescription: "planes", shape: [1, 19, 64, 64], image: [1, 3, 64, 64], family: "map",
      layout: [64, 64, 19]),
    Shape(
      testDescription: "planes of a wide image", shape: [1, 19, 32, 64], image: [1, 3, 32, 64], family: "map",
      layout: [64, 32, 19]),
    Shape(
      testDescription: "YOLO's planes", shape: [1, 19, 64, 64], image: [1, 3, 64, 64], task: "semantic",
      family: "yolo-sem", layout: [64, 64, 19]),
    Shape(testDescription: "other proportions", shape: [1, 64, 32, 19]),
    Shape(
      testDescription: "class numbers", shape: [1, 64, 64], type: .int64, family: "class-map",
      layout: [64, 64, 1]),
    Shape(
      testDescription: "class numbers in bytes", shape: [1, 64, 64, 1], type: .uint8, family: "class-map",
      layout: [64, 64, 1]),
    Shape(
      testDescription: "a selfie", shape: [1, 64, 64, 1], end: .sigmoid, family: "mask", layout: [64, 64, 1]),
    Shape(
      testDescription: "a mask in planes", shape: [1, 1, 64, 64], end: .sigmoid, family: "mask",
      layout: [64, 64, 1]),
    Shape(
      testDescription: "a mask of bytes", shape: [1, 64, 64, 1], type: .uint8,
      quantization: .perTensor(scale: 1 / 256, zeroPoint: 0), end: .other, family: "mask",
      layout: [64, 64, 1]),
    Shape(
      testDescription: "a depth of bytes", shape: [1, 64, 64, 1], type: .uint8,
      quantization: .perTensor(scale: 0.1, zeroPoint: 0), end: .linear),
    Shape(testDescription: "a depth", shape: [1, 64, 64, 1], end: .linear),
    Shape(
      testDescription: "Meet", shape: [1, 64, 64, 2], end: .linear, family: "two-class-map",
      layout: [64, 64, 2]),
    Shape(testDescription: "an image", shape: [1, 64, 64, 3], end: .other),
    Shape(
      testDescription: "three labelled classes", shape: [1, 64, 64, 3], labels: 3, family: "map",
      layout: [64, 64, 3]),
    Shape(
      testDescription: "three classes with a softmax", shape: [1, 64, 64, 3], end: .softmax, family: "map",
      layout: [64, 64, 3]),
    Shape(testDescription: "21 small maps", shape: [1, 32, 32, 21]),
    Shape(
      testDescription: "21 labelled small maps", shape: [1, 32, 32, 21], labels: 21, family: "map",
      layout: [32, 32, 21]),
    Shape(
      testDescription: "255 classes", shape: [1, 64, 64, 255], family: "map", layout: [64, 64, 255]),
    Shape(testDescription: "256 classes", shape: [1, 64, 64, 256]),
    Shape(testDescription: "too many cells", shape: [1, 8192, 4096, 2], image: [1, 8192, 4096, 3]),
    Shape(testDescription: "too many numbers", shape: [1, 4096, 4096, 9], image: [1, 4096, 4096, 3]),
    Shape(
      testDescription: "the largest sides", shape: [1, 1 << 30, 1 << 30, 2],
      image: [1, 1 << 30, 1 << 30, 3]),
    Shape(testDescription: "no cells", shape: [1, 0, 0, 5]),
    Shape(testDescription: "open sides", shape: [1, -1, -1, 5]),
    Shape(testDescription: "two images", shape: [2, 64, 64, 5]),
  ])
  func `tensors show the family and the order of a map`(_ row: Shape) {
    let head = MapHead(
      of: Self.signature(row.shape, type: row.type, quantization: row.quantization, image: row.image),
      ends: row.end.map { ["map": $0] } ?? [:], labelCount: row.labels, task: row.task)
    #expect(head?.family.name == row.family)
    #expect(head.map { [$0.layout.columns, $0.layout.rows, $0.layout.channels] } ?? [] == row.layout)
  }

  struct Asked: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var family = MapFamily.map
    var shape: [Int]
    var type = ElementType.float32
    var image = [1, 64, 64, 3]
    /// Columns, rows and channels; none if the model is refused.
    var layout: [Int] = []
    var isTooLarge = false
  }

  @Test(arguments: [
    Asked(testDescription: "3 classes", shape: [1, 64, 64, 3], layout: [64, 64, 3]),
    Asked(testDescription: "255 classes", shape: [1, 64, 64, 255], layout: [64, 64, 255]),
    Asked(testDescription: "256 classes", shape: [1, 64, 64, 256], isTooLarge: true),
    Asked(
      testDescription: "300 classes, which could be a row", shape: [1, 32, 32, 300], isTooLarge: true),
    Asked(testDescription: "300 classes of a small map", shape: [1, 8, 8, 300], isTooLarge: true),
    Asked(
      testDescription: "300 planes", shape: [1, 300, 64, 64], image: [1, 3, 64, 64], isTooLarge: true),
    Asked(testDescription: "300 planes of cells", shape: [1, 300, 64, 64], isTooLarge: true),
    Asked(testDescription: "planes of another order", shape: [1, 19, 64, 64], layout: [64, 64, 19]),
    Asked(
      testDescription: "too many cells", shape: [1, 4200, 4200, 4], image: [1, 4200, 4200, 3],
      isTooLarge: true),
    Asked(
      testDescription: "too many class numbers", family: .classMap, shape: [1, 8192, 4096], type: .int32,
      image: [1, 8192, 4096, 3], isTooLarge: true),
    Asked(testDescription: "300 classes as a mask", family: .mask, shape: [1, 64, 64, 300]),
    Asked(testDescription: "class numbers as scores", shape: [1, 64, 64, 300], type: .int32),
    Asked(testDescription: "two channels", shape: [1, 64, 64, 2]),
  ])
  func `a family that the caller names takes no map beyond the limits`(_ row: Asked) {
    let head: MapHead?
    let failure: DetectionError?
    do throws(DetectionError) {
      head = try MapHead(
        asked: row.family, modelName: "m",
        signature: Self.signature(row.shape, type: row.type, image: row.image), ends: [:])
      failure = nil
    } catch {
      (head, failure) = (nil, error)
    }
    #expect(head.map { [$0.layout.columns, $0.layout.rows, $0.layout.channels] } ?? [] == row.layout)
    #expect(failure.map { $0.code == .familyMismatch } != false)
    #expect(
      failure?.message.contains("which is too large: \(MapLayout.limits)")
        == (row.layout.isEmpty ? row.isTooLarge : nil))
  }

  @Test func `each family has its name and aliases`() {
    for family in MapFamily.all {
      #expect(MapFamily(name: family.name) == family && family.description == family.name)
      for alias in family.aliases { #expect(MapFamily(name: alias) == family) }
    }
    #expect(Set(MapFamily.all.flatMap { [$0.name] + $0.aliases }).count == 10)
    #expect(MapFamily(name: "midas") == nil)
  }

  /// The head of a map of one row of 16 cells, the family named.
  static func head(
    _ family: MapFamily, channels: Int, planar: Bool = false, type: ElementType = .float32,
    end: OutputActivation? = nil
  ) throws -> MapHead {
    try MapHead(
      asked: family, modelName: "m",
      signature: signature(
        planar ? [1, channels, 1, 16] : [1, 1, 16, channels], type: type,
        image: planar ? [1, 3, 64, 64] : [1, 64, 64, 3]),
      ends: end.map { ["map": $0] } ?? [:])
  }

  @Test func `the first of equal scores wins, and planes give the same as cells`() throws {
    let rows: [[Float]] = (0..<16).map { cell in
      switch cell {
      case 0: [1, 1, 1]
      case 1: [0, 20, 0]
      case 2: [-1e30, -1e30, 1e30]
      default: [Float(cell), Float(cell), Float(cell) + 1]
      }
    }
    let cells = try Self.head(.map, channels: 3).cells(rows.flatMap(\.self), modelName: "m")
    #expect(cells.classes == [0, 1] + [UInt8](repeating: 2, count: 14))
    // 1 ÷ 3, nearly 1, 1, and e ÷ (e + 2).
    #expect(Array(cells.confidences.prefix(4)) == [85, 255, 255, 147])
    let planes = (0..<3).flatMap { channel in rows.map { $0[channel] } }
    #expect(try Self.head(.map, channels: 3, planar: true).cells(planes, modelName: "m") == cells)
  }

  @Test(arguments: [false, true])
  func `probabilities are not changed, whether the graph shows them or the values`(_ isShown: Bool) throws {
    let values: [Float] = (0..<16).flatMap { _ -> [Float] in [0.25, 0.5, 0.25] }
    let head = try Self.head(.map, channels: 3, end: isShown ? .softmax : .other)
    let cells = try head.cells(values, modelName: "m")
    #expect(cells.classes == [UInt8](repeating: 1, count: 16))
    #expect(cells.confidences == [UInt8](repeating: 128, count: 16))
  }

  @Test func `a foreground is more probable than half`() throws {
    let values: [Float] = [0, 0.5, 0.500001, 1, -0.01, 1.01] + [Float](repeating: 0.25, count: 10)
    let cells = try Self.head(.mask, channels: 1, end: .sigmoid).cells(values, modelName: "m")
    #expect(Array(cells.classes.prefix(7)) == [0, 0, 1, 1, 0, 1, 0])
    #expect(Array(cells.confidences.prefix(7)) == [255, 128, 128, 255, 255, 255, 191])
    let logits = try Self.head(.mask, channels: 1, end: .linear)
    let cellsOfLogits = try logits.cells([-100, 100, 0] + [Float](repeating: 2, count: 13), modelName: "m")
    #expect(Array(cellsOfLogits.classes.prefix(4)) == [0, 1, 0, 1])
    #expect(Array(cellsOfLogits.confidences.prefix(4)) == [255, 255, 128, 225])
  }

  @Test(
    arguments: [
      (MapFamily.mask, Float.nan, "nan as number 3 of its map"),
      (.mask, -Float.nan, "nan as number 3 of its map"),
      (.mask, .infinity, "inf as number 3 of its map"),
      (.mask, 1.5, "1.5 as the probability of the foreground, expected 0 to 1"),
      (.mask, -0.5, "-0.5 as the probability of the foreground, expected 0 to 1"),
      (.classMap, 256, "256.0 as the class of a cell; classes are 0 to 255"),
      (.classMap, -1, "-1.0 as the class of a cell; classes are 0 to 255"),
    ] as [(MapFamily, Float, String)])
  func `numbers out of range are an error`(_ family: MapFamily, _ value: Float, _ what: String) throws {
    let type: ElementType = family == .classMap ? .int32 : .float32
    let head = try Self.head(family, channels: 1, type: type, end: .sigmoid)
    var values = [Float](repeating: 0, count: 16)
    values[3] = value
    let error = #expect(throws: DetectionError.self) { try head.cells(values, modelName: "m") }
    #expect(error?.code == .invalidOutput && error?.message == "'m' returned \(what)")
  }

  @Test func `class numbers are kept, 255 as no class`() throws {
    let values: [Float] = (0..<15).map(Float.init) + [255]
    let cells = try Self.head(.classMap, channels: 1, type: .int64).cells(values, modelName: "m")
    #expect(cells.classes == (0..<15) + [255] && cells.confidences.isEmpty)
  }
}
