// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore
import FoveaGeometry

/// The masks in columns of a result or of a caller.
@safe struct MaskArgument {
  // SAFETY: the columns' memory, read only during the call; `CellColumns` checks offsets and sizes.
  private let columns: fovea_columns

  /// The size of a struct up to and including its columns of masks.
  private static let minimum = 184

  init(_ columns: fovea_columns) { unsafe self.columns = unsafe columns }

  /// Reads the struct of a function's argument.
  init(_ argument: UnsafePointer<fovea_columns>?) throws(FoveaError) {
    guard let argument = unsafe argument else { throw .argument("'columns' is NULL") }
    var columns = unsafe fovea_columns()
    unsafe try CStruct.read(argument, into: &columns, minimum: Self.minimum, "columns")
    unsafe self.init(columns)
  }

  /// Returns the mask of an object by its index; nil if it has none.
  /// - Throws: `argument-invalid` if there is no such object, or its mask is damaged.
  func mask(of object: Int) throws(FoveaError) -> ObjectMask? {
    let grids = unsafe CellColumns(
      name: "mask of object", prefix: "mask", count: columns.objects, offsets: columns.mask_offsets,
      sizes: columns.mask_sizes, places: columns.mask_places)
    guard let grid = try grids.grid(at: object, "object") else { return nil }
    let cells = unsafe try grids.cells(of: grid, in: columns.mask_cells, "mask_cells")
    do throws(GeometryError) {
      return try ObjectMask(cells: cells, columns: grid.columns, region: grid.region, bounds: grid.bounds)
    } catch {
      throw .argument("the mask of object \(object): \(error.message)")
    }
  }
}
