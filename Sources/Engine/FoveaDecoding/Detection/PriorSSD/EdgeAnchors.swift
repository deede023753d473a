// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Anchors as edges in fractions of the input, five per cell, in the order of ST's SSDs.
struct EdgeAnchors {
  private let values: [Float]
  private let first: Int
  private let step: Int

  /// Accepts the values if they are anchors: each upright and near the input, and the first anchor of each
  /// cell moving from left to right with a constant size within a map.
  init?(_ values: [Float], from first: Int, step: Int, rows: Int) {
    func number(_ row: Int, _ column: Int) -> Float { values[row * step + first + column] }
    guard rows >= 2 * EdgeSSDHead.perCell, values.count >= (rows - 1) * step + first + 4 else { return nil }
    for row in 0..<rows {
      guard number(row, 0) >= -1.5, number(row, 1) >= -1.5, number(row, 2) <= 2.5, number(row, 3) <= 2.5,
        number(row, 2) > number(row, 0), number(row, 3) > number(row, 1)
      else { return nil }
    }
    // From one cell to the next x grows and y is constant, except at the ends of lines and between maps.
    var steps = 0
    var moves = 0
    for row in stride(from: EdgeSSDHead.perCell, to: rows, by: EdgeSSDHead.perCell) {
      let before = row - EdgeSSDHead.perCell
      let moved = (0..<4).map { number(row, $0) - number(before, $0) }
      steps += 1
      let size = max(number(before, 2) - number(before, 0), 1e-6)
      if moved[0] >= 0, moved[2] >= 0, moved[0] + moved[2] > 0, abs(moved[1]) <= 0.1 * size,
        abs(moved[3]) <= 0.1 * size
      {
        moves += 1
      }
    }
    guard moves * 2 > steps else { return nil }
    self.values = values
    self.first = first
    self.step = step
  }

  /// Returns the box whose edges are those of the anchor, moved by the four offsets in sizes of the anchor.
  func box(_ row: Int, _ offset: (Int) -> Float) -> BoundingBox {
    let edges = (0..<4).map { values[row * step + first + $0] }
    let (width, height) = (edges[2] - edges[0], edges[3] - edges[1])
    return BoundingBox(
      minX: Double(offset(0) * width + edges[0]), minY: Double(offset(1) * height + edges[1]),
      maxX: Double(offset(2) * width + edges[2]), maxY: Double(offset(3) * height + edges[3]))
  }
}
