// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The radius of each corner of a rectangle; 0 is a square corner.
struct CornerRadii: Hashable {
  var topLeft: Double
  var topRight: Double
  var bottomRight: Double
  var bottomLeft: Double

  /// Returns the radii of a box's corners: corners covered by its chip are square, so that both form one
  /// shape.
  ///
  /// - Parameters:
  ///   - box: The outer edge of the box's line.
  ///   - chip: The box's chip, if it has one.
  ///   - radius: The radius of a free corner, and of a corner shared with the chip.
  /// - Returns: `radius` or 0 for each corner.
  static func box(_ box: BoundingBox, chip: BoundingBox?, radius: Double) -> CornerRadii {
    corners(of: box, beside: chip ?? box) { x, y, isShared in
      guard let chip, !isShared else { return radius }
      return chip.minX <= x && x <= chip.maxX && chip.minY <= y && y <= chip.maxY ? 0 : radius
    }
  }

  /// Returns the radii of a chip's corners: corners on the line of its box are square, the others round.
  ///
  /// - Parameters:
  ///   - chip: The chip.
  ///   - box: The outer edge of the box's line.
  ///   - lineWidth: The width of this line.
  ///   - radius: The radius of a free corner.
  ///   - sharedRadius: The radius of a corner shared with the box.
  /// - Returns: One of the radii or 0 for each corner.
  static func chip(
    _ chip: BoundingBox, on box: BoundingBox, lineWidth: Double, radius: Double, sharedRadius: Double
  ) -> CornerRadii {
    corners(of: chip, beside: box) { x, y, isShared in
      if isShared { return sharedRadius }
      let isInBox = box.minX <= x && x <= box.maxX && box.minY <= y && y <= box.maxY
      let isInHole =
        box.minX + lineWidth < x && x < box.maxX - lineWidth && box.minY + lineWidth < y
        && y < box.maxY - lineWidth
      return isInBox && !isInHole ? 0 : radius
    }
  }

  /// Calls `radius` for each corner of `box` with its position and whether `other` shares it.
  private static func corners(
    of box: BoundingBox, beside other: BoundingBox, radius: (Double, Double, Bool) -> Double
  ) -> CornerRadii {
    let left = box.minX == other.minX
    let right = box.maxX == other.maxX
    let top = box.minY == other.minY
    let bottom = box.maxY == other.maxY
    return CornerRadii(
      topLeft: radius(box.minX, box.minY, left && top), topRight: radius(box.maxX, box.minY, right && top),
      bottomRight: radius(box.maxX, box.maxY, right && bottom),
      bottomLeft: radius(box.minX, box.maxY, left && bottom))
  }
}
