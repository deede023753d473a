// SPDX-License-Identifier: Apache-2.0

/// The cells of a sample of rows, in each row order that exporters use.
struct CellSample: Sendable, Hashable {
  /// A row, and the centre of its cell in pixels of the input.
  private struct Place: Sendable, Hashable {
    var row: Int
    var x: Float
    var y: Float
    var stride: Float
  }

  private let orders: [[Place]]

  /// The largest distance of a position from its cell that is measured, in cells; larger ones count as this.
  static let most: Float = 4

  /// Collects the cells of the rows that `sampledRows` selects.
  ///
  /// With several rows per cell, these are adjacent, as in TensorFlow's converters, or all cells of a map
  /// follow one another, as in PyTorch; the finest or the coarsest map comes first.
  init(_ grid: YOLOGrid, perCell: Int) {
    let levels = grid.strides.map { YOLOGrid(width: grid.width, height: grid.height, strides: [$0]).cells }
    let sampled = sampledRows(of: grid.count * perCell)
    orders = [false, true].flatMap { isReversed in
      (perCell == 1 ? [true] : [true, false]).map { isTogether in
        let levels = isReversed ? levels.reversed() : levels
        var first = 0
        var level = 0
        return sampled.map { row in
          while row - first >= levels[level].count * perCell {
            first += levels[level].count * perCell
            level += 1
          }
          let place = row - first
          let cell = levels[level][isTogether ? place / perCell : place % levels[level].count]
          return Place(
            row: row, x: (cell.x + 0.5) * cell.stride, y: (cell.y + 0.5) * cell.stride, stride: cell.stride)
        }
      }
    }
  }

  /// Compares positions with the cells of their rows, in the order that fits best.
  /// - Parameter place: Returns the position of a row in pixels of the input.
  /// - Returns: The mean distance, in cells.
  func distance(_ place: (Int) -> (x: Float, y: Float)) -> Float {
    orders.map { places in
      let sum = places.reduce(into: Float(0)) { sum, cell in
        let (x, y) = place(cell.row)
        let distance = (abs(x - cell.x) + abs(y - cell.y)) / cell.stride
        // NaN counts as the largest distance.
        sum += distance < Self.most ? distance : Self.most
      }
      return sum / Float(max(places.count, 1))
    }.min() ?? Self.most
  }
}
