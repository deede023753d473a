// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The radius of each corner of a rectangle; 0 is a square corner.
struct CornerRadii: Hashable {
  var topLeft: Double
  var topRight: Double
  var bottomRight: Double
  var bottomLeft: Double

  /// The radii of a box's corners: those under its chip are square, so that both form one shape.
  static func box(_ box: BoundingBox, chip: BoundingBox?, radius: Double) -> CornerRadii {
    corners(of: box) { x, y in
      guard let chip else { return radius }
      return chip.minX <= x && x <= chip.maxX && chip.minY <= y && y <= chip.maxY ? 0 : radius
    }
  }

  /// The radii of a chip's corners: those that lie on the line of its box are square, the others round.
  ///
  /// - Parameters:
  ///   - chip: The chip.
  ///   - box: The outer edge of the box's line.
  ///   - lineWidth: The width of this line.
  ///   - radius: The radius of a corner that lies free.
  /// - Returns: `radius` or 0 for each corner.
  static func chip(
    _ chip: BoundingBox, on box: BoundingBox, lineWidth: Double, radius: Double
  ) -> CornerRadii {
    corners(of: chip) { x, y in
      let isInBox = box.minX <= x && x <= box.maxX && box.minY <= y && y <= box.maxY
      let isInHole =
        box.minX + lineWidth < x && x < box.maxX - lineWidth && box.minY + lineWidth < y
        && y < box.maxY - lineWidth
      return isInBox && !isInHole ? 0 : radius
    }
  }

  private static func corners(of box: BoundingBox, radius: (Double, Double) -> Double) -> CornerRadii {
    CornerRadii(
      topLeft: radius(box.minX, box.minY), topRight: radius(box.maxX, box.minY),
      bottomRight: radius(box.maxX, box.maxY), bottomLeft: radius(box.minX, box.maxY))
  }
}
