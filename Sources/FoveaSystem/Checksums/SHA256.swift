// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 checksum of bytes, which identifies a file and verifies a download.
///
/// Written here because the alternative, a cryptography package, makes a first build twice as long for this one sum.
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

  /// Starts an empty sum.
  package init() {}

  /// The checksum of `bytes` as 64 lowercase hexadecimal digits.
  package static func hexadecimal(of bytes: Span<UInt8>) -> String {
    var sum = SHA256()
    sum.update(bytes)
    return sum.finish()
  }

  /// The checksum of `bytes` as 32 bytes.
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

  /// Ends the sum.
  /// - Returns: 64 lowercase hexadecimal digits.
  package mutating func finish() -> String {
    digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Ends the sum.
  /// - Returns: 32 bytes.
  package mutating func digest() -> [UInt8] {
    let bitCount = byteCount &* 8
    var tail: [UInt8] = [0x80]
    while (pending.count + tail.count) % Self.blockSize != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    update(tail.span)
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private mutating func compress(_ bytes: Span<UInt8>, at start: Int) {
    for word in 0..<16 {
      let offset = start + word * 4
      schedule[word] =
        UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
        | UInt32(bytes[offset + 3])
    }
    for word in 16..<64 {
      let a = schedule[word - 15]
      let b = schedule[word - 2]
      let small0 = Self.rotate(a, 7) ^ Self.rotate(a, 18) ^ (a >> 3)
      let small1 = Self.rotate(b, 17) ^ Self.rotate(b, 19) ^ (b >> 10)
      schedule[word] = schedule[word - 16] &+ small0 &+ schedule[word - 7] &+ small1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let big1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ big1 &+ choice &+ Self.constants[round] &+ schedule[round]
      let big0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ big0 &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
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
