// SPDX-License-Identifier: Apache-2.0

/// A random number generator whose numbers depend only on its seed, on every machine.
///
/// Not for secrets: each number reveals all later ones.
///
/// **Source:** Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to less than `bound`.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Shuffles values (Fisher, Yates); the standard library's shuffle may change with its version.
  package mutating func shuffle<Value>(_ values: inout [Value]) {
    for index in values.indices.dropFirst().reversed() { values.swapAt(index, below(index + 1)) }
  }
}
