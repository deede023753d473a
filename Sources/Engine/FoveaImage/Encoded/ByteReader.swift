// SPDX-License-Identifier: Apache-2.0

/// Bounds-checked reads of untrusted bytes; nil past the end.
struct ByteReader {
  let bytes: [UInt8]
  /// The readable range.
  let range: Range<Int>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = 0..<bytes.count
  }

  /// Creates a reader of a range, which becomes offset 0; a range beyond the end is clipped.
  init(_ bytes: [UInt8], from start: Int, count: Int) {
    self.bytes = bytes
    let lower = min(max(start, 0), bytes.count)
    range = lower..<(lower + min(max(count, 0), bytes.count - lower))
  }

  var count: Int { range.count }

  func byte(at offset: Int) -> UInt8? {
    offset >= 0 && offset < range.count ? bytes[range.lowerBound + offset] : nil
  }

  func uint16BE(at offset: Int) -> Int? {
    guard offset >= 0, offset <= range.count - 2 else { return nil }
    let start = range.lowerBound + offset
    return Int(bytes[start]) << 8 | Int(bytes[start + 1])
  }

  func uint16LE(at offset: Int) -> Int? {
    uint16BE(at: offset).map { $0 >> 8 | ($0 & 0xff) << 8 }
  }

  func uint32BE(at offset: Int) -> Int? {
    guard let high = uint16BE(at: offset), let low = uint16BE(at: offset + 2) else { return nil }
    return high << 16 | low
  }

  func uint32LE(at offset: Int) -> Int? {
    guard let low = uint16LE(at: offset), let high = uint16LE(at: offset + 2) else { return nil }
    return high << 16 | low
  }

  func int32LE(at offset: Int) -> Int? {
    uint32LE(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  func uint24LE(at offset: Int) -> Int? {
    guard let low = uint16LE(at: offset), let high = byte(at: offset + 2) else { return nil }
    return Int(high) << 16 | low
  }

  /// Returns the bytes at an offset, fewer than `count` at the end.
  func slice(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    let lower = range.lowerBound + min(max(offset, 0), range.count)
    return bytes[lower..<lower + min(max(count, 0), range.upperBound - lower)]
  }

  func matches(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { expected in
      guard offset >= 0, expected.count <= range.count, offset <= range.count - expected.count else {
        return false
      }
      for index in 0..<expected.count
      where unsafe bytes[range.lowerBound + offset + index] != expected[index] {
        return false
      }
      return true
    }
  }

  func contains(_ text: StaticString) -> Bool {
    (0..<count).contains { matches(text, at: $0) }
  }

  /// Whether the bytes are UTF-8 without control characters, except line breaks and others that occur in
  /// plain text.
  var looksLikeText: Bool {
    guard count > 0 else { return false }
    var continuation = 0
    for byte in bytes[range] {
      if continuation > 0 {
        guard byte & 0xc0 == 0x80 else { return false }
        continuation -= 1
      } else if byte < 0x80 {
        guard byte >= 0x20 && byte != 0x7f || (0x09...0x0d).contains(byte) || byte == 0x1b else {
          return false
        }
      } else {
        switch byte {
        case 0xc2...0xdf: continuation = 1
        case 0xe0...0xef: continuation = 2
        case 0xf0...0xf4: continuation = 3
        default: return false
        }
      }
    }
    return true
  }
}
