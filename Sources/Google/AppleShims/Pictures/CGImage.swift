// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
package import FoveaImage
import Synchronization

/// An image: the bytes of a file of which only the header was read, or pixels in memory.
///
/// An image from a file is in its stored orientation, as on iOS: `UIImage.imageOrientation` says how to turn it. Its
/// pixels are decoded when they are first asked for, once, and kept; detectors and labelers decode it themselves, only as
/// finely as a model needs, and keep nothing.
///
/// The colours of files with transparency are laid over white when they are decoded, as everywhere in Fovea.
public final class CGImage: Sendable {
  package enum Source: Sendable {
    case encoded(EncodedImage)
    case pixels(PixelBuffer)
  }

  /// How the pixels lie in memory: of an image from a file, once it is decoded.
  let layout: BitmapLayout
  package let source: Source
  /// Alpha, one byte a pixel; nil where nothing is transparent.
  ///
  /// The colours of `source` are multiplied by it.
  let alpha: PixelBuffer?
  /// The bytes that the image was made from; nil for images from files and contexts.
  private let provider: CGDataProvider?
  private let decoded = Mutex<PixelBuffer?>(nil)

  init(_ source: Source, layout: BitmapLayout, alpha: PixelBuffer? = nil, provider: CGDataProvider? = nil) {
    self.source = source
    self.layout = layout
    self.alpha = alpha
    self.provider = provider
  }

  /// Takes an image of which the header was read; its pixels stay as they are stored.
  convenience init(_ image: EncodedImage) {
    self.init(.encoded(image.oriented(.up)), layout: .canvas(image.size))
  }

  /// The width in pixels, as stored.
  public var width: Int { layout.size.width }
  /// The height in pixels, as stored.
  public var height: Int { layout.size.height }
  /// The bits of a component: always 8.
  public var bitsPerComponent: Int { 8 }
  /// The bits of a pixel: 8, 24 or 32.
  public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }
  /// The distance between the starts of two rows, in bytes.
  public var bytesPerRow: Int { layout.bytesPerRow }
  /// Where a pixel has its alpha.
  public var alphaInfo: CGImageAlphaInfo { layout.alphaInfo }
  /// How the pixels lie in memory; of an image from a file, once it is decoded: blue, green, red, unused.
  public var bitmapInfo: CGBitmapInfo { layout.bitmapInfo }
  /// What the numbers of a pixel mean.
  public var colorSpace: CGColorSpace? {
    layout.isGrey ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB()
  }
  /// The pixels as bytes, as the properties above say; nil where the image cannot be decoded.
  public var dataProvider: CGDataProvider? {
    if let provider { return provider }
    guard let pixels = try? pixels(), let bytes = try? pixels.bytes() else { return nil }
    return CGDataProvider(bytes)
  }

  /// Width and height in pixels, as stored.
  package var size: PixelSize { layout.size }

  /// The pixels in their stored orientation: decoded once, then kept.
  /// - Returns: The pixels; transparent ones over black, or over white where they come from a file.
  /// - Throws: `ImageError` when the file is damaged or cut off, or there is no memory.
  package func pixels() throws(ImageError) -> PixelBuffer {
    switch source {
    case .pixels(let pixels): return pixels
    case .encoded(let image):
      return try decoded.withLock { (decoded) throws(ImageError) in
        if let decoded { return decoded }
        let pixels = try PixelBuffer(adopting: image.canvas(), name: image.name)
        decoded = pixels
        return pixels
      }
    }
  }
}
