// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import Testing

@Suite struct ImageShapeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var shape: [Int]
    var size: [Int]?
    var isGrey = false
    var isPlanar = false
    var testDescription: String { "\(shape)" }
  }

  static let rows = [
    Row(shape: [1, 20, 30, 3], size: [30, 20]), Row(shape: [1, 3, 20, 30], size: [30, 20], isPlanar: true),
    Row(shape: [1, 20, 30, 1], size: [30, 20], isGrey: true),
    Row(shape: [1, 1, 20, 30], size: [30, 20], isGrey: true),
    Row(shape: [1, 20, 30], size: [30, 20], isGrey: true),
    Row(shape: [1, 3, 3, 3], size: [3, 3]), Row(shape: [1, 3, 20, 1], size: [20, 3], isGrey: true),
    Row(shape: [1, -1, -1, 3], size: [-1, -1]), Row(shape: [1, 1, 1, 1], size: [1, 1], isGrey: true),
    Row(shape: [1, 20, 30, 4]), Row(shape: [2, 20, 30, 3]), Row(shape: [1, 20, 7]), Row(shape: [1, 16_000]),
    Row(shape: [1]), Row(shape: []), Row(shape: [1, 5, 20, 30, 3]), Row(shape: [1, 2, 20, 30]),
  ]

  @Test(arguments: rows) func `a shape belongs to an image or not`(_ row: Row) {
    let image = ImageShape(row.shape)
    #expect(image.map { [$0.width, $0.height] } == row.size)
    #expect(image?.isGrey ?? false == row.isGrey)
    #expect(image?.isPlanar ?? false == row.isPlanar)
    #expect(image?.isFixed ?? false == (row.size?.allSatisfy { $0 > 0 } ?? false))
  }
}
