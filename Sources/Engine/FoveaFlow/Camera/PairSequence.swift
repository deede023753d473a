// SPDX-License-Identifier: Apache-2.0

/// Pairs of different indices that look random and are the same in every run.
///
/// **Source:** Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014 (SplitMix64).
struct PairSequence: Sendable {
  private var state: UInt64 = 1
  private let count: Int

  /// - Parameter count: The number of indices, at least 2.
  init(count: Int) { self.count = count }

  /// Two different indices below `count`.
  mutating func next() -> (Int, Int) {
    let first = below(count)
    let second = below(count - 1)
    return (first, second < first ? second : second + 1)
  }

  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed % UInt64(bound))
  }
}
