// SPDX-License-Identifier: Apache-2.0

/// The checksum of ZIP entries: CRC-32 with the reversed polynomial 0xEDB88320 (ISO 3309).
struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for index in 0..<bytes.count {
      value = Self.table[Int((value ^ UInt32(bytes[index])) & 0xFF)] ^ value >> 8
    }
    return ~value
  }
}
