// SPDX-License-Identifier: Apache-2.0

import CPictures
import FoveaGeometry

/// Decodes the first frame of a GIF through giflib, over white, as browsers show it before the animation starts.
struct GIFDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    let size = image.size
    let memory = try PixelMemory(count: size.area * 3, name: image.name)
    unsafe memory.base.update(repeating: 255, count: size.area * 3)
    try unsafe ImageLibrary(image).call(image.bytes) { file in
      unsafe fovea_gif_decode(file, UInt32(size.width), UInt32(size.height), memory.base)
    }
    return .rgb(of: image, size: size, memory: memory)
  }
}
