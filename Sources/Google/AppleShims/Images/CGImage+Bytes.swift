// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
public import FoveaImage

/// The mapping of colours outside a colour space; without effect here, since no colours are converted.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// The default of the image's kind.
  case defaultIntent = 0
  /// Keeps absolute colours.
  case absoluteColorimetric = 1
  /// Keeps colours relative to white.
  case relativeColorimetric = 2
  /// Keeps the relations between colours.
  case perceptual = 3
  /// Keeps colours vivid.
  case saturation = 4
}

extension CGImage {
  /// Creates an image from pixels in memory; nil if the arguments are invalid.
  ///
  /// Sizes below 1 or above 65,535, components other than 8 bits, floating-point numbers, 16-bit byte orders,
  /// a `decode` array, and bytes that end before the last pixel are invalid. The pixels are copied. Detectors
  /// composite transparent pixels over black, and a `CGContext` blends them over its content.
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bitsPerComponent: 8.
  ///   - bitsPerPixel: 8 for grey, 24 for RGB without a fourth byte, else 32.
  ///   - bytesPerRow: The distance between the starts of two rows; 0 means the smallest multiple of 16.
  ///   - space: Grey or RGB.
  ///   - bitmapInfo: The pixel layout.
  ///   - provider: The rows, starting with the top one.
  ///   - decode: nil.
  ///   - shouldInterpolate: Without effect; set `CGContext.interpolationQuality`.
  ///   - intent: Without effect.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    let layout = BitmapLayout(
      width: width, height: height, bitsPerComponent: bitsPerComponent, bytesPerRow: bytesPerRow,
      space: space, bitmapInfo: bitmapInfo)
    guard let layout, layout.bytesPerPixel * 8 == bitsPerPixel, unsafe decode == nil,
      let data = provider.data, data.count >= layout.byteCount
    else { return nil }
    let pixels = unsafe data.withUnsafeBytes { unsafe try? layout.copyPixels($0) }
    guard let pixels else { return nil }
    self.init(.pixels(pixels.colors), layout: layout, alpha: pixels.alpha, provider: provider)
  }

  /// Creates an image from pixels of the package's own type; an addition to Core Graphics.
  ///
  /// Packed formats are kept as stored, without a copy; YUV is converted to BGRA. `orientation` is dropped:
  /// use a `UIImage` to keep it.
  /// - Parameter pixels: A camera or video frame, or an image that another library decoded.
  /// - Throws: `ImageError` if memory is exhausted, or the pixels were borrowed for a call that has ended.
  public convenience init(pixels: PixelBuffer) throws(ImageError) {
    var pixels = pixels
    pixels.orientation = .up
    if pixels.layout.format.encoding != nil {
      pixels = try PixelBuffer(adopting: pixels.canvas(), name: pixels.name)
    }
    self.init(.pixels(pixels), layout: BitmapLayout(pixels.layout))
  }
}

extension BitmapLayout {
  /// The layout of pixels in a packed format.
  fileprivate init(_ layout: PixelLayout) {
    let size = layout.size
    let bytesPerRow = layout.bytesPerRow[0]
    switch layout.format {
    case .grey: self.init(size: size, bytesPerRow: bytesPerRow, alphaInfo: .none, isGrey: true)
    case .rgb: self.init(size: size, bytesPerRow: bytesPerRow, alphaInfo: .none)
    case .rgba: self.init(size: size, bytesPerRow: bytesPerRow, alphaInfo: .noneSkipLast)
    default:
      self.init(
        size: size, bytesPerRow: bytesPerRow, alphaInfo: .noneSkipFirst, byteOrder: .byteOrder32Little)
    }
  }
}
