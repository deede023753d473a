// SPDX-License-Identifier: Apache-2.0

import CPNG
import CTurboJPEG
import CWebP
import FoveaGeometry

extension PixelCanvas {
  /// Encodes the image.
  /// - Parameters:
  ///   - format: The file format, one of `ImageFormat.writable`.
  ///   - quality: 1…100 for JPEG and WebP, clamped to this range; ignored for PNG, which is lossless. Raising
  ///     it makes larger files with fewer artefacts.
  /// - Returns: The contents of an image file.
  /// - Throws: `ImageError` if Fovea does not write the format, the format cannot hold the image's size, or
  ///   memory is exhausted.
  public func encoded(as format: ImageFormat, quality: Int = 90) throws(ImageError) -> [UInt8] {
    let quality = min(max(quality, 1), 100)
    let result: Result<[UInt8], ImageError> = unsafe withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return .failure(failure(format, "no pixels")) }
      let pixels = unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
      return switch format {
      case .jpeg: unsafe encodeJPEG(pixels, quality: quality)
      case .png: unsafe encodePNG(pixels)
      case .webp: unsafe encodeWebP(pixels, quality: quality)
      case .heic, .avif, .gif, .bmp, .tiff: .failure(failure(format, "Fovea does not write this format"))
      }
    }
    return try result.get()
  }

  private func failure(_ format: ImageFormat, _ reason: String) -> ImageError {
    ImageError(
      .writeFailed,
      "the image of \(size) pixels could not be encoded as \(format): \(reason)",
      remedy: "Write it in another format, or at a smaller size", subject: "image")
  }

  private func encodeJPEG(_ pixels: UnsafePointer<UInt8>, quality: Int) -> Result<[UInt8], ImageError> {
    guard let handle = unsafe tjInitCompress() else { return .failure(.outOfMemory("image", byteCount: 0)) }
    defer { unsafe tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { unsafe tjFree(output) }
    let status = unsafe tjCompress2(
      handle, pixels, Int32(size.width), Int32(bytesPerRow), Int32(size.height), Int32(TJPF_BGRX.rawValue),
      &output,
      &count, Int32(TJSAMP_420.rawValue), Int32(quality), 0)
    guard status == 0, let output = unsafe output else {
      return .failure(failure(.jpeg, unsafe String(cString: tjGetErrorStr2(handle))))
    }
    return .success(unsafe [UInt8](UnsafeBufferPointer(start: output, count: Int(count))))
  }

  private func encodePNG(_ pixels: UnsafePointer<UInt8>) -> Result<[UInt8], ImageError> {
    var png = unsafe png_image()
    unsafe png.version = png_uint_32(PNG_IMAGE_VERSION)
    unsafe png.width = png_uint_32(size.width)
    unsafe png.height = png_uint_32(size.height)
    // The fourth byte of a pixel is unused, but libpng would write it as alpha, so the rows are packed first.
    unsafe png.format = png_uint_32(PNG_FORMAT_FLAG_COLOR) | png_uint_32(PNG_FORMAT_FLAG_BGR)
    unsafe png.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    defer { unsafe png_image_free(&png) }
    let packed = unsafe pack(pixels)
    let stride = png_int_32(size.width * 3)
    var count = size.width * size.height * 3 + size.height + (1 << 16)
    for _ in 0..<2 {
      var written = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        var length = png_alloc_size_t(buffer.count)
        let status = unsafe png_image_write_to_memory(
          &png, buffer.baseAddress, &length, 0, packed, stride, nil)
        written = Int(length)
        filled = status != 0 ? Int(length) : 0
      }
      if !bytes.isEmpty { return .success(bytes) }
      // If the buffer is too small, libpng returns the required size.
      guard written > count else { break }
      count = written
    }
    let message = unsafe withUnsafeBytes(of: png.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return .failure(failure(.png, message))
  }

  /// Returns blue, green and red, without the unused byte and without gaps between rows.
  private func pack(_ pixels: UnsafePointer<UInt8>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size.area * 3) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      for row in 0..<size.height {
        let source = unsafe pixels + row * bytesPerRow
        let target = unsafe base + row * size.width * 3
        for x in 0..<size.width {
          unsafe target[x &* 3] = unsafe source[x &* 4]
          unsafe target[x &* 3 &+ 1] = unsafe source[x &* 4 &+ 1]
          unsafe target[x &* 3 &+ 2] = unsafe source[x &* 4 &+ 2]
        }
      }
      filled = size.area * 3
    }
  }

  private func encodeWebP(_ pixels: UnsafePointer<UInt8>, quality: Int) -> Result<[UInt8], ImageError> {
    guard max(size.width, size.height) <= Int(WEBP_MAX_DIMENSION) else {
      return .failure(failure(.webp, "the longest side allowed is \(WEBP_MAX_DIMENSION) pixels"))
    }
    let packed = unsafe pack(pixels)
    var output: UnsafeMutablePointer<UInt8>?
    let count = unsafe packed.withUnsafeBufferPointer { packed in
      unsafe WebPEncodeBGR(
        packed.baseAddress, Int32(size.width), Int32(size.height), Int32(size.width * 3), Float(quality),
        &output)
    }
    defer { unsafe WebPFree(output) }
    guard count > 0, let output = unsafe output else { return .failure(failure(.webp, "libwebp refused it")) }
    return .success(unsafe [UInt8](UnsafeBufferPointer(start: output, count: count)))
  }
}
