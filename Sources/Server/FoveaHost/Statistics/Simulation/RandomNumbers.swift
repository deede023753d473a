// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Random numbers that are the same in every run, on every machine.
struct RandomNumbers: Sendable {
  private var bits: SplitMix64
  private var spareNormal: Double?

  /// Creates the sequence of a run: neighbouring runs have unrelated sequences.
  init(seed: UInt64, run: UInt64) {
    bits = SplitMix64(seed: seed)
    bits = SplitMix64(seed: bits.next() ^ (run &* 0xD1B5_4A32_D192_ED03))
    bits = SplitMix64(seed: bits.next())
  }

  /// Returns a number above 0 and below 1, in steps of 2⁻⁵³.
  mutating func uniform() -> Double { (Double(bits.next() >> 11) + 0.5) * 0x1p-53 }

  /// Returns a number of the standard normal distribution, by the method of Box and Muller.
  mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    let radius = (-2 * log(uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spareNormal = radius * sin(angle)
    return radius * cos(angle)
  }

  /// Returns the number of units that succeed with a probability: exact, by inversion.
  ///
  /// **Source:** Kachitvichyanukul, Schmeiser, "Binomial random variate generation", CACM 1988 (algorithm
  /// BINV).
  mutating func binomial(_ count: Int, _ probability: Double) -> Int {
    guard count > 0, probability > 0 else { return 0 }
    guard probability < 1 else { return count }
    guard probability <= 0.5 else { return count - binomial(count, 1 - probability) }
    // A sum of binomials is binomial; in parts, the first term of the inversion does not underflow.
    let part = max(1, Int(200 / probability))
    var (left, sum) = (count, 0)
    while left > 0 {
      sum += inversion(min(left, part), probability)
      left -= part
    }
    return sum
  }

  private mutating func inversion(_ count: Int, _ probability: Double) -> Int {
    let ratio = probability / (1 - probability)
    let scale = Double(count + 1) * ratio
    var term = exp(Double(count) * log1p(-probability))
    var left = uniform()
    var found = 0
    while left > term && found < count {
      left -= term
      found += 1
      term *= scale / Double(found) - ratio
    }
    return found
  }
}
