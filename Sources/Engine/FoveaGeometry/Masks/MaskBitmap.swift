// SPDX-License-Identifier: Apache-2.0

/// The pixels of a mask, a byte each: those whose middles the mask's bounds include.
public struct MaskBitmap: Sendable, Hashable {
  /// The column of the image in which the bitmap begins; negative if the mask begins left of the image.
  public let x: Int
  /// The row of the image in which the bitmap begins; negative if the mask begins above the image.
  public let y: Int
  /// The size of the bitmap in pixels.
  public let size: PixelSize
  /// 1 for a pixel of the object, 0 for another, row by row from the top left.
  public let pixels: [UInt8]

  init(x: Int, y: Int, size: PixelSize, pixels: [UInt8]) {
    self.x = x
    self.y = y
    self.size = size
    self.pixels = pixels
  }

  /// Whether a pixel of the image belongs to the object; false outside the bitmap.
  public func contains(x column: Int, y row: Int) -> Bool {
    guard column >= x, row >= y, column - x < size.width, row - y < size.height else { return false }
    return pixels[(row - y) * size.width + column - x] != 0
  }
}
