// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension ImageHeader {
  /// Parses the segments up to the frame header (SOFn), keeping the orientation of the first EXIF block.
  ///
  /// **Source:** ITU-T T.81, annex B.
  init(jpeg bytes: [UInt8], name: String) throws(ImageError) {
    let reader = ByteReader(bytes)
    var orientation: Orientation?
    var offset = 2
    while true {
      // Faulty writers leave bytes between segments, and any number of 0xff may precede a marker.
      while let byte = reader.byte(at: offset), byte != 0xff { offset += 1 }
      while reader.byte(at: offset) == 0xff { offset += 1 }
      guard let marker = reader.byte(at: offset) else {
        throw .truncated(name, .jpeg, byteCount: bytes.count)
      }
      offset += 1
      switch marker {
      case 0x00, 0x01, 0xd0...0xd8: continue
      case 0xd9, 0xda: throw .corrupt(name, .jpeg, "no frame header before the pixels")
      default: break
      }
      guard let length = reader.uint16BE(at: offset) else {
        throw .truncated(name, .jpeg, byteCount: bytes.count)
      }
      guard length >= 2 else { throw .corrupt(name, .jpeg, "a segment of \(length) bytes") }
      if marker == 0xe1, orientation == nil, reader.matches("Exif\0", at: offset + 2) {
        orientation = Orientation(exif: ByteReader(bytes, from: offset + 8, count: length - 8))
      }
      if (0xc0...0xcf).contains(marker), marker != 0xc4, marker != 0xc8, marker != 0xcc {
        guard let precision = reader.byte(at: offset + 2), let height = reader.uint16BE(at: offset + 3),
          let width = reader.uint16BE(at: offset + 5)
        else { throw .truncated(name, .jpeg, byteCount: bytes.count) }
        guard precision == 8 else {
          throw .unsupported(name, "the JPEG has \(precision) bits a sample, Fovea reads 8")
        }
        guard width > 0, height > 0 else {
          throw .corrupt(name, .jpeg, "the size is \(PixelSize(width: width, height: height))")
        }
        self.init(size: PixelSize(width: width, height: height), orientation: orientation ?? .up)
        return
      }
      offset += length
    }
  }
}
