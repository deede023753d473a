// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

/// Decodes images, keeping what its libraries set up from one to the next.
///
/// Not `Sendable`: one worker owns it.
@safe public final class ImageDecoder {
  // SAFETY: made at the first JPEG, destroyed in deinit, used by one owner at a time.
  private var jpegHandle: tjhandle?

  /// Makes a decoder.
  public init() {}

  deinit {
    discardHandle()
  }

  /// Decodes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - target: The least size that is needed.
  /// - Returns: The pixels, not yet rotated upright.
  /// - Throws: `ImageError` when the file is damaged or cut off, or there is no memory.
  public func decode(
    _ image: EncodedImage, scaledFor target: DecodeTarget = .full
  ) throws(ImageError) -> DecodedImage {
    switch image.format {
    case .jpeg: return try decodeJPEG(image, scaledFor: target)
    case .png: return try PNGDecoding(image).decode()
    case .webp: return try WebPDecoding(image).decode(scaledFor: target)
    case .gif: return try GIFDecoding(image).decode()
    case .bmp: return try BMPDecoding(image).decode()
    case .tiff: return try TIFFDecoding(image).decode()
    case .heic, .avif: return try HEIFDecoding(image).decode()
    }
  }

  private func decodeJPEG(
    _ image: EncodedImage, scaledFor target: DecodeTarget
  ) throws(ImageError) -> DecodedImage {
    do throws(ImageError) {
      let decoded = try unsafe JPEGDecoding(image, handle: handle(for: image)).decode(scaledFor: target)
      if decoded.note != nil { discardHandle() }
      return decoded
    } catch {
      // TurboJPEG can keep a part of a damaged file's state, and would refuse the sound files that follow.
      discardHandle()
      throw error
    }
  }

  private func discardHandle() {
    if let handle = unsafe jpegHandle { unsafe tjDestroy(handle) }
    unsafe jpegHandle = nil
  }

  func handle(for image: EncodedImage) throws(ImageError) -> tjhandle {
    if let jpegHandle = unsafe jpegHandle { return unsafe jpegHandle }
    guard let made = unsafe tjInitDecompress() else { throw .outOfMemory(image.name, byteCount: 0) }
    unsafe jpegHandle = made
    return unsafe made
  }
}
