// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct TileLayoutTests {
  struct CountCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var width: Double
    var height: Double
    var tile = 300.0
    var overlap = 0.25
    /// Tiles of each grid from coarse to fine.
    var grids: [Int]
  }

  static let cases = [
    CountCase(testDescription: "smaller than a tile", width: 200, height: 100, grids: []),
    CountCase(testDescription: "as large as a tile", width: 300, height: 300, grids: []),
    CountCase(testDescription: "one pixel", width: 1, height: 1, tile: 1, grids: []),
    CountCase(testDescription: "a pixel more than a tile", width: 301, height: 300, grids: [2]),
    CountCase(testDescription: "0.3 megapixels", width: 640, height: 480, grids: [6]),
    CountCase(testDescription: "tiles that fit exactly", width: 900, height: 300, overlap: 0, grids: [2, 3]),
    CountCase(testDescription: "a quarter more each", width: 525, height: 300, grids: [2]),
    CountCase(testDescription: "12 megapixels", width: 4032, height: 3024, grids: [4, 20, 63, 252]),
    CountCase(testDescription: "a long strip", width: 10_000, height: 10, grids: [3, 6, 11, 22, 45]),
    CountCase(
      testDescription: "a tile below one pixel", width: 4, height: 1, tile: 0, overlap: 0, grids: [2, 4]),
    CountCase(testDescription: "an endless overlap", width: 600, height: 300, overlap: 9, grids: [5]),
    CountCase(
      testDescription: "an overlap that is not a number", width: 600, height: 300, overlap: .nan, grids: [2]),
    CountCase(testDescription: "a tile that is not a number", width: 600, height: 300, tile: .nan, grids: []),
    CountCase(testDescription: "a region that is not a number", width: .nan, height: 300, grids: []),
    CountCase(testDescription: "an endless region", width: .infinity, height: 300, grids: []),
    CountCase(testDescription: "nothing", width: 0, height: 0, grids: []),
  ]

  @Test(arguments: cases)
  func `the whole image comes first, then grids from coarse to fine`(_ value: CountCase) {
    let region = BoundingBox(x: 7, y: 5, width: value.width, height: value.height)
    let layout = TileLayout(
      region: region, tileWidth: value.tile, tileHeight: value.tile, overlap: value.overlap)
    var sizes: [Double] = []
    var counts: [Int] = []
    for tile in layout.tiles.dropFirst() {
      // Edges are rounded to double precision.
      let width = (tile.width * 1e6).rounded()
      if sizes.last != width {
        sizes.append(width)
        counts.append(0)
      }
      counts[counts.count - 1] += 1
    }
    #expect(counts == value.grids)
    #expect(sizes == sizes.sorted(by: >))
    let count = TileLayout.count(
      region: region, tileWidth: value.tile, tileHeight: value.tile, overlap: value.overlap)
    #expect(count == layout.tiles.count)
    #expect(layout.tiles.count == 1 + value.grids.reduce(0, +))
    if !value.width.isNaN { #expect(layout.tiles[0] == region) }
  }

  @Test func `every grid covers the region with equal tiles and at least the overlap`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let region = BoundingBox(
        x: random.number(-50...50), y: random.number(-50...50), width: random.number(1...3000),
        height: random.number(1...3000))
      let overlap = random.number(0...0.75)
      let layout = TileLayout(
        region: region, tileWidth: random.number(50...800), tileHeight: random.number(50...800),
        overlap: overlap)
      var grids: [[BoundingBox]] = []
      for tile in layout.tiles.dropFirst() {
        if let last = grids.last?.last, abs(last.width - tile.width) < 1e-6,
          abs(last.height - tile.height) < 1e-6
        {
          grids[grids.count - 1].append(tile)
        } else {
          grids.append([tile])
        }
      }
      for grid in grids {
        let columns = Set(grid.map(\.minX)).sorted()
        let rows = Set(grid.map(\.minY)).sorted()
        #expect(columns.count * rows.count == grid.count)
        #expect(grid.map(\.maxX).max() == region.maxX && grid.map(\.maxY).max() == region.maxY)
        check(columns, side: grid[0].width, from: region.minX, to: region.maxX, overlap)
        check(rows, side: grid[0].height, from: region.minY, to: region.maxY, overlap)
      }
    }
  }

  private func check(
    _ starts: [Double], side: Double, from start: Double, to end: Double, _ overlap: Double
  ) {
    #expect(abs((starts.first ?? .nan) - start) < 1e-6)
    #expect(abs((starts.last ?? .nan) + side - end) < 1e-6)
    for (left, right) in zip(starts, starts.dropFirst()) {
      #expect(left + side - right >= overlap * side - 1e-6)
    }
  }

  @Test func `a count that does not fit is the largest number`() {
    let region = BoundingBox(x: 0, y: 0, width: 1e30, height: 1e30)
    #expect(TileLayout.count(region: region, tileWidth: 1, tileHeight: 1, overlap: 0) == .max)
  }
}
