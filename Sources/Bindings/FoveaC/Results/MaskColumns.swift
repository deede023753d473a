// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The columns of the masks of a result's objects.
struct MaskColumns {
  /// True if no object has a mask.
  private(set) var isEmpty = true
  private(set) var offsets: [Int64] = [0]
  private(set) var cells: [UInt8] = []
  private(set) var sizes: [Int32] = []
  private(set) var places: [Double] = []

  /// Adds the mask of the next object; nil if it has none.
  mutating func add(_ mask: ObjectMask?) {
    defer { offsets.append(Int64(cells.count)) }
    guard let mask else {
      sizes += [0, 0]
      places += repeatElement(.nan, count: 8)
      return
    }
    isEmpty = false
    cells += mask.cells
    sizes += [Int32(clamping: mask.columns), Int32(clamping: mask.rows)]
    for box in [mask.bounds, mask.region] { places += [box.minX, box.minY, box.maxX, box.maxY] }
  }
}
