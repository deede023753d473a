// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG

/// Decodes pictures, keeping what its libraries set up from one to the next.
///
/// Not `Sendable`: one worker owns it.
@safe public final class ImageDecoder {
  // SAFETY: made at the first JPEG, destroyed in deinit, used by one owner at a time.
  private var jpegHandle: tjhandle?

  /// Makes a decoder.
  public init() {}

  deinit {
    if let jpegHandle = unsafe jpegHandle { unsafe tjDestroy(jpegHandle) }
  }

  /// Decodes a picture.
  /// - Parameters:
  ///   - image: The picture.
  ///   - target: The least size that is needed.
  /// - Returns: The pixels, not yet turned upright.
  /// - Throws: `ImageError` when the file is damaged or cut off, or there is no memory.
  public func decode(
    _ image: EncodedImage, scaledFor target: DecodeTarget = .full
  ) throws(ImageError) -> DecodedImage {
    switch image.format {
    case .jpeg: try unsafe JPEGDecoding(image, handle: handle(for: image)).decode(scaledFor: target)
    case .png: try PNGDecoding(image).decode()
    case .webp: try WebPDecoding(image).decode(scaledFor: target)
    }
  }

  func handle(for image: EncodedImage) throws(ImageError) -> tjhandle {
    if let jpegHandle = unsafe jpegHandle { return unsafe jpegHandle }
    guard let made = unsafe tjInitDecompress() else { throw .outOfMemory(image.name, byteCount: 0) }
    unsafe jpegHandle = made
    return unsafe made
  }
}
