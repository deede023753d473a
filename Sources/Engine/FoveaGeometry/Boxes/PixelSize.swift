// SPDX-License-Identifier: Apache-2.0

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
