// SPDX-License-Identifier: Apache-2.0

/// A rectangle in fractions of an image's width and height: (0, 0) is the top left, (1, 1) the bottom right.
///
/// A separate type, so that fractions and pixels cannot be mixed up. Values outside 0…1 are kept: models
/// output them for objects that the image's edge cuts.
public struct NormalizedBox: Sendable, Hashable, Codable {
  /// The left edge as a fraction of the width.
  public var minX: Double
  /// The top edge as a fraction of the height.
  public var minY: Double
  /// The right edge as a fraction of the width.
  public var maxX: Double
  /// The bottom edge as a fraction of the height.
  public var maxY: Double

  /// Creates a box from its four edges as fractions of the image.
  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The whole image.
  public static let unit = NormalizedBox(minX: 0, minY: 0, maxX: 1, maxY: 1)

  /// Returns the box in the pixels of a region: fraction 0 is the region's left (top) edge, fraction 1 its
  /// right (bottom).
  public func pixels(in region: BoundingBox) -> BoundingBox {
    BoundingBox(
      minX: region.minX + minX * region.width, minY: region.minY + minY * region.height,
      maxX: region.minX + maxX * region.width, maxY: region.minY + maxY * region.height)
  }

  /// Returns the box in the pixels of an image of `size`.
  public func pixels(in size: PixelSize) -> BoundingBox {
    pixels(in: BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
  }
}

/// A point in fractions of an image's width and height: (0, 0) is the top left, (1, 1) the bottom right.
///
/// A separate type, so that fractions and pixels cannot be mixed up. Values outside 0…1 are kept: models
/// output them for points beyond the image's edge.
public struct NormalizedPoint: Sendable, Hashable, Codable {
  /// The position as a fraction of the width.
  public var x: Double
  /// The position as a fraction of the height.
  public var y: Double

  /// Creates a point from its fractions.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Returns the point in the pixels of a region: fraction 0 is the region's left (top) edge, fraction 1 its
  /// right (bottom).
  public func pixels(in region: BoundingBox) -> PixelPoint {
    PixelPoint(x: region.minX + x * region.width, y: region.minY + y * region.height)
  }
}
