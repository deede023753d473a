// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The time that objects spent at each place of the image.
package struct OccupancyMap: Sendable, Hashable {
  /// The side of a cell, in pixels.
  package static let cell = 8
  /// The longest step between two frames that counts in full, in seconds: that of the lowest frame rate.
  ///
  /// A source that was away was not watched.
  private static let longestStep = 10.0

  /// The number of cells in a row: the frame's width, in cells.
  package let columns: Int
  /// The number of rows of cells.
  package let rows: Int
  /// The seconds in each cell, row by row from the top left.
  package private(set) var seconds: [Double]
  private var clock = EventClock()

  /// Creates a map of frames of a size, on which nothing was seen.
  package init(of size: PixelSize) {
    columns = max(1, (size.width + Self.cell - 1) / Self.cell)
    rows = max(1, (size.height + Self.cell - 1) / Self.cell)
    seconds = Array(repeating: 0, count: columns * rows)
  }

  /// Adds the time since the previous frame to the cells of objects; call it for frames without objects too.
  /// - Parameters:
  ///   - boxes: The boxes of the objects, in pixels of the frame. Each counts at its foot; one outside the
  ///     frame counts in the nearest cell, and one that is not finite does not count.
  ///   - time: The time of the frame in seconds; a step back counts as no time, a longer step than 10
  ///     seconds as 10.
  package mutating func update(_ boxes: some Sequence<BoundingBox>, seconds time: Double) {
    let step = min(clock.advance(to: time), Self.longestStep)
    guard step > 0 else { return }
    for box in boxes {
      let foot = BoxAnchor.bottomCenter.point(of: box)
      guard foot.x.isFinite, foot.y.isFinite else { continue }
      let (column, row) = (Self.index(foot.x, count: columns), Self.index(foot.y, count: rows))
      seconds[row * columns + column] += step
    }
  }

  /// Returns the seconds after the binomial filter 1, 2, 1 was applied twice in both directions, row by row.
  ///
  /// The sum stays the same: the part of a cell at the edge that would leave the map stays in it.
  package func smoothed() -> [Double] {
    var values = seconds
    for _ in 0..<2 {
      values = Self.filtered(values, lines: rows, count: columns, step: 1, lineStep: columns)
      values = Self.filtered(values, lines: columns, count: rows, step: columns, lineStep: 1)
    }
    return values
  }

  private static func index(_ coordinate: Double, count: Int) -> Int {
    Int(min(max(coordinate / Double(cell), 0), Double(count - 1)))
  }

  private static func filtered(
    _ values: [Double], lines: Int, count: Int, step: Int, lineStep: Int
  ) -> [Double] {
    var result = values
    for line in 0..<lines {
      for place in 0..<count {
        let at = line * lineStep + place * step
        let before = values[place > 0 ? at - step : at]
        let after = values[place < count - 1 ? at + step : at]
        result[at] = (before + 2 * values[at] + after) / 4
      }
    }
    return result
  }
}
