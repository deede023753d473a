// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension Orientation {
  /// Reads tag 0x0112 of the first directory of an EXIF block (a TIFF header and the data after it).
  ///
  /// A damaged block, one without this tag, or an undefined value yields `up`, as in image viewers: a wrong
  /// rotation is less bad than a photo that does not open.
  ///
  /// **Source:** TIFF 6.0, section 2; Exif 2.32, section 4.6.4.
  init(exif tiff: ByteReader) {
    self = .up
    let isLittleEndian: Bool
    switch tiff.uint16BE(at: 0) {
    case 0x4949: isLittleEndian = true
    case 0x4d4d: isLittleEndian = false
    default: return
    }
    func short(_ offset: Int) -> Int? {
      isLittleEndian ? tiff.uint16LE(at: offset) : tiff.uint16BE(at: offset)
    }
    func long(_ offset: Int) -> Int? {
      isLittleEndian ? tiff.uint32LE(at: offset) : tiff.uint32BE(at: offset)
    }
    guard short(2) == 42, let directory = long(4), let count = short(directory) else { return }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = short(entry) else { return }
      if tag == 0x0112 {
        // Type 3 is SHORT; some writers use LONG (4), whose value is valid as well.
        let value = short(entry + 2) == 4 ? long(entry + 8) : short(entry + 8)
        guard let value, let orientation = Orientation(rawValue: value) else { return }
        self = orientation
        return
      }
    }
  }
}
