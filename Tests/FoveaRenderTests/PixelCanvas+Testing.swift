// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender

extension PixelCanvas {
  /// The bytes after the last pixel of a row in a canvas created by `init(size:filled:)`.
  private static let padding: UInt8 = 0xA5

  convenience init(size: PixelSize, filled color: RGBColor) {
    self.init(size: size)
    let rowBytes = bytesPerRow
    let pixel = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    unsafe withUnsafeMutableBytes { bytes in
      unsafe _ = bytes.initializeMemory(as: UInt8.self, repeating: Self.padding)
      for y in 0..<size.height {
        let row = unsafe UnsafeMutableRawBufferPointer(
          rebasing: bytes[(y * rowBytes)..<(y * rowBytes + size.width * 4)])
        unsafe _ = row.initializeMemory(as: UInt32.self, repeating: pixel.littleEndian)
      }
    }
  }

  /// All bytes, including those between the rows of pixels.
  var bytes: [UInt8] { unsafe withUnsafeMutableBytes { unsafe [UInt8]($0) } }

  func color(_ x: Int, _ y: Int) -> RGBColor {
    let offset = y * bytesPerRow + x * 4
    return unsafe withUnsafeMutableBytes {
      unsafe RGBColor(red: $0[offset + 2], green: $0[offset + 1], blue: $0[offset])
    }
  }

  /// The number of pixels of an area with exactly this colour.
  func count(_ color: RGBColor, in area: BoundingBox) -> Int {
    (Int(area.minY)..<Int(area.maxY)).reduce(0) { sum, y in
      sum + (Int(area.minX)..<Int(area.maxX)).count { self.color($0, y) == color }
    }
  }

  /// Whether the bytes between the rows are unchanged.
  var paddingIsUntouched: Bool {
    let all = bytes
    return (0..<size.height).allSatisfy { y in
      all[(y * bytesPerRow + size.width * 4)..<((y + 1) * bytesPerRow)].allSatisfy { $0 == Self.padding }
    }
  }
}
