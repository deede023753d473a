// SPDX-License-Identifier: Apache-2.0

import CWebP
import FoveaGeometry

/// Decodes one WebP, or the first frame of an animated one, through libwebp.
struct WebPDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode(scaledFor target: DecodeTarget) throws(ImageError) -> DecodedImage {
    let result: Result<DecodedImage, ImageError> = unsafe image.bytes.withUnsafeBufferPointer { bytes in
      do throws(ImageError) {
        var config = unsafe WebPDecoderConfig()
        guard unsafe WebPInitDecoderConfig(&config) != 0 else {
          throw .unsupported(
            image.name, "the installed libwebp differs from the version that Fovea was built with")
        }
        try unsafe check(WebPGetFeatures(bytes.baseAddress, bytes.count, &config.input))
        let isAnimation = unsafe config.input.has_animation != 0
        return unsafe .success(
          isAnimation
            ? try firstFrame(bytes, &config) : try still(bytes, &config, scaledFor: target))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func still(
    _ bytes: UnsafeBufferPointer<UInt8>, _ config: inout WebPDecoderConfig, scaledFor target: DecodeTarget
  ) throws(ImageError) -> DecodedImage {
    // libwebp averages areas while it scales, row by row; the full-size image is never stored.
    let reduction = target.reduction(of: image.size)
    let size = PixelSize(
      width: (image.size.width + reduction - 1) / reduction,
      height: (image.size.height + reduction - 1) / reduction)
    let hasAlpha = unsafe config.input.has_alpha != 0
    let memory = try PixelMemory(count: size.area * (hasAlpha ? 4 : 3), name: image.name)
    if reduction > 1 {
      unsafe config.options.use_scaling = 1
      unsafe config.options.scaled_width = Int32(size.width)
      unsafe config.options.scaled_height = Int32(size.height)
    }
    try unsafe decode(bytes, &config, into: memory, width: size.width, hasAlpha: hasAlpha)
    if hasAlpha { unsafe PixelComposition.rgbaOverWhite(memory.base, count: size.area) }
    return .rgb(of: image, size: size, memory: memory)
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ config: inout WebPDecoderConfig, into memory: PixelMemory,
    width: Int,
    hasAlpha: Bool
  ) throws(ImageError) {
    let channels = hasAlpha ? 4 : 3
    unsafe config.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
    unsafe config.output.is_external_memory = 1
    unsafe config.output.u.RGBA = unsafe WebPRGBABuffer(
      rgba: memory.base, stride: Int32(width * channels), size: memory.count)
    let status = unsafe WebPDecode(bytes.baseAddress, bytes.count, &config)
    unsafe WebPFreeDecBuffer(&config.output)
    try check(status)
  }

  /// Decodes the first frame onto the animation's canvas, white outside the frame.
  private func firstFrame(
    _ bytes: UnsafeBufferPointer<UInt8>, _ config: inout WebPDecoderConfig
  ) throws(ImageError) -> DecodedImage {
    var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
    guard let demuxer = unsafe WebPDemux(&data) else {
      throw isCutOff
        ? .truncated(image.name, .webp, byteCount: image.byteCount)
        : .corrupt(image.name, .webp, "the chunks of the animation are inconsistent")
    }
    defer { unsafe WebPDemuxDelete(demuxer) }
    var frame = unsafe WebPIterator()
    guard unsafe WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else {
      throw .corrupt(image.name, .webp, "the animation has no frame")
    }
    defer { unsafe WebPDemuxReleaseIterator(&frame) }
    let canvas = image.size
    let x = unsafe Int(frame.x_offset)
    let y = unsafe Int(frame.y_offset)
    let width = unsafe Int(frame.width)
    let height = unsafe Int(frame.height)
    guard x >= 0, y >= 0, width > 0, height > 0, x + width <= canvas.width, y + height <= canvas.height else {
      throw .corrupt(image.name, .webp, "the first frame lies outside the animation")
    }
    let pixels = try PixelMemory(count: width * height * 4, name: image.name)
    let fragment = unsafe UnsafeBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size)
    try unsafe decode(fragment, &config, into: pixels, width: width, hasAlpha: true)
    unsafe PixelComposition.rgbaOverWhite(pixels.base, count: width * height)
    if width == canvas.width && height == canvas.height {
      return .rgb(of: image, size: canvas, memory: pixels)
    }
    let memory = try PixelMemory(count: canvas.area * 3, name: image.name)
    unsafe memory.base.update(repeating: 255, count: canvas.area * 3)
    for row in 0..<height {
      unsafe (memory.base + ((y + row) * canvas.width + x) * 3).update(
        from: pixels.base + row * width * 3, count: width * 3)
    }
    return .rgb(of: image, size: canvas, memory: memory)
  }

  /// Whether the file is shorter than its first chunk declares.
  private var isCutOff: Bool {
    ByteReader(image.bytes).uint32LE(at: 4).map { $0 + 8 > image.byteCount } ?? true
  }

  private func check(_ status: VP8StatusCode) throws(ImageError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(image.name, byteCount: image.size.area * 4)
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
      throw .truncated(image.name, .webp, byteCount: image.byteCount)
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      throw .unsupported(image.name, "the WebP uses a feature that libwebp does not support")
    default:
      throw isCutOff
        ? .truncated(image.name, .webp, byteCount: image.byteCount)
        : .corrupt(image.name, .webp, "the pixels do not decode (libwebp status \(status.rawValue))")
    }
  }
}
