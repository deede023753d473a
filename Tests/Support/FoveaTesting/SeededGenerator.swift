// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Random numbers that are the same in every run, on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var bits: SplitMix64

  /// Begins the sequence that belongs to `seed`.
  public init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { bits.next() }

  /// A number from 0 to less than `bound`.
  public mutating func below(_ bound: Int) -> Int { bits.below(bound) }

  /// A number of `range`.
  public mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
}
