// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// An interval that holds at every look: with probability 1 − alpha all of them contain the true difference
/// of two means.
///
/// The asymptotic confidence sequence with a normal mixture. With n units, V the variance of the difference
/// of the means,
///
///     ρ² = (−2 ln α + ln(1 − 2 ln α)) / N
///     half width = √(n V) · √(2 (n ρ² + 1) / (n² ρ²) · ln(√(n ρ² + 1) / α))
///
/// which is narrowest, relative to a fixed interval, at n = N. It is wider than the interval of a test with a
/// single look.
///
/// **Source:** Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and
/// asymptotic confidence sequences", Annals of Statistics 2024, equations 9, 155 and 161.
package struct ConfidenceSequence: Sendable, Equatable {
  package let alpha: Double
  /// ρ².
  private let mixing: Double

  /// - Parameters:
  ///   - alpha: The rate of errors over all looks, above 0 and at most 0.5.
  ///   - planned: N, the number of units at which the interval is to be narrowest; values below 100 count as
  ///     100.
  package init(alpha: Double, planned: Double) {
    self.alpha = alpha
    mixing = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / max(100, planned)
  }

  /// Returns half the width of the interval.
  /// - Parameters:
  ///   - units: n, above 0.
  ///   - variance: V, of the difference itself: vA/nA + vB/nB.
  /// - Returns: In the unit of the values.
  package func halfWidth(units: Double, variance: Double) -> Double {
    let scale = units * mixing + 1
    return (units * variance).squareRoot()
      * (2 * scale / (units * units * mixing) * log(scale.squareRoot() / alpha)).squareRoot()
  }

  /// Returns the level at which the interval of this look just reaches 0: at most alpha if it does not
  /// contain 0.
  ///
  ///     p = √(n ρ² + 1) · exp(−ρ² n d² / (2 V (n ρ² + 1)))
  /// - Parameters:
  ///   - units: n, above 0.
  ///   - variance: V, above 0.
  ///   - difference: d.
  /// - Returns: From 0 to 1.
  package func level(units: Double, variance: Double, difference: Double) -> Double {
    let scale = units * mixing + 1
    return min(
      1, scale.squareRoot() * exp(-mixing * units * difference * difference / (2 * variance * scale)))
  }

  /// Returns the number of standard errors by which two means must differ at n = N to be called different at
  /// a level.
  package func bound(level: Double, planned: Double) -> Double {
    let weight = mixing * planned
    return (2 * (weight + 1) / weight * log((weight + 1).squareRoot() / level)).squareRoot()
  }
}
