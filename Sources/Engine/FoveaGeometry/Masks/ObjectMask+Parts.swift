// SPDX-License-Identifier: Apache-2.0

extension ObjectMask {
  /// The largest number of cells in a row or a column of a joined mask: 256 kB.
  private static let mostCells = 512.0

  /// Creates the mask of an object of which each mask shows a part, as the tiles of an image do.
  ///
  /// Its cells are as large as the smallest of the parts, or a 512th of the object; the probability of each
  /// is the largest that a part has in its middle. Returns nil if no part covers anything, and the first if
  /// it is the only one, or if the object would have more than 2³⁰ pixels.
  /// - Parameter parts: The masks, in pixels of one image; those that cover nothing are left out.
  /// - Complexity: O(cells · parts).
  package init?(joining parts: [ObjectMask]) {
    let parts = parts.filter { !$0.isEmpty }
    guard let first = parts.first else { return nil }
    let hull = parts.dropFirst().reduce(first.bounds) { $0.hull(with: $1.bounds) }
    guard parts.count > 1, ObjectMask.isPlace(hull) else {
      self = first
      return
    }
    func count(_ length: Double, _ cell: (ObjectMask) -> Double) -> Int {
      let side = parts.reduce(Double.infinity) { min($0, cell($1)) }
      return Int(min(max((length / side).rounded(.up), 1), ObjectMask.mostCells))
    }
    let columns = count(hull.width) { $0.region.width / Double($0.columns) }
    let rows = count(hull.height) { $0.region.height / Double($0.rows) }
    var cells: [UInt8] = []
    cells.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let middle = PixelPoint(
          x: hull.minX + (Double(column) + 0.5) / Double(columns) * hull.width,
          y: hull.minY + (Double(row) + 0.5) / Double(rows) * hull.height)
        let most = parts.reduce(Float(0)) { max($0, $1.probability(at: middle)) }
        cells.append(UInt8((most * 255).rounded()))
      }
    }
    self.init(unchecked: cells, columns: columns, rows: rows, region: hull, bounds: hull)
  }
}

extension BoundingBox {
  /// Returns the smallest box around both.
  func hull(with other: BoundingBox) -> BoundingBox {
    BoundingBox(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }
}
