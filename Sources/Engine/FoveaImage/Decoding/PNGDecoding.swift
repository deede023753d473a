// SPDX-License-Identifier: Apache-2.0

import CImages
import FoveaCore
import FoveaGeometry

/// Decodes one PNG through libpng, without gamma: models are trained on the stored numbers.
struct PNGDecoding {
  private let image: EncodedImage

  init(_ image: EncodedImage) { self.image = image }

  func decode() throws(ImageError) -> DecodedImage {
    var channels: Int32 = 0
    try unsafe read(nil, &channels)
    let memory = try PixelMemory(count: image.size.area * Int(channels), name: image.name)
    try unsafe read(memory.base, &channels)
    switch channels {
    case 1: return .grey(of: image, memory: memory)
    case 2:
      unsafe PixelComposition.greyAlphaOverWhite(memory.base, count: image.size.area)
      return .grey(of: image, memory: memory)
    case 4:
      unsafe PixelComposition.rgbaOverWhite(memory.base, count: image.size.area)
      return .rgb(of: image, size: image.size, memory: memory)
    default: return .rgb(of: image, size: image.size, memory: memory)
    }
  }

  /// Decodes an image with one sample of at most 8 bits for each pixel, as stored.
  /// - Returns: The index of the palette's colour, or the grey value, of each pixel, row by row.
  func samples() throws(ImageError) -> [UInt8] {
    var problem: ImageError?
    let count = image.size.area
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var channels: Int32 = 1
      do throws(ImageError) {
        try unsafe read(buffer.baseAddress, &channels, asStored: true)
        filled = count
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return samples
  }

  private func read(
    _ pixels: UnsafeMutablePointer<UInt8>?, _ channels: inout Int32, asStored: Bool = false
  ) throws(ImageError) {
    var message = [CChar](repeating: 0, count: 128)
    let status = unsafe image.bytes.withUnsafeBufferPointer { bytes in
      unsafe message.withUnsafeMutableBufferPointer { message in
        unsafe fovea_png_read(
          bytes.baseAddress, bytes.count, UInt32(image.size.width), UInt32(image.size.height), asStored,
          pixels, &channels, message.baseAddress, message.count)
      }
    }
    guard status != 0 else { return }
    throw failure(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// libpng has no error codes; its messages distinguish a truncated file from a damaged one.
  private func failure(_ message: String) -> ImageError {
    if message.contains(part: "memory") { return .outOfMemory(image.name, byteCount: image.size.area * 4) }
    if message.contains(part: "read beyond end") || message.contains(part: "ot enough") {
      return .truncated(image.name, .png, byteCount: image.byteCount)
    }
    return .corrupt(image.name, .png, message)
  }
}
