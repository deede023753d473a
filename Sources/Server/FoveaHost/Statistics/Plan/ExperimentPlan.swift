// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The number of units that an experiment on conversions needs.
///
/// A test with a single look needs, for each arm, n = (z(1 − α/2) + z(power))² · (pA (1 − pA) + pB (1 − pB))
/// / (pB − pA)². One with daily looks needs more: its bound at the planned end is higher than z(1 − α/2), but
/// earlier looks win back a part. That part is measured: 0.927 of the units required by the bound alone give
/// the requested power (1.8 times the fixed test for a power of 0.8 and two arms).
package struct ExperimentPlan: Sendable, Equatable {
  /// The parameters of a plan.
  package struct Question: Sendable, Equatable {
    /// The conversion rate of the control, above 0 and below 1.
    package var baseline: Double
    /// The relative improvement over the baseline: 0.1 is 10 %.
    package var lift: Double
    /// The probability with which such a variant should be called better; 0.8 by default.
    package var power = 0.8
    /// The rate of false findings over all looks and variants; 0.05 by default.
    package var alpha = 0.05
    /// The number of arms, including the control; 2 by default.
    package var arms = 2

    package init(baseline: Double, lift: Double) {
      self.baseline = baseline
      self.lift = lift
    }
  }

  /// The units of all arms for a test with a single look, at its end.
  package let fixedUnits: Int
  /// The planned units of all arms: the `planned` of an experiment.
  package let plannedUnits: Int

  /// The ratio of the planned units to those of a fixed test.
  package var price: Double { Double(plannedUnits) / Double(max(1, fixedUnits)) }
  /// The average ratio to a fixed test if the lift is real, since the experiment ends once the variant is
  /// called.
  package var averagePrice: Double { price * Self.partUsed(power) }

  /// The average share of the planned units that is used, by power: measured with 20 looks and 5 pairs of
  /// rates, 10,000 runs each.
  private static let measured: [(power: Double, part: Double)] = [
    (0.5, 0.774), (0.6, 0.728), (0.7, 0.680), (0.8, 0.619), (0.9, 0.538), (0.95, 0.481), (0.99, 0.386),
    (1, 0.35),
  ]

  private static func partUsed(_ power: Double) -> Double {
    guard let index = measured.indices.dropFirst().first(where: { measured[$0].power >= power }) else {
      return measured[0].part
    }
    let (low, high) = (measured[index - 1], measured[index])
    return low.part + (high.part - low.part) * (power - low.power) / (high.power - low.power)
  }

  private let power: Double

  /// The factor by which earlier looks reduce the units.
  private static let earlyLooks = 0.927

  /// - Throws: `invalid` for an impossible baseline, lift, power, alpha or number of arms.
  package init(_ question: Question) throws(StatisticsError) {
    try Self.check(question)
    let (first, second) = (question.baseline, question.baseline * (1 + question.lift))
    let spread = first * (1 - first) + second * (1 - second)
    let level = question.alpha / Double(question.arms - 1)
    power = question.power
    let quantile = NormalQuantile.value(question.power)
    let fixed = NormalQuantile.value(1 - level / 2) + quantile
    let sequence = ConfidenceSequence(alpha: question.alpha, planned: 1_000)
    // n counts both arms of a comparison, and N is the number planned for one of them.
    let bound = sequence.bound(level: level, planned: 2_000) + quantile
    let perArm = fixed * fixed * spread / ((second - first) * (second - first))
    let arms = Double(question.arms)
    guard arms * perArm < 1e15 else {
      throw .invalid("lift", "is \(question.lift), too small to be measured", remedy: "Plan for a larger one")
    }
    fixedUnits = Int((arms * perArm).rounded(.up))
    plannedUnits = Int((arms * perArm * Self.earlyLooks * bound * bound / (fixed * fixed)).rounded(.up))
  }

  private static func check(_ question: Question) throws(StatisticsError) {
    guard question.baseline > 0, question.baseline < 1 else {
      throw .invalid("baseline", "is \(question.baseline), not above 0 and below 1")
    }
    let rate = question.baseline * (1 + question.lift)
    guard question.lift.isFinite, question.lift != 0, rate > 0, rate < 1 else {
      throw .invalid(
        "lift", "is \(question.lift), which makes the rate \(rate)",
        remedy: "Give a part of the baseline, such as 0.1 for 10 % more")
    }
    guard question.power >= 0.5, question.power < 1 else {
      throw .invalid("power", "is \(question.power), not from 0.5 to below 1")
    }
    guard question.alpha > 0, question.alpha <= 0.5 else {
      throw .invalid("alpha", "is \(question.alpha), not above 0 and at most 0.5")
    }
    guard (2...MetricCounts.mostArms).contains(question.arms) else {
      throw .invalid("arms", "is \(question.arms), not 2 to \(MetricCounts.mostArms)")
    }
  }

  /// Returns the number of days in which that many units arrive; nil if none arrive.
  package func days(unitsPerDay: Double) -> Int? {
    guard unitsPerDay > 0 else { return nil }
    return Int((Double(plannedUnits) / unitsPerDay).rounded(.up))
  }
}
