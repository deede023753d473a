// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
import FoveaImage

/// An image whose name, size and orientation are known: an encoded one, or pixels in memory.
struct OpenedImage: Sendable {
  enum Source: Sendable {
    case encoded(EncodedImage)
    case pixels(DecodedImage)
  }
  let source: Source
  /// The image's name in errors.
  let name: String
  /// Width and height as stored.
  let size: PixelSize
  /// The rotation that makes the stored pixels upright.
  let orientation: Orientation

  init(_ image: EncodedImage) {
    source = .encoded(image)
    name = image.name
    size = image.size
    orientation = image.orientation
  }

  /// - Throws: `ImageError` with `too-large` if the buffer exceeds the limits.
  init(_ buffer: PixelBuffer, limits: ImageLimits) throws(ImageError) {
    try limits.check(buffer.size, name: buffer.name)
    source = .pixels(buffer.decoded)
    name = buffer.name
    size = buffer.size
    orientation = buffer.orientation
  }
}

/// An image that was opened and decoded once, at the size that one detector or labeler needs.
///
/// Saves decoding if the same image is processed several times, for instance for several regions.
public struct PreparedImage: Sendable {
  let opened: OpenedImage
  let decoded: DecodedImage

  /// The size of the stored image, in pixels.
  public var size: PixelSize { opened.size }
  /// The size of the decoded image; smaller than `size` for a JPEG decoded at reduced size.
  public var decodedSize: PixelSize { decoded.size }
}

/// Checks a region of interest against the image.
enum RegionOfInterest {
  /// Returns the part of the image to process, in stored pixels.
  /// - Throws: `optionInvalid` for a region without area, or one that lies outside the image.
  static func resolve(_ region: BoundingBox?, in image: OpenedImage) throws(FoveaError) -> BoundingBox {
    let size = image.size
    guard let region else {
      return BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }
    let clipped = region.clamped(to: size)
    // A region of less than a pixel is empty.
    guard !region.isEmpty, clipped.width >= 1, clipped.height >= 1 else {
      var error = FoveaError.optionInvalid(
        "the region \(region) covers no pixel of the image, which is \(size)",
        remedy: "Give a region in pixels of the stored image, at least one pixel inside it")
      error.subject = image.name
      throw error
    }
    return clipped
  }
}
