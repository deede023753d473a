// SPDX-License-Identifier: Apache-2.0

import CWebP
import FoveaGeometry

extension ImageHeader {
  /// Reads the size through libwebp and searches the chunks for EXIF.
  ///
  /// **Source:** RFC 9649, section 2.
  init(webp bytes: [UInt8], name: String) throws(ImageError) {
    var features = WebPBitstreamFeatures()
    let status = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe WebPGetFeatures(buffer.baseAddress, buffer.count, &features)
    }
    switch status {
    case VP8_STATUS_OK: break
    case VP8_STATUS_NOT_ENOUGH_DATA: throw .truncated(name, .webp, byteCount: bytes.count)
    default: throw .corrupt(name, .webp, "libwebp does not accept the header")
    }
    guard features.width > 0, features.height > 0 else {
      throw .corrupt(name, .webp, "the size is \(features.width) × \(features.height)")
    }
    self.init(size: PixelSize(width: Int(features.width), height: Int(features.height)))
    let reader = ByteReader(bytes)
    // Only the extended layout (VP8X) may contain EXIF.
    guard reader.matches("VP8X", at: 12) else { return }
    var offset = 12
    while let length = reader.uint32LE(at: offset + 4) {
      if reader.matches("EXIF", at: offset) {
        // Some writers keep JPEG's prefix before the TIFF header.
        let prefix = reader.matches("Exif\0\0", at: offset + 8) ? 6 : 0
        orientation = Orientation(exif: ByteReader(bytes, from: offset + 8 + prefix, count: length - prefix))
        return
      }
      offset += 8 + length + length % 2
    }
  }
}
