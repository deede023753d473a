// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The number of units of one arm, the sum of their values, and the sum of the squares.
package struct ArmSums: Sendable, Equatable, Codable {
  package var units: Int
  package var sum: Double
  package var squares: Double

  package init(units: Int = 0, sum: Double = 0, squares: Double = 0) {
    self.units = units
    self.sum = sum
    self.squares = squares
  }

  package static func += (sums: inout ArmSums, more: ArmSums) {
    sums.units += more.units
    sums.sum += more.sum
    sums.squares += more.squares
  }

  /// Nil without units.
  package var mean: Double? { units > 0 ? sum / Double(units) : nil }

  /// The sample variance; nil below two units, 0 if the remaining difference is only rounding.
  package var variance: Double? {
    guard units > 1 else { return nil }
    let spread = squares - sum * sum / Double(units)
    // Sums of equal values differ in their last bits, and a variance of 1e-18 would make any difference
    // significant.
    return spread > 1e-11 * squares ? spread / Double(units - 1) : 0
  }

  /// Returns whether a look counts: 100 units; for conversions also 10 conversions and 10 failures.
  package func isEnough(_ kind: MetricKind) -> Bool {
    units >= 100 && (kind == .mean || (sum >= 10 && Double(units) - sum >= 10))
  }

  /// - Throws: `invalid` for a count below 0 or above 10¹⁵, a sum that is not finite, or impossible sums.
  func check(_ kind: MetricKind, _ path: (_ member: String) -> String) throws(StatisticsError) {
    guard (0...1_000_000_000_000_000).contains(units) else {
      throw .invalid(path("units"), "is \(units), not a number from 0 to 10^15")
    }
    for (name, value) in [("sum", sum), ("squares", squares)] where !value.isFinite {
      throw .invalid(path(name), "is \(value), not a number")
    }
    if units == 0 && (sum != 0 || squares != 0) { throw .invalid(path("sum"), "is \(sum) without units") }
    if squares < 0 { throw .invalid(path("squares"), "is \(squares), below 0") }
    switch kind {
    case .conversion:
      guard sum >= 0, sum <= Double(units), sum == sum.rounded() else {
        throw .invalid(path("sum"), "is \(sum), not a number of conversions of \(units) units")
      }
      guard squares == sum else {
        throw .invalid(
          path("squares"), "is \(squares), but the squares of 0 and 1 add up to their sum, \(sum)",
          remedy: "Set 'squares' to the sum, or use the kind 'mean'")
      }
    case .mean:
      // The Cauchy–Schwarz inequality, with a margin for rounding.
      guard units == 0 || sum * sum <= squares * Double(units) * (1 + 1e-9) else {
        throw .invalid(path("squares"), "is \(squares), too small for \(units) units with the sum \(sum)")
      }
    }
  }
}
