// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
public import FoveaImage

/// How colours outside of a colour space are brought into it; without an effect here, where none are converted.
public enum CGColorRenderingIntent: Int32, Sendable {
  /// What the image's kind calls for.
  case defaultIntent = 0
  /// Colours stay as they are measured.
  case absoluteColorimetric = 1
  /// Colours stay as they are measured against white.
  case relativeColorimetric = 2
  /// Colours keep their distances.
  case perceptual = 3
  /// Colours stay vivid.
  case saturation = 4
}

extension CGImage {
  /// Takes pixels in memory; gives nil for what cannot be.
  ///
  /// Refused are sizes below 1 and above 65,535, other than 8 bits a component, floating-point numbers, 16-bit orders of
  /// bytes, a `decode` array, and bytes that end before the last pixel. The pixels are copied. Transparent ones are taken
  /// over black by detectors, and drawn over what is there by a `CGContext`.
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bitsPerComponent: 8.
  ///   - bitsPerPixel: 8 for grey, 24 for RGB without a fourth byte, else 32.
  ///   - bytesPerRow: The distance between the starts of two rows; 0 takes the least multiple of 16.
  ///   - space: Brightness, or red, green and blue.
  ///   - bitmapInfo: How the pixels lie.
  ///   - provider: The rows from the top.
  ///   - decode: nil.
  ///   - shouldInterpolate: Without an effect; `CGContext.interpolationQuality` says it.
  ///   - intent: Without an effect.
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

  /// Takes pixels of the package's own type; an addition to Core Graphics.
  ///
  /// Packed formats are kept without a copy, as they are stored; YUV becomes BGRA. `orientation` is not kept: a `UIImage`
  /// has one.
  /// - Parameter pixels: A frame of a camera or a video, or what another library decoded.
  /// - Throws: `ImageError` when there is no memory, or the pixels were lent for a call that is over.
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
