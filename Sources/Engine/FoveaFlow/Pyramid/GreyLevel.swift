// SPDX-License-Identifier: Apache-2.0

/// The layout of one level in the pyramid's memory, which has 16 bits per pixel for computing products.
struct GreyLevel: Sendable, Hashable {
  /// The width of a level's border around its image, in pixels that repeat the nearest one.
  ///
  /// A window reaches 7 pixels to each side, the gradient and the interpolation one more: with 16, the centre
  /// of a window may be up to `reach` pixels outside the image.
  static let margin = 16
  /// The largest distance of a window's middle from the image.
  static let reach = 7

  /// The width of the image in pixels.
  let width: Int
  /// The height of the image in pixels.
  let height: Int
  /// The distance between the starts of two rows in pixels.
  let stride: Int
  /// The index of the image's first pixel.
  let origin: Int

  /// Creates the layout of a level whose memory, margin included, starts at `start`.
  init(width: Int, height: Int, start: Int) {
    self.width = width
    self.height = height
    stride = (width + 2 * Self.margin + 15) / 16 * 16
    origin = start + Self.margin * stride + Self.margin
  }

  /// The number of pixels of the level, margin included.
  var pixelCount: Int { stride * (height + 2 * Self.margin) }

  /// Repeats the pixels at the image's edges in the margin.
  func fillMargin(_ pixels: UnsafeMutablePointer<UInt16>) {
    let first = unsafe pixels + origin
    for y in 0..<height {
      let row = unsafe first + y * stride
      unsafe (row - Self.margin).update(repeating: row[0], count: Self.margin)
      unsafe (row + width).update(repeating: row[width - 1], count: stride - width - Self.margin)
    }
    let top = unsafe first - Self.margin
    let bottom = unsafe top + (height - 1) * stride
    for y in 1...Self.margin {
      unsafe (top - y * stride).update(from: top, count: stride)
      unsafe (bottom + y * stride).update(from: bottom, count: stride)
    }
  }
}

/// A view of a level's pixels while they may be read.
@unsafe struct GreyView {
  let first: UnsafePointer<UInt16>
  let stride: Int
  let width: Int
  let height: Int

  init(_ level: GreyLevel, _ pixels: UnsafePointer<UInt16>) {
    unsafe first = pixels + level.origin
    unsafe stride = level.stride
    unsafe width = level.width
    unsafe height = level.height
  }

  /// Returns the pixel at or before a position; nil if a window around it, with gradient and interpolation,
  /// would leave the image and its margin, or if the position is not a number.
  func cell(_ x: Double, _ y: Double) -> (x: Int, y: Int)? {
    let reach = Double(GreyLevel.reach)
    let (right, bottom) = unsafe (Double(width) + reach, Double(height) + reach)
    guard x >= -reach, y >= -reach, x < right, y < bottom else { return nil }
    // Truncation above zero is the same as rounding down, without a call.
    return (Int(x + reach) - GreyLevel.reach, Int(y + reach) - GreyLevel.reach)
  }
}
