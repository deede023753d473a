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

/// The width and height of an image or tensor, in whole pixels.
public struct PixelSize: Sendable, Hashable, Codable {
  /// Columns of pixels; 0 or more.
  public var width: Int
  /// Rows of pixels; 0 or more.
  public var height: Int

  /// Makes a size from a width and a height in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels; `Int.max` where the product does not fit.
  public var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// The same size with width and height exchanged, as a quarter turn leaves it.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  /// "width × height", as error messages print it.
  public var description: String { "\(width) × \(height)" }
}
