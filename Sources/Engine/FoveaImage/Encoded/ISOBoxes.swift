// SPDX-License-Identifier: Apache-2.0

/// The boxes of a file in the ISO base media format, such as HEIC and AVIF.
///
/// **Source:** ISO/IEC 14496-12, section 4.2.
struct ISOBoxes {
  let reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes) }

  /// The boxes that are in no other.
  var outermost: [(kind: Int, content: Range<Int>)] { boxes(in: 0..<reader.count) }

  /// Returns the boxes in a range of the file: their kinds, four letters as a number, and their contents.
  func boxes(in part: Range<Int>) -> [(kind: Int, content: Range<Int>)] {
    var found: [(kind: Int, content: Range<Int>)] = []
    var offset = part.lowerBound
    while let size = reader.uint32BE(at: offset), let kind = reader.uint32BE(at: offset + 4),
      offset < part.upperBound
    {
      var head = 8
      var length = size
      if size == 1 {
        head = 16
        length = number(at: offset + 8, count: 8) ?? 0
      } else if size == 0 {
        length = part.upperBound - offset
      }
      guard length >= head, length <= part.upperBound - offset else { break }
      found.append((kind, offset + head..<offset + length))
      offset += length
    }
    return found
  }

  /// Returns the range after a box's version, its flags and `more` further bytes.
  func behindVersion(_ content: Range<Int>, _ more: Int = 0) -> Range<Int> {
    min(content.lowerBound + 4 + more, content.upperBound)..<content.upperBound
  }

  /// Returns the number of bytes of the count in `iinf`.
  func itemCountSize(_ content: Range<Int>) -> Int {
    reader.byte(at: content.lowerBound) == 0 ? 2 : 4
  }

  /// Returns a reader of a range of the file.
  func part(_ range: Range<Int>) -> ByteReader {
    ByteReader(reader.bytes, from: range.lowerBound, count: range.count)
  }

  /// Returns a number of 0 to 8 bytes; nil past the end of the file, or if it exceeds the supported range.
  func number(at offset: Int, count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      guard let byte = reader.byte(at: offset + index), value < 1 << 54 else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }
}

/// The kinds of boxes that Fovea reads.
enum ISOBoxKind {
  static let meta = 0x6d65_7461
  static let pitm = 0x7069_746d
  static let iloc = 0x696c_6f63
  static let iinf = 0x6969_6e66
  static let infe = 0x696e_6665
  static let iref = 0x6972_6566
  static let idat = 0x6964_6174
  static let iprp = 0x6970_7270
  static let ipco = 0x6970_636f
  static let ipma = 0x6970_6d61
  static let ispe = 0x6973_7065
  static let hvcC = 0x6876_6343
  static let av1C = 0x6176_3143
  /// References: from an image to its parts, and from a companion, such as transparency, to its image.
  static let dimg = 0x6469_6d67
  static let auxl = 0x6175_786c
  /// Kinds of items that are composed of others.
  static let grid = 0x6772_6964
  static let iovl = 0x696f_766c
}
