// SPDX-License-Identifier: Apache-2.0

/// Reads the bits of untrusted bytes, the highest of each byte first; zeros past the end.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether more bits were read or skipped than there are.
  var isPastEnd: Bool { position > bytes.count * 8 }

  mutating func skip(_ count: Int) { position += count }

  mutating func flag() -> Bool { number(1) == 1 }

  /// Reads a number of up to 32 bits.
  mutating func number(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let byte = position / 8
      let bit = byte < bytes.count ? Int(bytes[byte]) >> (7 - position % 8) & 1 : 0
      value = value << 1 | bit
      position += 1
    }
    return value
  }

  /// Reads an Exp-Golomb code: `ue(v)` of HEVC (section 9.2), `uvlc()` of AV1 (section 4.10.3).
  mutating func exponential() -> Int {
    var zeros = 0
    while zeros < 32, !flag() { zeros += 1 }
    return (1 << zeros) - 1 + number(zeros)
  }
}
