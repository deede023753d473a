// SPDX-License-Identifier: Apache-2.0

/// The cells of some rows of an answer, in each order that exporters write rows in.
struct CellSample: Sendable, Hashable {
  /// A row, and the middle of its cell in pixels of the input.
  private struct Place: Sendable, Hashable {
    var row: Int
    var x: Float
    var y: Float
    var stride: Float
  }

  private let orders: [[Place]]

  /// How far a place may be from its cell before it only counts as far away, in cells.
  static let most: Float = 4

  /// Takes the rows that `sampledRows` gives.
  ///
  /// With several rows for a cell, these follow one another, as TensorFlow's converters leave them, or all cells of a map
  /// do, as PyTorch's; the finest map stands first, or the coarsest.
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

  /// Compares places with the cells of their rows, in the order that fits best.
  /// - Parameter place: The place of a row in pixels of the input.
  /// - Returns: The mean distance, in cells.
  func distance(_ place: (Int) -> (x: Float, y: Float)) -> Float {
    orders.map { places in
      let sum = places.reduce(into: Float(0)) { sum, cell in
        let (x, y) = place(cell.row)
        let distance = (abs(x - cell.x) + abs(y - cell.y)) / cell.stride
        // What is not a number is as far as can be.
        sum += distance < Self.most ? distance : Self.most
      }
      return sum / Float(max(places.count, 1))
    }.min() ?? Self.most
  }
}
