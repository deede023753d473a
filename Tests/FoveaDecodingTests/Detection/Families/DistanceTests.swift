// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaDecoding

/// NanoDet and PicoDet.
@Suite struct DistanceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var levels: [Int]
    var classes = 5
    var bins = 8
    var seed: UInt32
    var testDescription: String { name }
    var width: Int { classes + 4 * bins }

    /// Rows of scores and distributions; three of four are background.
    var rows: [Float] {
      var values = FamilyReference.numbers(seed: seed, count: levels.reduce(0, +) * width, 0, 1)
      for index in values.indices {
        if index % width >= classes {
          values[index] *= 8
        } else if index / width % 4 > 0 {
          values[index] /= 8
        }
      }
      return values
    }

    /// The columns of several rows.
    func part(_ rows: Range<Int>, _ columns: Range<Int>) -> [Float] {
      let values = self.rows
      return rows.flatMap { row in columns.map { values[row * width + $0] } }
    }
  }

  // 96 × 64 pixels: 12 × 8 cells, 6 × 4, 3 × 2, and 2 × 1.
  static let three = [96, 24, 6]
  static let four = [96, 24, 6, 2]

  @Test(arguments: [
    Case(name: "nanodet", levels: three, seed: 25), Case(name: "nanodet plus", levels: four, seed: 27),
    Case(name: "nanodet 11", levels: three, classes: 80, bins: 11, seed: 29),
  ])
  func `joined rows are decoded as by NanoDet's own program`(_ test: Case) throws {
    var model = FamilyReference.model(
      input: [1, 64, 96, 3], [[1, test.levels.reduce(0, +), test.width]])
    model.labelCount = test.classes
    let decoder = try model.decoder()
    #expect(decoder.family == .nanodet && decoder.classCount == test.classes)
    try FamilyReference.expect(try decoder.decode([test.rows], threshold: 0.8, limit: 100), test.name)
  }

  /// The case as separate outputs: one per level, or all levels together.
  static func outputs(_ test: Case, perLevel: Bool) -> (shapes: [[Int]], values: [[Float]]) {
    let total = test.levels.reduce(0, +)
    var ranges: [Range<Int>] = []
    for count in perLevel ? test.levels : [total] {
      let first = ranges.last?.upperBound ?? 0
      ranges.append(first..<(first + count))
    }
    var (shapes, values): ([[Int]], [[Float]]) = ([], [])
    for columns in [0..<test.classes, test.classes..<test.width] {
      for rows in ranges {
        shapes.append([1, rows.count, columns.count])
        values.append(test.part(rows, columns))
      }
    }
    return (shapes, values)
  }

  @Test(arguments: [false, true])
  func `PicoDet's levels are found in any order`(_ isReversed: Bool) throws {
    let test = Case(name: "picodet", levels: Self.four, seed: 27)
    var (shapes, values) = Self.outputs(test, perLevel: true)
    if isReversed {
      shapes.reverse()
      values.reverse()
    }
    let decoder = try FamilyReference.model(input: [1, 64, 96, 3], shapes).decoder()
    #expect(decoder.family == .picodet && decoder.classCount == 5)
    try FamilyReference.expect(try decoder.decode(values, threshold: 0.8, limit: 100), test.name)
  }

  @Test func `the first NanoDet's three levels are read as well`() throws {
    let test = Case(name: "nanodet", levels: Self.three, seed: 25)
    let (shapes, values) = Self.outputs(test, perLevel: true)
    let decoder = try FamilyReference.model(input: [1, 64, 96, 3], shapes).decoder()
    #expect(decoder.family == .nanodet)
    try FamilyReference.expect(try decoder.decode(values, threshold: 0.8, limit: 100), test.name)
  }

  @Test func `two outputs with all levels may belong to either family`() throws {
    let test = Case(name: "nanodet plus", levels: Self.four, seed: 27)
    let (shapes, values) = Self.outputs(test, perLevel: false)
    let model = FamilyReference.model(input: [1, 64, 96, 3], shapes)
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(
      error?.description
        == "'m.tflite' can be of several families: nanodet, or picodet. It has 1 input: 'image' float32 [1, 64, 96, 3]; 2"
        + " outputs: 'out0' float32 [1, 128, 5], 'out1' float32 [1, 128, 32]. Name the family, nanodet or picodet"
        + " (Options.family).")
    #expect(error?.code == .ambiguousFamily)
    for (family, name) in [(DetectorFamily.nanodet, "nanodet plus"), (.picodet, "picodet")] {
      let decoder = try model.decoder(family: family)
      try FamilyReference.expect(try decoder.decode(values, threshold: 0.8, limit: 100), name)
    }
  }

  @Test func `a joined output that can be read in other ways needs labels or a name`() throws {
    var model = FamilyReference.model(input: [1, 64, 96, 3], [[1, 126, 37]])
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(
      error?.message.hasPrefix(
        "'m.tflite' can be of several families: yolox with 32 classes, or yolov8 with 33 classes, or nanodet with 5"
          + " classes. It has ") == true)
    #expect(
      error?.remedy
        == "Name the family, yolox or yolov8 or nanodet (Options.family), or give the label file: its number of lines decides"
    )
    #expect(try model.decoder(family: .nanodet).classCount == 5)
    model.labelCount = 5
    #expect(try model.decoder().family == .nanodet)
    // COCO's classes decide by themselves; those of YOLOX, too.
    #expect(
      try FamilyReference.model(input: [1, 320, 320, 3], [[1, 2125, 112]]).decoder().family == .nanodet)
    #expect(
      try FamilyReference.model(input: [1, 416, 416, 3], [[1, 3598, 112]]).decoder().family == .nanodet)
    #expect(try FamilyReference.model(input: [1, 320, 320, 3], [[1, 2100, 85]]).decoder().family == .yolox)
  }

  /// One class, 64 × 64 pixels, NanoDet-Plus: 85 cells.
  static func one(_ change: (inout [Float]) -> Void) throws -> [Detection] {
    let decoder = try FamilyReference.model(input: [1, 64, 64, 3], [[1, 85, 33]]).decoder(family: .nanodet)
    var values = [Float](repeating: 0, count: 85 * 33)
    change(&values)
    return try decoder.decode([values], threshold: 0.5, limit: 9)
  }

  @Test func `a flat distribution is the middle of its range, from the cell's corner`() throws {
    let found = try Self.one { $0[9 * 33] = 0.9 }
    // Cell (1, 1) of stride 8, distances of 3.5 strides.
    #expect(found.map(\.box) == [NormalizedBox(minX: -0.3125, minY: -0.3125, maxX: 0.5625, maxY: 0.5625)])
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func `a distribution that is not a number is not a box`(_ value: Float) throws {
    let found = try Self.one {
      $0[9 * 33] = 0.9
      for bin in 1..<33 { $0[9 * 33 + bin] = value }
    }
    #expect(found.isEmpty)
  }

  @Test func `logits get a sigmoid`() throws {
    let found = try Self.one { values in
      for row in 0..<85 { values[row * 33] = -8 }
      values[9 * 33] = 2
    }
    #expect(found.count == 1)
    #expect(abs((found.first?.score ?? 0) - 0.880_797) < 1e-5)
  }

  @Test func `unexplained scores, and other sizes, are errors`() throws {
    let high = #expect(throws: DetectionError.self) { try Self.one { $0[0] = 7 } }
    #expect(
      high?.message == "'m.tflite' of the family 'nanodet' returned 7.0 as a class's score; it must be 0…1")
    let none = #expect(throws: DetectionError.self) {
      try Self.one { for row in 0..<85 { $0[row * 33] = .nan } }
    }
    #expect(none?.message.hasSuffix("returned no number at all (NaN)") == true)
    let short = #expect(throws: DetectionError.self) { try Self.one { $0.removeLast() } }
    #expect(short?.message.hasSuffix("returned 2804 numbers; 85 rows of 33 are expected") == true)
  }
}
