// SPDX-License-Identifier: Apache-2.0

/// A place in fractions of an image's width and height: (0, 0) is the top left, (1, 1) the bottom right.
///
/// A separate type, so that fractions and pixels cannot be mixed up. Values outside 0…1 are kept: models answer them for
/// places that the image's edge cuts off.
public struct NormalizedPoint: Sendable, Hashable, Codable {
  /// The place as a fraction of the width.
  public var x: Double
  /// The place as a fraction of the height.
  public var y: Double

  /// Makes a point from its fractions.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The point in the pixels of a region: fraction 0 is the region's left (top) edge, fraction 1 its right (bottom).
  public func pixels(in region: BoundingBox) -> PixelPoint {
    PixelPoint(x: region.minX + x * region.width, y: region.minY + y * region.height)
  }
}
