// SPDX-License-Identifier: Apache-2.0

/// XXH64, a fast 64-bit hash with good distribution, for distributing work; not for secrets.
///
/// **Source:** Y. Collet, "xxHash fast digest algorithm", specification 0.1.1, section "XXH64 Algorithm
/// Description".
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the hash of bytes.
  package static func hash(of bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    var at = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = [seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1]
      while bytes.count - at >= 32 {
        for lane in lanes.indices {
          lanes[lane] = round(lanes[lane], number(bytes[at..<at + 8]))
          at += 8
        }
      }
      hash = rotated(lanes[0], 1) &+ rotated(lanes[1], 7) &+ rotated(lanes[2], 12) &+ rotated(lanes[3], 18)
      for lane in lanes { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    } else {
      hash = seed &+ prime5
    }
    return finished(hash &+ UInt64(bytes.count), bytes[at...])
  }

  /// Mixes in the last bytes, fewer than 32, and then all bits.
  private static func finished(_ start: UInt64, _ rest: ArraySlice<UInt8>) -> UInt64 {
    var hash = start
    var rest = rest
    while rest.count >= 8 {
      hash = rotated(hash ^ round(0, number(rest.prefix(8))), 27) &* prime1 &+ prime4
      rest = rest.dropFirst(8)
    }
    if rest.count >= 4 {
      hash = rotated(hash ^ number(rest.prefix(4)) &* prime1, 23) &* prime2 &+ prime3
      rest = rest.dropFirst(4)
    }
    for byte in rest { hash = rotated(hash ^ UInt64(byte) &* prime5, 11) &* prime1 }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  /// Returns the little-endian number of bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
