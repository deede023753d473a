// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension ImageHeader {
  /// Reads the IHDR chunk and searches the others for eXIf.
  ///
  /// **Source:** PNG, third edition, sections 5.3, 11.2.1 and 11.3.4.5.
  init(png bytes: [UInt8], name: String) throws(ImageError) {
    let reader = ByteReader(bytes)
    guard let width = reader.uint32BE(at: 16), let height = reader.uint32BE(at: 20) else {
      throw .truncated(name, .png, byteCount: bytes.count)
    }
    guard reader.matches("IHDR", at: 12) else { throw .corrupt(name, .png, "no IHDR chunk at the start") }
    guard width > 0, height > 0, width <= Int(Int32.max), height <= Int(Int32.max) else {
      throw .corrupt(name, .png, "the size is \(PixelSize(width: width, height: height))")
    }
    self.init(size: PixelSize(width: width, height: height))
    var offset = 8
    var hasOrientation = false
    while let length = reader.uint32BE(at: offset), let kind = reader.uint32BE(at: offset + 4) {
      // libpng stops reading after the last row, and would accept a truncated file.
      guard offset + 8 + length <= bytes.count else { throw .truncated(name, .png, byteCount: bytes.count) }
      if kind == 0x4945_4e44 { return }  // IEND
      if kind == 0x6558_4966, !hasOrientation {  // eXIf
        orientation = Orientation(exif: ByteReader(bytes, from: offset + 8, count: length))
        hasOrientation = true
      }
      offset += length + 12
    }
  }
}
