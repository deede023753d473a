// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// An uncompressed BMP of 24 bits, for tests that are not about reading BMP.
struct BitmapFile {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func number(at position: Int) -> Int {
    Int(bytes[position]) | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2]) << 16
      | Int(bytes[position + 3]) << 24
  }

  /// The same pixels as a PNG file.
  func png() throws -> [UInt8] {
    let (start, width, height) = (number(at: 10), number(at: 18), number(at: 22))
    let stride = (width * 3 + 3) / 4 * 4
    let canvas = PixelCanvas(size: PixelSize(width: width, height: height))
    unsafe canvas.withUnsafeMutableBytes { target in
      for y in 0..<height {
        // Rows are stored from the bottom up, blue first, as on the canvas.
        let row = start + (height - 1 - y) * stride
        for x in 0..<width {
          for channel in 0..<3 {
            unsafe target[y * canvas.bytesPerRow + x * 4 + channel] = bytes[row + x * 3 + channel]
          }
        }
      }
    }
    return try canvas.encoded(as: .png)
  }
}
