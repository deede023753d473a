// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The grids of cells in columns of a result or of a caller: the masks of objects, or the maps of images.
@safe struct CellColumns {
  // SAFETY: memory of the columns, read only during the call; offsets and sizes are checked before use.
  /// The name of a grid in errors, such as "mask of object".
  let name: String
  /// The prefix of the columns in errors, such as "mask".
  let prefix: String
  /// The number of grids.
  let count: Int
  let offsets: UnsafePointer<Int64>?
  let sizes: UnsafePointer<Int32>?
  let places: UnsafePointer<Double>?

  /// The largest number of cells of a grid.
  private static let most = 1 << 30

  /// The place of one grid.
  struct Grid {
    /// The cells in the columns.
    let cells: Range<Int>
    /// The number of cells in a row.
    let columns: Int
    let region: BoundingBox
    let bounds: BoundingBox
  }

  /// Returns the grid at an index; nil if there is none.
  /// - Parameters:
  ///   - index: The index of the object or image.
  ///   - argument: The name of the function's argument.
  /// - Returns: The place of its cells.
  /// - Throws: `argument-invalid` for an index out of range, or if the grid is damaged.
  func grid(at index: Int, _ argument: String) throws(FoveaError) -> Grid? {
    guard (0..<max(count, 0)).contains(index) else {
      throw .argument(
        "'\(argument)' is \(UInt(bitPattern: index)), and there are \(UInt(bitPattern: count))")
    }
    guard let places = unsafe places, unsafe !places[index * 8].isNaN else { return nil }
    guard let offsets = unsafe offsets, let sizes = unsafe sizes else {
      throw .argument("'\(prefix)_offsets' or '\(prefix)_sizes' of columns is NULL")
    }
    let (start, end) = unsafe (offsets[index], offsets[index + 1])
    let (across, down) = unsafe (Int(sizes[index * 2]), Int(sizes[index * 2 + 1]))
    let (length, isTooLong) = end.subtractingReportingOverflow(start)
    guard start >= 0, !isTooLong, (0...Self.most).contains(Int(length)), across >= 0, down >= 0,
      across.multipliedReportingOverflow(by: down).partialValue == Int(length)
    else {
      throw .argument(
        "the \(name) \(index) has the cells \(start) to \(end), and \(across) × \(down) cells")
    }
    func box(_ first: Int) -> BoundingBox {
      let edges = unsafe places + index * 8 + first
      return unsafe BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    }
    return Grid(
      cells: Int(start)..<Int(end), columns: length == 0 ? 0 : across, region: box(4), bounds: box(0))
  }

  /// Returns the cells of a grid in a column.
  /// - Throws: `argument-invalid` if the column is NULL.
  func cells(
    of grid: Grid, in column: UnsafePointer<UInt8>?, _ member: String
  ) throws(FoveaError) -> [UInt8] {
    guard !grid.cells.isEmpty else { return [] }
    guard let column = unsafe column else { throw .argument("'\(member)' of columns is NULL") }
    return unsafe Array(
      UnsafeBufferPointer(start: column + grid.cells.lowerBound, count: grid.cells.count))
  }
}
