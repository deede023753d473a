// SPDX-License-Identifier: Apache-2.0

import CImages
import FoveaGeometry

/// Decodes formats whose libraries return finished pixels.
struct LibraryDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  /// Decodes the first frame of a GIF through giflib, over white, as browsers show it first.
  func gif() throws(ImageError) -> DecodedImage {
    let size = image.size
    let memory = try PixelMemory(count: size.area * 3, name: image.name)
    unsafe memory.base.update(repeating: 255, count: size.area * 3)
    try unsafe ImageLibrary(image).call(image.bytes) { file in
      unsafe fovea_gif_decode(file, UInt32(size.width), UInt32(size.height), memory.base)
    }
    return .rgb(of: image, size: size, memory: memory)
  }

  /// Decodes the primary image of a HEIC or AVIF through libheif, upright.
  func heif() throws(ImageError) -> DecodedImage {
    let library = ImageLibrary(image)
    var pixels = unsafe fovea_image_pixels()
    let note = try unsafe library.call(image.bytes) { file in
      unsafe fovea_heif_decode(file, library.maximumDimension, library.maximumPixels, &pixels)
    }
    return try unsafe .adopting(pixels, of: image, note: note.isEmpty ? nil : note)
  }

  /// Decodes the first page of a TIFF through libtiff, which converts all pixels to red, green, blue, alpha.
  func tiff() throws(ImageError) -> DecodedImage {
    let size = image.size
    let memory = try PixelMemory(count: size.area * 4, name: image.name)
    let note = try unsafe ImageLibrary(image).call(image.bytes) { file in
      unsafe fovea_tiff_decode(file, UInt32(size.width), UInt32(size.height), memory.base)
    }
    unsafe PixelComposition.premultipliedOverWhite(memory.base, count: size.area)
    return .rgb(of: image, size: size, memory: memory, note: note.isEmpty ? nil : note)
  }
}
