// SPDX-License-Identifier: Apache-2.0

/// A point in an image in pixels: origin at the top left, x to the right, y down.
///
/// Coordinates are continuous, like those of `BoundingBox`: the middle of the top-left pixel is (0.5, 0.5).
public struct PixelPoint: Sendable, Hashable, Codable {
  /// The distance from the image's left edge in pixels.
  public var x: Double
  /// The distance from the image's top edge in pixels.
  public var y: Double

  /// Creates a point from its coordinates in pixels.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether both coordinates are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite }
}

extension PixelPoint: CustomStringConvertible {
  /// "(x, y)", as in error messages.
  public var description: String { "(\(x), \(y))" }
}

/// The width and height of an image or tensor, in whole pixels.
public struct PixelSize: Sendable, Hashable, Codable {
  /// The columns of pixels; 0 or more.
  public var width: Int
  /// The rows of pixels; 0 or more.
  public var height: Int

  /// Creates a size from a width and a height in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels; `Int.max` if the product overflows.
  public var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// The same size with width and height exchanged, as after a quarter turn.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  /// "width × height", as in error messages.
  public var description: String { "\(width) × \(height)" }
}
