// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension ImageHeader {
  /// Reads the size of the screen, or of the first frame if it is larger, as browsers and Pillow do.
  ///
  /// **Source:** GIF89a specification, sections 18 to 20.
  init(gif bytes: [UInt8], name: String) throws(ImageError) {
    let reader = ByteReader(bytes)
    guard let screenWidth = reader.uint16LE(at: 6), let screenHeight = reader.uint16LE(at: 8),
      let flags = reader.byte(at: 10)
    else { throw .truncated(name, .gif, byteCount: bytes.count) }
    var offset = 13 + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
    while true {
      guard let block = reader.byte(at: offset) else { throw .truncated(name, .gif, byteCount: bytes.count) }
      switch block {
      case 0x2c:
        guard let left = reader.uint16LE(at: offset + 1), let top = reader.uint16LE(at: offset + 3),
          let width = reader.uint16LE(at: offset + 5), let height = reader.uint16LE(at: offset + 7)
        else { throw .truncated(name, .gif, byteCount: bytes.count) }
        let size = PixelSize(width: max(screenWidth, left + width), height: max(screenHeight, top + height))
        guard width > 0, height > 0 else {
          throw .corrupt(name, .gif, "the first frame is \(PixelSize(width: width, height: height)) pixels")
        }
        self.init(size: size)
        return
      case 0x21:
        // An extension: its label, then sub-blocks of up to 255 bytes, terminated by an empty one.
        offset += 2
        while let length = reader.byte(at: offset), length != 0 { offset += Int(length) + 1 }
        offset += 1
      case 0x3b: throw .corrupt(name, .gif, "no frame before the end")
      default: throw .corrupt(name, .gif, "an unknown block (\(block)) at byte \(offset)")
      }
    }
  }
}
