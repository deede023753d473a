// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import Testing

@Suite struct MaskPrototypesTests {
  static let size = PixelSize(width: 6, height: 5)
  static let region = BoundingBox(x: -3, y: 2, width: 60, height: 40)

  static func value(_ column: Int, _ row: Int, _ index: Int) -> Float {
    Float(sin(Double(column * 7 + row * 3 + index * 11))) * 2
  }

  static func prototypes(_ layout: MaskPrototypes.Layout, count: Int) throws -> MaskPrototypes {
    var values = [Float](repeating: 0, count: size.area * count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        for index in 0..<count {
          let place =
            layout == .channelsLast
            ? (row * size.width + column) * count + index : (index * size.height + row) * size.width + column
          values[place] = value(column, row, index)
        }
      }
    }
    return try MaskPrototypes(values: values, size: size, layout: layout, region: region)
  }

  /// Returns the probability of a cell by the formula.
  static func expected(_ coefficients: [Float], _ column: Int, _ row: Int) -> Double {
    let sum = coefficients.indices.reduce(0.0) {
      $0 + Double(coefficients[$1]) * Double(value(column, row, $1))
    }
    return 255 / (1 + exp(-sum))
  }

  @Test(arguments: [MaskPrototypes.Layout.channelsLast, .channelsFirst], [1, 7, 8, 19, 32])
  func `cells are sigmoids of weighted sums`(_ layout: MaskPrototypes.Layout, _ count: Int) throws {
    let prototypes = try Self.prototypes(layout, count: count)
    #expect(prototypes.count == count)
    let coefficients = (0..<count).map { Float(cos(Double($0))) }
    let mask = try prototypes.mask(coefficients: coefficients, box: Self.region)
    #expect(mask.columns == 6 && mask.rows == 5)
    #expect(mask.region == Self.region && mask.bounds == Self.region)
    for row in 0..<5 {
      for column in 0..<6 {
        let expected = Self.expected(coefficients, column, row)
        // Half a byte of rounding, and steps of 1/64.
        #expect(abs(Double(mask.cells[row * 6 + column]) - expected) < 1.01)
      }
    }
  }

  struct BoxCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var box: BoundingBox
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
  }

  static let boxes = [
    BoxCase(
      testDescription: "in the middle", box: BoundingBox(minX: 14, minY: 15, maxX: 30, maxY: 21),
      columns: 1...3,
      rows: 1...2),
    BoxCase(
      testDescription: "within one cell", box: BoundingBox(minX: 13, minY: 15, maxX: 14, maxY: 16),
      columns: 1...2,
      rows: 1...2),
    BoxCase(
      testDescription: "beyond all sides", box: BoundingBox(x: -500, y: -500, width: 9e9, height: 9e9),
      columns: 0...5, rows: 0...4),
    BoxCase(
      testDescription: "at the left and lower edge",
      box: BoundingBox(minX: -9, minY: 41.5, maxX: -2.5, maxY: 99),
      columns: 0...0, rows: 4...4),
  ]

  @Test(arguments: boxes, [MaskPrototypes.Layout.channelsLast, .channelsFirst])
  func `only cells around the box are computed`(_ test: BoxCase, _ layout: MaskPrototypes.Layout) throws {
    let prototypes = try Self.prototypes(layout, count: 8)
    let coefficients = (0..<8).map { Float($0) / 4 - 1 }
    let whole = try prototypes.mask(coefficients: coefficients, box: Self.region)
    let mask = try prototypes.mask(coefficients: coefficients, box: test.box)
    #expect(mask.columns == test.columns.count && mask.rows == test.rows.count)
    #expect(mask.bounds == test.box.intersection(Self.region))
    #expect(mask.cells == test.rows.flatMap { row in test.columns.map { whole.cells[row * 6 + $0] } })
    for x in stride(from: -4.0, to: 60, by: 0.7) {
      let point = PixelPoint(x: x, y: x * 0.6 + 2)
      guard mask.probability(at: point) > 0 else { continue }
      #expect(abs(mask.probability(at: point) - whole.probability(at: point)) < 1e-5)
    }
  }

  @Test(arguments: [
    BoundingBox(x: 100, y: 0, width: 5, height: 50), BoundingBox(x: 0, y: 0, width: 0, height: 50),
    BoundingBox(minX: .nan, minY: 0, maxX: 5, maxY: 5), BoundingBox(minX: 0, minY: 0, maxX: 5, maxY: .nan),
    BoundingBox(minX: 9, minY: 9, maxX: 5, maxY: 50), BoundingBox(x: -1e300, y: 0, width: 1, height: 50),
    BoundingBox(minX: .infinity, minY: 0, maxX: .infinity, maxY: 5),
  ])
  func `a box without a part of the image has a mask that covers nothing`(_ box: BoundingBox) throws {
    let mask = try Self.prototypes(.channelsLast, count: 8)
      .mask(coefficients: [Float](repeating: 1, count: 8), box: box)
    #expect(mask.isEmpty)
    #expect(mask.area == 0)
  }

  @Test(arguments: [MaskPrototypes.Layout.channelsLast, .channelsFirst])
  func `sums that are not numbers or are infinite become 0 or 1`(_ layout: MaskPrototypes.Layout) throws {
    let prototypes = try MaskPrototypes(
      values: [1, 1], size: PixelSize(width: 2, height: 1), layout: layout, region: Self.region)
    for (coefficient, cell) in [
      (Float.nan, UInt8(0)), (.infinity, 255), (-.infinity, 0), (.greatestFiniteMagnitude, 255), (-20, 0),
      (0, 128),
    ] {
      let mask = try prototypes.mask(coefficients: [coefficient], box: Self.region)
      #expect(mask.cells == [cell, cell], "\(coefficient)")
    }
  }

  @Test(arguments: [
    (0, 2, 2, "0 values are not mask prototypes of 2 × 2 cells"),
    (9, 2, 2, "9 values are not mask prototypes of 2 × 2 cells"),
    (8, 0, 2, "8 values are not mask prototypes of 0 × 2 cells"),
    (8, -2, -2, "8 values are not mask prototypes of -2 × -2 cells"),
    (8, .max, 2, "8 values are not mask prototypes of \(Int.max) × 2 cells"),
  ])
  func `values of another size are refused`(_ count: Int, _ width: Int, _ height: Int, _ message: String) {
    let error = #expect(throws: GeometryError.self) {
      try MaskPrototypes(
        values: [Float](repeating: 0, count: count), size: PixelSize(width: width, height: height),
        layout: .channelsLast, region: Self.region)
    }
    #expect(error?.code == .maskInvalid)
    #expect(error?.message == message)
  }

  @Test func `a region without pixels and other coefficients are refused`() throws {
    #expect(throws: GeometryError.self) {
      try MaskPrototypes(
        values: [0], size: PixelSize(width: 1, height: 1), layout: .channelsLast,
        region: BoundingBox(x: 0, y: 0, width: 0, height: 5))
    }
    let error = #expect(throws: GeometryError.self) {
      try Self.prototypes(.channelsLast, count: 8).mask(coefficients: [1, 2], box: Self.region)
    }
    #expect(error?.message == "An object has 2 mask coefficients; there are 8 prototypes")
  }
}
