// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage

/// A bitmap in memory to draw images into.
///
/// The origin of its coordinates is the bottom left corner, as in Core Graphics: an image is drawn upright,
/// with its top at the `maxY` of the rectangle, and the first row in memory is the top one. Only one thread
/// at a time may use it.
@safe public final class CGContext {
  // SAFETY: the memory belongs to a caller that promised to keep it, or to the context, which frees it in
  // deinit. Only the owner of the context accesses it, and it has `layout.byteCount` bytes.

  let layout: BitmapLayout
  let base: UnsafeMutableRawPointer
  private let owned: PlaneMemory?
  /// The buffers that scaling reuses from one image to the next.
  let scratch = TensorScratch()
  var fillColor = FillColor(red: 0, green: 0, blue: 0, alpha: 255)
  /// The interpolation of scaled images; initially `default`.
  public var interpolationQuality = CGInterpolationQuality.default
  /// The colour space of the pixels.
  public let colorSpace: CGColorSpace?

  /// Creates a context; nil if the arguments are invalid.
  ///
  /// A pixel has 32 bits, red, green and blue with premultiplied alpha or with an unused byte; or 8 bits,
  /// grey.
  /// - Parameters:
  ///   - data: The memory, `bytesPerRow` · `height` bytes that outlive the context; nil allocates memory, all
  ///     zeros.
  ///   - width: The width in pixels, 1…65,535.
  ///   - height: The height in pixels, 1…65,535.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: The distance between the starts of two rows; 0 means the smallest multiple of 16.
  ///   - space: Grey or RGB.
  ///   - bitmapInfo: The pixel layout: a `CGImageAlphaInfo` and a byte order.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) {
    unsafe self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent, bytesPerRow: bytesPerRow,
      space: space, bitmapInfo: CGBitmapInfo(rawValue: bitmapInfo))
  }

  /// Creates a context; nil if the arguments are invalid.
  ///
  /// A pixel has 32 bits, red, green and blue with premultiplied alpha or with an unused byte; or 8 bits,
  /// grey.
  /// - Parameters:
  ///   - data: The memory, `bytesPerRow` · `height` bytes that outlive the context; nil allocates memory, all
  ///     zeros.
  ///   - width: The width in pixels, 1…65,535.
  ///   - height: The height in pixels, 1…65,535.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: The distance between the starts of two rows; 0 means the smallest multiple of 16.
  ///   - space: Grey or RGB.
  ///   - bitmapInfo: The pixel layout.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo
  ) {
    let layout = BitmapLayout(
      width: width, height: height, bitsPerComponent: bitsPerComponent, bytesPerRow: bytesPerRow,
      space: space, bitmapInfo: bitmapInfo)
    guard let layout, layout.bytesPerPixel != 3, layout.alphaInfo != .first, layout.alphaInfo != .last else {
      return nil
    }
    if let data = unsafe data {
      unsafe base = data
      owned = nil
    } else {
      let shape = PlaneShape(
        width: width, height: height, rowBytes: layout.bytesPerRow, bytesPerRow: layout.bytesPerRow)
      guard let memory = PlaneMemory([shape]), let base = unsafe memory.planes[0].base else { return nil }
      unsafe self.base = base
      owned = memory
    }
    self.layout = layout
    colorSpace = space
  }

  /// The memory, starting with the top row; valid as long as the context.
  public var data: UnsafeMutableRawPointer? { unsafe base }
  /// The width in pixels.
  public var width: Int { layout.size.width }
  /// The height in pixels.
  public var height: Int { layout.size.height }
  /// The bits of a component: always 8.
  public var bitsPerComponent: Int { 8 }
  /// The bits of a pixel: 8 or 32.
  public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }
  /// The distance between the starts of two rows, in bytes.
  public var bytesPerRow: Int { layout.bytesPerRow }
  /// The position of the alpha component in a pixel.
  public var alphaInfo: CGImageAlphaInfo { layout.alphaInfo }
  /// The layout of the pixels in memory.
  public var bitmapInfo: CGBitmapInfo { layout.bitmapInfo }

  /// Returns a copy of the current content.
  /// - Returns: nil if memory is exhausted.
  public func makeImage() -> CGImage? {
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: layout.byteCount)
    guard let pixels = unsafe try? layout.copyPixels(bytes) else { return nil }
    let provider = unsafe CGDataProvider(Data(bytes))
    return CGImage(.pixels(pixels.colors), layout: layout, alpha: pixels.alpha, provider: provider)
  }
}
