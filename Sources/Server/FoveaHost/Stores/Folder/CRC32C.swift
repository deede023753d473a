// SPDX-License-Identifier: Apache-2.0
#if Server
/// The CRC-32C (Castagnoli) checksum, which Google's storage clients send.
///
/// Processes eight bytes at a time with tables.
///
/// **Source:** RFC 3720, appendix B.4; Kounavis and Berry, "Novel Table Lookup-Based Algorithms for
/// High-Performance CRC Generation", IEEE Transactions on Computers, 2008.
package struct CRC32C: Sendable {
  private var register: UInt32 = 0xFFFF_FFFF

  package init() {}

  /// The checksum of the bytes so far.
  package var value: UInt32 { ~register }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = register
    var index = 0
    unsafe Self.tables.withUnsafeBufferPointer { table in
      while bytes.count - index >= 8 {
        // SAFETY: eight bytes are left; an index into the tables is a byte plus the offset of one of eight
        // tables.
        let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        crc = unsafe table[1792 + Int(mixed & 0xFF)] ^ table[1536 + Int(mixed >> 8 & 0xFF)]
        crc ^= unsafe table[1280 + Int(mixed >> 16 & 0xFF)] ^ table[1024 + Int(mixed >> 24 & 0xFF)]
        crc ^= unsafe table[768 + Int(mixed >> 32 & 0xFF)] ^ table[512 + Int(mixed >> 40 & 0xFF)]
        crc ^= unsafe table[256 + Int(mixed >> 48 & 0xFF)] ^ table[Int(mixed >> 56)]
        index += 8
      }
      while index < bytes.count {
        crc = unsafe crc >> 8 ^ table[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
    }
    register = crc
  }

  /// Table `n` holds the checksum of a byte followed by `n` zero bytes.
  private static let tables: [UInt32] = {
    var table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
    }
    for index in 256..<2048 {
      let before = table[index - 256]
      table.append(before >> 8 ^ table[Int(before & 0xFF)])
    }
    return table
  }()
}
#endif
