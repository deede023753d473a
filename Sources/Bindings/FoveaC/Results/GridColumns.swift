// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry

/// The columns that masks of objects and maps of images share: the cells of each grid, and its place.
struct GridColumns {
  private(set) var offsets: [Int64] = [0]
  private(set) var sizes: [Int32] = []
  private(set) var places: [Double] = []

  /// Adds a grid.
  /// - Parameters:
  ///   - cells: The number of cells of all grids, this one included.
  ///   - columns: The number of cells in a row.
  ///   - rows: The number of rows.
  ///   - bounds: The part of the image that the grid applies to.
  ///   - region: The region of the cells.
  mutating func add(cells: Int, columns: Int, rows: Int, bounds: BoundingBox, region: BoundingBox) {
    offsets.append(Int64(cells))
    sizes += [Int32(clamping: columns), Int32(clamping: rows)]
    for box in [bounds, region] { places += [box.minX, box.minY, box.maxX, box.maxY] }
  }

  /// Adds an object or image without a grid.
  mutating func addNone() {
    offsets.append(offsets.last ?? 0)
    sizes += [0, 0]
    places += repeatElement(.nan, count: 8)
  }
}

/// The columns of the masks of a result's objects.
struct MaskColumns {
  /// True if no object has a mask.
  private(set) var isEmpty = true
  private(set) var grids = GridColumns()
  private(set) var cells: [UInt8] = []

  /// Adds the mask of the next object; nil if it has none.
  mutating func add(_ mask: ObjectMask?) {
    guard let mask else { return grids.addNone() }
    isEmpty = false
    cells += mask.cells
    grids.add(
      cells: cells.count, columns: mask.columns, rows: mask.rows, bounds: mask.bounds, region: mask.region)
  }
}

/// The columns of the maps of a result's images.
struct MapColumns {
  /// True if the model outputs more than class numbers.
  private(set) var hasConfidences = false
  private(set) var grids = GridColumns()
  private(set) var classes: [UInt8] = []
  private(set) var confidences: [UInt8] = []

  /// Adds the map of the next image; nil if it failed.
  mutating func add(_ map: SegmentationMap?) {
    guard let map else { return grids.addNone() }
    hasConfidences = hasConfidences || !map.confidences.isEmpty
    classes += map.classes
    confidences += map.confidences
    grids.add(
      cells: classes.count, columns: map.width, rows: map.height, bounds: map.bounds, region: map.region)
  }
}
