// SPDX-License-Identifier: Apache-2.0

/// The difference of the means of two arms at a look that counts.
struct MeanDifference: Sendable, Equatable {
  /// The arm's mean minus the control's.
  let difference: Double
  /// The variance of the difference, above 0.
  let variance: Double
  /// The units of both arms.
  let units: Double

  /// Nil if an arm does not have enough units, conversions and failures, or all values are the same.
  init?(_ control: ArmSums, _ arm: ArmSums, _ kind: MetricKind) {
    guard control.isEnough(kind), arm.isEnough(kind), let base = control.mean, let mean = arm.mean,
      let first = control.variance, let second = arm.variance
    else { return nil }
    variance = first / Double(control.units) + second / Double(arm.units)
    difference = mean - base
    units = Double(control.units) + Double(arm.units)
    guard variance > 0, variance.isFinite else { return nil }
  }

  /// Returns the level of the look: at most the sequence's alpha if its interval does not contain 0.
  func level(_ sequence: ConfidenceSequence) -> Double {
    sequence.level(units: units, variance: variance, difference: difference)
  }
}
