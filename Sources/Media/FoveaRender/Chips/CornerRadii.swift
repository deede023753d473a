// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The radius of each corner of a rectangle; 0 is a square corner.
struct CornerRadii: Hashable {
  var topLeft: Double
  var topRight: Double
  var bottomRight: Double
  var bottomLeft: Double

  /// The radii of a box's corners: those that its chip covers are square, so that both form one shape.
  ///
  /// - Parameters:
  ///   - box: The outer edge of the box's line.
  ///   - chip: The box's chip, if it has one.
  ///   - radius: The radius of a free corner, and of one that the chip shares.
  /// - Returns: `radius` or 0 for each corner.
  static func box(_ box: BoundingBox, chip: BoundingBox?, radius: Double) -> CornerRadii {
    corners(of: box, beside: chip ?? box) { x, y, isShared in
      guard let chip, !isShared else { return radius }
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
  ///   - sharedRadius: The radius of a corner that is the box's corner as well.
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

  /// Asks for the radius of each corner of `box`, given its place and whether `other` has the same corner there.
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
