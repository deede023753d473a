// SPDX-License-Identifier: Apache-2.0

import CPictures
import FoveaGeometry

/// Decodes the first page of a TIFF through libtiff, which turns every kind of pixel into red, green, blue, alpha.
struct TIFFDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    let size = image.size
    let memory = try PixelMemory(count: size.area * 4, name: image.name)
    try unsafe ImageLibrary(image).call(image.bytes) { file in
      unsafe fovea_tiff_decode(file, UInt32(size.width), UInt32(size.height), memory.base)
    }
    unsafe PixelComposition.premultipliedOverWhite(memory.base, count: size.area)
    return .rgb(of: image, size: size, memory: memory)
  }
}
