// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension EncodedImage {
  /// The number of scans that a JPEG decoder processes, not counting thumbnails and trailing data.
  ///
  /// **Source:** ITU-T T.81, annex B: markers, the lengths of their segments, and coded data without markers.
  var scanCount: Int {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var count = 0
      var offset = 2
      // memchr, because a loop over every byte would take a tenth of the decoding time.
      while offset + 1 < bytes.count,
        let found = unsafe memchr(base + offset, 0xff, bytes.count - 1 - offset)
      {
        let index = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        switch unsafe bytes[index + 1] {
        case 0xff: offset = index + 1
        // An escaped byte of coded data, and markers without a segment.
        case 0x00, 0x01, 0xd0...0xd7: offset = index + 2
        // The image ends, or another begins within it, which is an error.
        case 0xd8, 0xd9: return count
        case let marker:
          if marker == 0xda { count += 1 }
          guard index + 3 < bytes.count else { return count }
          let length = unsafe Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
          offset = index + 2 + max(2, length)
        }
      }
      return count
    }
  }
}
