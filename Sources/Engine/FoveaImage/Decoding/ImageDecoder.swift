// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
public import FoveaGeometry

/// Decodes images, reusing the state of its libraries.
///
/// Not `Sendable`: one worker owns it.
@safe public final class ImageDecoder {
  // SAFETY: created for the first JPEG, destroyed in deinit, used by one owner at a time.
  private var jpegHandle: tjhandle?

  /// Creates a decoder.
  public init() {}

  deinit {
    discardHandle()
  }

  /// Decodes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - target: The minimum size.
  /// - Returns: The pixels, not yet rotated upright.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  public func decode(
    _ image: EncodedImage, scaledFor target: DecodeTarget = .full
  ) throws(ImageError) -> DecodedImage {
    switch image.format {
    case .jpeg: return try decodeJPEG(image, scaledFor: target)
    case .png: return try PNGDecoding(image).decode()
    case .webp: return try WebPDecoding(image).decode(scaledFor: target)
    case .gif: return try LibraryDecoding(image).gif()
    case .bmp: return try BMPDecoding(image).decode()
    case .tiff: return try LibraryDecoding(image).tiff()
    case .heic, .avif: return try LibraryDecoding(image).heif()
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
      // TurboJPEG can keep part of the state of a damaged file and would then refuse intact ones.
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

/// The required size of a decoded image.
public enum DecodeTarget: Sendable, Hashable {
  /// The stored size.
  case full
  /// At least this width and height, in the stored orientation; a larger image may be decoded at a half, a
  /// quarter or an eighth of its size, which is faster. A smaller image is decoded at its own size.
  case atLeast(PixelSize)

  /// Returns the largest of the factors 1, 2, 4 and 8 by which both sides of `size` may be divided.
  ///
  /// A reduced image must be a quarter larger than the target. Just above the target, two coarse filters in a
  /// row deviate four times as much from a single fine one (mean difference 2 of 255 instead of 0.5). Factors
  /// between powers of two have no vector code in libjpeg-turbo: 5/8 is slower than full size.
  func reduction(of size: PixelSize) -> Int {
    guard case .atLeast(let least) = self else { return 1 }
    func suffices(_ side: Int, _ factor: Int, _ least: Int) -> Bool {
      Double(side / factor) >= Double(least) * 1.25
    }
    for factor in [8, 4, 2]
    where suffices(size.width, factor, least.width) && suffices(size.height, factor, least.height) {
      return factor
    }
    return 1
  }
}
