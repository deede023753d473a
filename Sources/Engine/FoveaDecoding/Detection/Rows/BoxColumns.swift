// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The four numbers of a box in each row, in any memory order.
struct BoxColumns {
  /// The meaning of the four numbers.
  enum Kind: Sendable {
    /// Centre x, centre y, width, height.
    case center
    /// Left, top, right, bottom.
    case edges
  }

  let values: [Float]
  let run: RowLayout.Run
  var rows: Int { run.count }

  init(_ outputs: [[Float]], _ run: RowLayout.Run) {
    values = outputs[run.output]
    self.run = run
  }

  func number(_ row: Int, _ column: Int) -> Float {
    values[run.start &+ row &* run.step &+ column &* run.jump]
  }

  /// Returns the box of a row, in the unit of its numbers.
  func box(_ row: Int, _ kind: Kind) -> BoundingBox {
    switch kind {
    case .center:
      BoundingBox(
        centerX: number(row, 0), centerY: number(row, 1), width: number(row, 2), height: number(row, 3))
    case .edges:
      BoundingBox(
        minX: Double(number(row, 0)), minY: Double(number(row, 1)), maxX: Double(number(row, 2)),
        maxY: Double(number(row, 3)))
    }
  }

  /// Returns whether the rows can be edges: almost no box is inverted.
  ///
  /// Read as edges, a box given by centre and size is inverted if it is small and far from the top left
  /// corner, as most boxes of a detector are.
  /// - Returns: Nil if fewer than `least` rows have a size.
  func canBeEdges(least: Int) -> Bool? {
    var sized = 0
    var turned = 0
    for row in sampledRows(of: rows) {
      let (width, height) = (number(row, 2) - number(row, 0), number(row, 3) - number(row, 1))
      guard (width + height).isFinite, width != 0 || height != 0 else { continue }
      sized += 1
      if width < 0 || height < 0 { turned += 1 }
    }
    return sized < least ? nil : turned * 20 <= sized
  }

  /// Finds the meaning of the numbers from what the rows of a detector have in common.
  /// - Parameters:
  ///   - cells: The cells of the rows; nil if they are unknown.
  ///   - unitX: The factor that turns x into pixels of the input.
  ///   - unitY: The factor that turns y into pixels of the input.
  /// - Returns: The kind, `center` if the rows show nothing; nil if they contradict each other.
  func kind(_ cells: CellSample?, unitX: Float = 1, unitY: Float = 1) -> Kind? {
    // With this many rows of centres, they are not all upright as edges by chance.
    guard canBeEdges(least: cells == nil ? 64 : 8) == true else { return .center }
    guard let cells else { return .edges }
    let center = distance(cells, .center, unitX: unitX, unitY: unitY)
    let middle = distance(cells, .edges, unitX: unitX, unitY: unitY)
    // For 12 models on 12 photos, the ratio is 0.16 to 0.43 for centres and 2.3 to 3.7 for edges.
    if center > middle * 1.7 { return .edges }
    return center < middle * 0.6 ? .center : nil
  }

  /// Returns the mean distance of the boxes' middles from their cells, in cells.
  func distance(_ cells: CellSample, _ kind: Kind, unitX: Float, unitY: Float) -> Float {
    cells.distance { row in
      let (x, y) = (number(row, 0), number(row, 1))
      return kind == .center
        ? (x * unitX, y * unitY) : ((x + number(row, 2)) / 2 * unitX, (y + number(row, 3)) / 2 * unitY)
    }
  }
}

extension BoundingBox {
  /// Creates a box from its centre and size.
  init(centerX: Float, centerY: Float, width: Float, height: Float) {
    let halfWidth = Double(width) / 2
    let halfHeight = Double(height) / 2
    self.init(
      minX: Double(centerX) - halfWidth, minY: Double(centerY) - halfHeight,
      maxX: Double(centerX) + halfWidth,
      maxY: Double(centerY) + halfHeight)
  }
}
