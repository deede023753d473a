// SPDX-License-Identifier: Apache-2.0

import CPictures

/// Decodes the primary image of a HEIC or AVIF through libheif, upright.
struct HEIFDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    let library = ImageLibrary(image)
    var pixels = unsafe fovea_picture_pixels()
    try unsafe library.call(image.bytes) { file in
      unsafe fovea_heif_decode(file, library.maximumDimension, library.maximumPixels, &pixels)
    }
    return try unsafe .adopting(pixels, of: image)
  }
}
