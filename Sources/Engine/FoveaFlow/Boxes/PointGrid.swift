// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The columns and rows of the points to follow in a box.
struct PointGrid: Sendable {
  /// The columns from left to right, without duplicates, in pixels of a pyramid's first level.
  private(set) var columns: [Int] = []
  /// The rows from top to bottom, without duplicates.
  private(set) var rows: [Int] = []

  /// Spreads points evenly over a box, except for those outside the image.
  /// - Parameters:
  ///   - side: The points in each direction; fewer if two points would be in the same pixel.
  ///   - border: The part of the box's width and height that is excluded on each side.
  ///   - box: The box in pixels of the image. An empty box, or one with edges that are not numbers, gets no
  ///     points.
  ///   - level: The first level.
  ///   - scale: The pixels of the image per pixel of the first level.
  mutating func spread(_ side: Int, border: Double, over box: BoundingBox, _ level: GreyLevel, scale: Int) {
    columns.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    guard !box.isEmpty else { return }
    let last = Double(side - 1)
    for index in 0..<side {
      let part = side == 1 ? 0.5 : border + (1 - 2 * border) * Double(index) / last
      let x = ((box.minX + part * box.width) / Double(scale)).rounded(.down)
      let y = ((box.minY + part * box.height) / Double(scale)).rounded(.down)
      if x >= 0, x < Double(level.width), columns.last != Int(x) { columns.append(Int(x)) }
      if y >= 0, y < Double(level.height), rows.last != Int(y) { rows.append(Int(y)) }
    }
  }
}
