// SPDX-License-Identifier: Apache-2.0

/// A short hash of bytes that is the same in every run, unlike Swift's own `Hasher`.
package enum FNV1a {
  /// Returns the 64-bit hash.
  ///
  /// **Source:** Fowler, Noll, Vo, Eastlake, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
