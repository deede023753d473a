// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Random numbers that are the same in each run, on each machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var bits: SplitMix64

  /// Starts the sequence of `seed`.
  public init(seed: UInt64) { bits = SplitMix64(seed: seed) }

  /// The next 64 bits.
  public mutating func next() -> UInt64 { bits.next() }

  /// Returns a number from 0 to less than `bound`.
  public mutating func below(_ bound: Int) -> Int { bits.below(bound) }

  /// Returns a number of `range`.
  public mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
}
