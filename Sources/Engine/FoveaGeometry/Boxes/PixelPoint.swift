// SPDX-License-Identifier: Apache-2.0

/// A place in an image in pixels: origin at the top left, x to the right, y down.
///
/// Coordinates are continuous, as those of `BoundingBox` are: the middle of the top-left pixel is (0.5, 0.5).
public struct PixelPoint: Sendable, Hashable, Codable {
  /// Pixels to the right of the image's left edge.
  public var x: Double
  /// Pixels below the image's top edge.
  public var y: Double

  /// Makes a point from its coordinates in pixels.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether neither coordinate is infinite or not a number.
  public var isFinite: Bool { x.isFinite && y.isFinite }
}

extension PixelPoint: CustomStringConvertible {
  /// "(x, y)", as error messages print it.
  public var description: String { "(\(x), \(y))" }
}
