// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore
import FoveaGeometry

/// The masks in columns of a result or of a caller.
@safe struct MaskArgument {
  // SAFETY: the columns' memory, read only during the call; offsets and sizes are checked before use.
  private let columns: fovea_columns

  /// The size of a struct up to and including its columns of masks.
  private static let minimum = 184
  /// The largest number of cells of a mask.
  private static let most = 1 << 30

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
    guard unsafe (0..<max(columns.objects, 0)).contains(object) else {
      throw .argument(
        "'object' is \(UInt(bitPattern: object)), and there are \(unsafe UInt(bitPattern: columns.objects))")
    }
    guard let places = unsafe columns.mask_places, unsafe !places[object * 8].isNaN else { return nil }
    guard let offsets = unsafe columns.mask_offsets, let sizes = unsafe columns.mask_sizes else {
      throw .argument("'mask_offsets' or 'mask_sizes' of columns is NULL")
    }
    let (start, end) = unsafe (offsets[object], offsets[object + 1])
    let (across, down) = unsafe (Int(sizes[object * 2]), Int(sizes[object * 2 + 1]))
    let (count, isTooLong) = end.subtractingReportingOverflow(start)
    guard start >= 0, !isTooLong, (0...Self.most).contains(Int(count)), across >= 0, down >= 0,
      across.multipliedReportingOverflow(by: down).partialValue == Int(count)
    else {
      throw .argument(
        "the mask of object \(object) has the cells \(start) to \(end), and \(across) × \(down) cells")
    }
    let first = unsafe columns.mask_cells
    guard unsafe count == 0 || first != nil else { throw .argument("'mask_cells' of columns is NULL") }
    let cells = unsafe UnsafeBufferPointer(start: first.map { unsafe $0 + Int(start) }, count: Int(count))
    func box(_ first: Int) -> BoundingBox {
      let edges = unsafe places + object * 8 + first
      return unsafe BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    }
    do throws(GeometryError) {
      return try ObjectMask(
        cells: unsafe Array(cells), columns: count == 0 ? 0 : across, region: box(4), bounds: box(0))
    } catch {
      throw .argument("the mask of object \(object): \(error.message)")
    }
  }
}
