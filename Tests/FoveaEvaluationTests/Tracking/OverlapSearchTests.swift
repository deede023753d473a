// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaEvaluation

@Suite struct OverlapSearchTests {
  /// The distribution of a long list's boxes.
  enum Spread: CaseIterable {
    case anywhere, oneColumn, oneRow, oneHugeBox, farApart, sizeZero
  }

  static func boxes(_ count: Int, _ spread: Spread, seed: UInt64) -> [BoundingBox] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let (x, y) = (random.number(-50...2000), random.number(-50...1000))
      let (width, height) = (random.number(1...60), random.number(1...120))
      return switch spread {
      case .anywhere: BoundingBox(x: x, y: y, width: width, height: height)
      case .oneColumn: BoundingBox(x: 5, y: y, width: width, height: height / 20)
      case .oneRow: BoundingBox(x: x, y: 7, width: width / 20, height: height)
      case .oneHugeBox:
        index == 3
          ? BoundingBox(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
          : BoundingBox(x: x, y: y, width: width, height: height)
      case .farApart: BoundingBox(x: x * 1e12, y: y * 1e12, width: width * 1e12, height: height * 1e12)
      case .sizeZero: BoundingBox(x: x, y: y, width: index % 3 == 0 ? 0 : width, height: height)
      }
    }
  }

  @Test(arguments: Spread.allCases)
  func `long lists have the same overlaps as all pairs of boxes`(_ spread: Spread) {
    let rows = Self.boxes(180, spread, seed: 1)
    let columns = Self.boxes(150, spread, seed: 2)
    var search = OverlapSearch()
    let isWhole = search.search(rows, columns)
    #expect(isWhole)
    var expected: [(row: Int, column: Int, similarity: Double)] = []
    for (row, box) in rows.enumerated() {
      for (column, other) in columns.enumerated() where box.iou(with: other) > 0 {
        expected.append((row, column, box.iou(with: other)))
      }
    }
    #expect(!expected.isEmpty)
    #expect(search.pairs.map { Int($0.row) } == expected.map(\.row))
    #expect(search.pairs.map { Int($0.column) } == expected.map(\.column))
    #expect(zip(search.pairs, expected).allSatisfy { abs($0.similarity - $1.similarity) < 1e-12 })
  }

  @Test func `lists without boxes have no overlaps`() {
    var search = OverlapSearch()
    let box = BoundingBox(x: 0, y: 0, width: 1, height: 1)
    for (rows, columns, count) in [([], [], 0), ([box], [], 0), ([], [box], 0), ([box], [box], 1)] {
      let isWhole = search.search(rows, columns)
      #expect(isWhole)
      #expect(search.pairs.count == count)
    }
  }
}
