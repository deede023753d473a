// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// An image of which name, size and orientation are known: an encoded one, or pixels in memory.
struct OpenedImage: Sendable {
  enum Source: Sendable {
    case encoded(EncodedImage)
    case pixels(DecodedImage)
  }
  let source: Source
  /// What errors call the image.
  let name: String
  /// Width and height as stored.
  let size: PixelSize
  /// How the stored pixels must be rotated to be upright.
  let orientation: Orientation

  init(_ image: EncodedImage) {
    source = .encoded(image)
    name = image.name
    size = image.size
    orientation = image.orientation
  }

  /// - Throws: `ImageError` with `too-large` when the buffer is beyond the limits.
  init(_ buffer: PixelBuffer, limits: ImageLimits) throws(ImageError) {
    try limits.check(buffer.size, name: buffer.name)
    source = .pixels(buffer.decoded)
    name = buffer.name
    size = buffer.size
    orientation = buffer.orientation
  }
}
