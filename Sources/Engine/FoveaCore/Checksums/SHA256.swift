// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 checksum of bytes, which identifies a file and verifies a download.
///
/// Written here because a cryptography package would make a first build take twice as long.
///
/// **Source:** FIPS 180-4, sections 4.1.2, 5 and 6.2.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  private static let blockSize = 64

  /// Creates an empty sum.
  package init() {}

  /// Returns the checksum of `bytes` as 64 lowercase hexadecimal digits.
  package static func hexadecimal(of bytes: Span<UInt8>) -> String {
    var sum = SHA256()
    sum.update(bytes)
    return sum.finish()
  }

  /// Returns the checksum of `bytes` as 32 bytes.
  package static func digest(of bytes: Span<UInt8>) -> [UInt8] {
    var sum = SHA256()
    sum.update(bytes)
    return sum.digest()
  }

  /// Adds bytes; may be called any number of times.
  package mutating func update(_ bytes: Span<UInt8>) {
    byteCount &+= UInt64(bytes.count)
    var index = 0
    if !pending.isEmpty {
      while pending.count < Self.blockSize, index < bytes.count {
        pending.append(bytes[index])
        index += 1
      }
      guard pending.count == Self.blockSize else { return }
      let block = pending
      pending.removeAll(keepingCapacity: true)
      compress(block.span, at: 0)
    }
    while index + Self.blockSize <= bytes.count {
      compress(bytes, at: index)
      index += Self.blockSize
    }
    while index < bytes.count {
      pending.append(bytes[index])
      index += 1
    }
  }

  /// Finishes the sum.
  /// - Returns: 64 lowercase hexadecimal digits.
  package mutating func finish() -> String { Hexadecimal.encode(digest()) }

  /// Finishes the sum.
  /// - Returns: 32 bytes.
  package mutating func digest() -> [UInt8] {
    let bitCount = byteCount &* 8
    // Pads to 56 bytes of a block, which leaves eight for the length.
    var tail: [UInt8] = [0x80] + [UInt8](repeating: 0, count: (119 - pending.count) % Self.blockSize)
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    update(tail.span)
    var digest: [UInt8] = []
    for word in state {
      digest.append(UInt8(truncatingIfNeeded: word &>> 24))
      digest.append(UInt8(truncatingIfNeeded: word &>> 16))
      digest.append(UInt8(truncatingIfNeeded: word &>> 8))
      digest.append(UInt8(truncatingIfNeeded: word))
    }
    return digest
  }

  private mutating func compress(_ bytes: Span<UInt8>, at start: Int) {
    for word in 0..<16 {
      let offset = start + word * 4
      schedule[word] =
        UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
        | UInt32(bytes[offset + 3])
    }
    // Rotations are written out and loops avoid ranges: debug builds inline nothing, and tests hash a lot.
    var word = 16
    while word < 64 {
      let a = schedule[word &- 15]
      let b = schedule[word &- 2]
      let small0 = (a &>> 7 | a &<< 25) ^ (a &>> 18 | a &<< 14) ^ (a &>> 3)
      let small1 = (b &>> 17 | b &<< 15) ^ (b &>> 19 | b &<< 13) ^ (b &>> 10)
      schedule[word] = schedule[word &- 16] &+ small0 &+ schedule[word &- 7] &+ small1
      word &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    let constants = Self.constants
    var round = 0
    while round < 64 {
      let big1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ big1 &+ choice &+ constants[round] &+ schedule[round]
      let big0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      round &+= 1
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ big0 &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
