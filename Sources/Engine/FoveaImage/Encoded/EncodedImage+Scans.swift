// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension EncodedImage {
  /// The number of scans that a JPEG decoder processes, not counting thumbnails and trailing data.
  var scanCount: Int {
    var count = 0
    visitSegments { marker, _ in
      if marker == 0xda { count += 1 }
      return true
    }
    return count
  }

  /// The bits of coefficients that the scans of a JPEG contain; nil for arithmetic coding and for damaged
  /// headers.
  var scanProgress: ScanProgress? {
    var progress = ScanProgress()
    var isReadable = true
    visitSegments { marker, segment in
      switch marker {
      // Of the markers from 0xc0 to 0xcf, these three do not begin a frame.
      case 0xc4, 0xc8, 0xcc: break
      case 0xc0...0xcf: isReadable = progress.take(frame: segment(), marker: marker)
      case 0xda: isReadable = progress.take(scan: segment())
      default: break
      }
      return isReadable && !(progress.hasFrame && progress.isComplete)
    }
    return isReadable && progress.hasFrame ? progress : nil
  }

  /// Visits the segments that a JPEG decoder processes, and stops at the end of the image.
  /// - Parameter visit: Returns whether to continue, given a marker and a function that returns the bytes of
  ///   its segment after their length.
  ///
  /// **Source:** ITU-T T.81, annex B: markers, the lengths of their segments, and coded data without markers.
  private func visitSegments(_ visit: (_ marker: UInt8, _ segment: () -> ByteReader) -> Bool) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var offset = 2
      // memchr, because a loop over every byte would take a tenth of the decoding time.
      while offset + 1 < buffer.count,
        let found = unsafe memchr(base + offset, 0xff, buffer.count - 1 - offset)
      {
        let index = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        switch unsafe buffer[index + 1] {
        case 0xff: offset = index + 1
        // An escaped byte of coded data, and markers without a segment.
        case 0x00, 0x01, 0xd0...0xd7: offset = index + 2
        // The image ends, or another begins within it, which is an error.
        case 0xd8, 0xd9: return
        case let marker:
          let isWhole = index + 3 < buffer.count
          let length = unsafe isWhole ? Int(buffer[index + 2]) << 8 | Int(buffer[index + 3]) : 2
          let goesOn = visit(marker) { ByteReader(bytes, from: index + 4, count: length - 2) }
          guard isWhole, goesOn else { return }
          offset = index + 2 + max(2, length)
        }
      }
    }
  }
}
