// SPDX-License-Identifier: Apache-2.0

import CPNG
import FoveaGeometry

/// Decodes one PNG through libpng's simplified interface.
struct PNGDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    var png = unsafe png_image()
    unsafe png.version = png_uint_32(PNG_IMAGE_VERSION)
    // libpng reads from the bytes in the second call as well, so both are inside one scope.
    let result: Result<DecodedImage, ImageError> = unsafe image.bytes.withUnsafeBytes { bytes in
      defer { unsafe png_image_free(&png) }
      do throws(ImageError) {
        guard unsafe png_image_begin_read_from_memory(&png, bytes.baseAddress, bytes.count) != 0 else {
          throw unsafe failure(png)
        }
        return .success(try unsafe finish(&png))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func finish(_ png: inout png_image) throws(ImageError) -> DecodedImage {
    guard unsafe Int(png.width) == image.size.width, unsafe Int(png.height) == image.size.height else {
      throw .corrupt(image.name, .png, "two headers disagree on the size")
    }
    let isColor = unsafe png.format & png_uint_32(PNG_FORMAT_FLAG_COLOR) != 0
    let hasAlpha = unsafe png.format & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0
    unsafe png.format =
      (isColor ? png_uint_32(PNG_FORMAT_FLAG_COLOR) : 0) | (hasAlpha ? png_uint_32(PNG_FORMAT_FLAG_ALPHA) : 0)
    unsafe png.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
    let channels = (isColor ? 3 : 1) + (hasAlpha ? 1 : 0)
    let memory = try PixelMemory(count: image.size.area * channels, name: image.name)
    guard
      unsafe png_image_finish_read(&png, nil, memory.base, png_int_32(image.size.width * channels), nil) != 0
    else { throw unsafe failure(png) }
    switch (isColor, hasAlpha) {
    case (true, true): unsafe PixelComposition.rgbaOverWhite(memory.base, count: image.size.area)
    case (false, true): unsafe PixelComposition.greyAlphaOverWhite(memory.base, count: image.size.area)
    default: break
    }
    return isColor
      ? .rgb(of: image, size: image.size, memory: memory, scale: 1) : .grey(of: image, memory: memory)
  }

  /// libpng has no codes; its messages tell a short file from a damaged one.
  private func failure(_ png: png_image) -> ImageError {
    let message = unsafe withUnsafeBytes(of: png.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if message.contains("read beyond end") || message.contains("ot enough") {
      return .truncated(image.name, .png, byteCount: image.byteCount)
    }
    if message.contains("memory") { return .outOfMemory(image.name, byteCount: image.size.area * 4) }
    return .corrupt(image.name, .png, message)
  }
}
