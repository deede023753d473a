// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

extension EncodedImage {
  /// How many scans a JPEG has at most: its start-of-scan markers, those of a thumbnail included.
  ///
  /// **Source:** ITU-T T.81, annex B.1.1.2 and F.1.2.3: coded data holds no 0xff that a marker's code follows.
  var scanCount: Int {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      var count = 0
      var offset = 0
      // memchr, because a loop over every byte would cost a tenth of the decoding.
      while offset + 1 < bytes.count,
        let found = unsafe memchr(base + offset, 0xff, bytes.count - 1 - offset)
      {
        let index = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        if unsafe bytes[index + 1] == 0xda { count += 1 }
        offset = index + 1
      }
      return count
    }
  }
}
