// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
package import FoveaImage
import Synchronization

/// An image: the bytes of a file whose header was read, or pixels in memory.
///
/// An image from a file is in its stored orientation, as on iOS; `UIImage.imageOrientation` is its rotation.
/// Its pixels are decoded once, at the first use, and kept; detectors and labelers decode it themselves, only
/// as finely as a model needs, and keep nothing.
///
/// The colours of files with transparency are composited over white when they are decoded, as everywhere in
/// Fovea.
public final class CGImage: Sendable {
  package enum Source: Sendable {
    case encoded(EncodedImage)
    case pixels(PixelBuffer)
  }

  /// The pixel layout in memory; for an image from a file, the layout after decoding.
  let layout: BitmapLayout
  package let source: Source
  /// Alpha, one byte per pixel; nil if nothing is transparent.
  ///
  /// The colours of `source` are multiplied by it.
  let alpha: PixelBuffer?
  /// The bytes from which the image was created; nil for images from files and contexts.
  private let provider: CGDataProvider?
  private let decoded = Mutex<PixelBuffer?>(nil)

  init(_ source: Source, layout: BitmapLayout, alpha: PixelBuffer? = nil, provider: CGDataProvider? = nil) {
    self.source = source
    self.layout = layout
    self.alpha = alpha
    self.provider = provider
  }

  /// Creates an image from a file whose header was read; its pixels stay as stored.
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
  /// The position of the alpha component in a pixel.
  public var alphaInfo: CGImageAlphaInfo { layout.alphaInfo }
  /// The pixel layout in memory; for an image from a file, the layout after decoding: blue, green, red,
  /// unused.
  public var bitmapInfo: CGBitmapInfo { layout.bitmapInfo }
  /// The colour space of the pixels.
  public var colorSpace: CGColorSpace? {
    layout.isGrey ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB()
  }
  /// The pixels as bytes, in the layout of the properties above; nil if the image cannot be decoded.
  public var dataProvider: CGDataProvider? {
    if let provider { return provider }
    guard let pixels = try? pixels(), let bytes = try? pixels.bytes() else { return nil }
    return CGDataProvider(bytes)
  }

  /// Width and height in pixels, as stored.
  package var size: PixelSize { layout.size }

  /// Returns the pixels in their stored orientation, decoded once and then kept.
  /// - Returns: The pixels; transparent ones over black, or over white if they come from a file.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
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
