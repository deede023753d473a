// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The columns and rows of the points that are followed in a box.
struct PointGrid: Sendable {
  /// From left to right, each once, in pixels of a pyramid's first level.
  private(set) var columns: [Int] = []
  /// From top to bottom, each once.
  private(set) var rows: [Int] = []

  /// Spreads points evenly over a box, those outside the image left out.
  /// - Parameters:
  ///   - side: The points each way; fewer where two would be in one pixel.
  ///   - border: The part of the box's width and height that is left out on each side.
  ///   - box: In pixels of the image. There are no points in an empty one, or one with edges that are no numbers.
  ///   - level: The first level.
  ///   - scale: The pixels of the image for one of the first level.
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
