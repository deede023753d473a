// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The standard normal distribution.
package enum NormalQuantile {
  /// Returns the share of the distribution below z.
  package static func probability(below z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

  /// Returns the value with that share of the distribution below it, to 12 digits.
  /// - Parameter probability: Above 0 and below 1.
  /// - Returns: In standard deviations.
  package static func value(_ probability: Double) -> Double {
    // Newton's method on the distribution itself, which is known to the last digit.
    var z = 0.0
    var (low, high) = (-40.0, 40.0)
    for _ in 0..<200 {
      let error = self.probability(below: z) - probability
      if error > 0 { high = z } else { low = z }
      let slope = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
      var next = z - error / slope
      if !(next > low && next < high) { next = (low + high) / 2 }
      if abs(next - z) < 1e-13 * max(1, abs(z)) { return next }
      z = next
    }
    return z
  }
}
