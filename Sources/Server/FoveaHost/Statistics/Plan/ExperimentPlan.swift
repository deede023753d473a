// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// How many units an experiment on conversions needs.
///
/// A test that looks once needs, for each arm, n = (z(1 − α/2) + z(power))² · (pA (1 − pA) + pB (1 − pB)) / (pB − pA)². One that may
/// be read every day needs more: its bound at the planned end is higher than z(1 − α/2), and what earlier looks find takes a part
/// of that back. The part is measured: 0.927 of what the bound alone would need gives the power that is asked for (1.8 times the
/// fixed test for a power of 0.8 and two arms).
package struct ExperimentPlan: Sendable, Equatable {
  /// What is asked for.
  package struct Question: Sendable, Equatable {
    /// The conversion rate of the control, above 0 and below 1.
    package var baseline: Double
    /// By which part of the baseline the variant is better: 0.1 is 10 %.
    package var lift: Double
    /// With what probability such a variant is to be called better; 0.8 by default.
    package var power = 0.8
    /// The rate of false findings over all looks and variants; 0.05 by default.
    package var alpha = 0.05
    /// The arms, the control included; 2 by default.
    package var arms = 2

    package init(baseline: Double, lift: Double) {
      self.baseline = baseline
      self.lift = lift
    }
  }

  /// Units of all arms of a test that looks once, at its end.
  package let fixedUnits: Int
  /// Units of all arms to plan with: the `planned` of an experiment.
  package let plannedUnits: Int

  /// How much more than a fixed test is planned.
  package var price: Double { Double(plannedUnits) / Double(max(1, fixedUnits)) }
  /// How much more than a fixed test it takes on average where the lift is there, since it ends once the variant is called.
  package var averagePrice: Double { price * Self.partUsed(power) }

  /// The part of the planned units that is used on average, by the power: measured with 20 looks and 5 pairs of rates, 10,000
  /// runs each.
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

  /// What earlier looks take off.
  private static let earlyLooks = 0.927

  /// - Throws: `invalid` for a baseline, lift, power, alpha or number of arms that is not possible.
  package init(_ question: Question) throws(StatisticsError) {
    try Self.check(question)
    let (first, second) = (question.baseline, question.baseline * (1 + question.lift))
    let spread = first * (1 - first) + second * (1 - second)
    let level = question.alpha / Double(question.arms - 1)
    power = question.power
    let quantile = NormalQuantile.value(question.power)
    let fixed = NormalQuantile.value(1 - level / 2) + quantile
    let sequence = ConfidenceSequence(alpha: question.alpha, planned: 1_000)
    // n counts both arms of a comparison, and N is what one of them is planned to have.
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

  /// In how many days as many units come; nil where none come.
  package func days(unitsPerDay: Double) -> Int? {
    guard unitsPerDay > 0 else { return nil }
    return Int((Double(plannedUnits) / unitsPerDay).rounded(.up))
  }
}
