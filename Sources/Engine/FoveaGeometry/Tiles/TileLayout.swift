// SPDX-License-Identifier: Apache-2.0

/// Overlapping tiles that show an image to a detector at several scales: first the whole, then increasingly
/// fine grids.
///
/// The tiles of one grid have equal size and are evenly spread, so mirroring or rotating the image does the
/// same to the grid. Each grid's tiles are half as long as those of the grid before it: an object that is too
/// large for the overlap of one grid is whole in a tile of the next coarser one.
///
/// **Source:** tiles and the whole image: Akyon et al., "Slicing Aided Hyper Inference", 2022; the grids
/// between them: Adelson et al., "Pyramid methods in image processing", 1984.
package struct TileLayout: Sendable, Hashable {
  /// The part of the image that the tiles cover, in pixels.
  package let region: BoundingBox
  /// The tiles in pixels: `region` first, then the grids from coarse to fine, each in rows from the top.
  ///
  /// Only `region` if it is no larger than a tile.
  package let tiles: [BoundingBox]

  /// The largest overlap allowed; each step beyond it would multiply the tiles without benefit.
  package static let maximumOverlap = 0.75

  // A coarser grid whose tile is longer than this part of the region adds little to the whole region.
  private static let largestShare = 1 / 1.5

  /// Creates the layout that shows a region once, whole.
  /// - Parameter region: The region, in pixels.
  package init(region: BoundingBox) {
    self.region = region
    tiles = [region]
  }

  /// Creates the layout of tiles over a region.
  /// - Parameters:
  ///   - region: The region to cover, in pixels.
  ///   - tileWidth: The width of the finest tiles in pixels; below 1 counts as 1. Smaller tiles show small
  ///     objects larger, but there are more of them.
  ///   - tileHeight: Their height in pixels; below 1 counts as 1.
  ///   - overlap: The minimum part of a tile's side that its neighbour also shows, 0…`maximumOverlap`; values
  ///     beyond are clamped. An object up to this size is always whole in a tile; a larger overlap needs more
  ///     tiles.
  package init(region: BoundingBox, tileWidth: Double, tileHeight: Double, overlap: Double) {
    self.region = region
    var tiles = [region]
    for grid in Self.grids(region, tileWidth, tileHeight, overlap).reversed() {
      for row in 0..<grid.rows.count {
        for column in 0..<grid.columns.count {
          tiles.append(
            BoundingBox(
              minX: grid.columns.start(column), minY: grid.rows.start(row), maxX: grid.columns.end(column),
              maxY: grid.rows.end(row)))
        }
      }
    }
    self.tiles = tiles
  }

  /// Returns the number of tiles of a layout, including the whole region; `Int.max` if it overflows.
  /// - Parameters:
  ///   - region: The region to cover, in pixels.
  ///   - tileWidth: The width of the finest tiles in pixels.
  ///   - tileHeight: Their height in pixels.
  ///   - overlap: The overlap of the layout.
  /// - Returns: The number, 1 or more.
  package static func count(
    region: BoundingBox, tileWidth: Double, tileHeight: Double, overlap: Double
  ) -> Int {
    grids(region, tileWidth, tileHeight, overlap).reduce(1) { sum, grid in
      let (product, overflow) = grid.rows.count.multipliedReportingOverflow(by: grid.columns.count)
      let (total, carry) = sum.addingReportingOverflow(product)
      return overflow || carry ? .max : total
    }
  }

  /// One row or column of tiles along an axis.
  private struct Axis {
    private let first: Double
    private let last: Double
    private let length: Double
    let count: Int

    init(from start: Double, to end: Double, tile: Double, overlap: Double) {
      first = start
      last = end
      let side = end - start
      length = min(tile, side)
      // The tolerance prevents rounding from adding a tile if they fit exactly.
      let steps = ((side - length) / (length * (1 - overlap)) - 1e-9).rounded(.up)
      count = steps < Double(Int32.max) ? 1 + max(0, Int(steps)) : Int(Int32.max)
    }

    func start(_ index: Int) -> Double {
      count > 1 ? first + (last - first - length) * Double(index) / Double(count - 1) : first
    }

    /// Returns the end of a tile; the last one ends exactly with the region, because an inner edge counts as
    /// a border.
    func end(_ index: Int) -> Double { index == count - 1 ? last : start(index) + length }
  }

  private struct Grid {
    var columns: Axis
    var rows: Axis
  }

  /// Returns the grids from fine to coarse, without the whole region.
  private static func grids(_ region: BoundingBox, _ width: Double, _ height: Double, _ overlap: Double)
    -> [Grid]
  {
    guard !region.isEmpty, region.width.isFinite, region.height.isFinite, !width.isNaN, !height.isNaN else {
      return []
    }
    let overlap = overlap.isNaN ? 0 : min(max(overlap, 0), maximumOverlap)
    var width = max(width, 1)
    var height = max(height, 1)
    var grids: [Grid] = []
    while width < region.width || height < region.height {
      let isSmall = width <= region.width * largestShare || height <= region.height * largestShare
      guard grids.isEmpty || isSmall else { break }
      grids.append(
        Grid(
          columns: Axis(from: region.minX, to: region.maxX, tile: width, overlap: overlap),
          rows: Axis(from: region.minY, to: region.maxY, tile: height, overlap: overlap)))
      width *= 2
      height *= 2
    }
    return grids
  }
}
