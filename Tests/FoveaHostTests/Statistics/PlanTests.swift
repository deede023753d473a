// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct PlanTests {
  /// SciPy 1.17: `norm.ppf`.
  @Test(
    arguments: [
      (0.975, 1.959963984540054), (0.8, 0.8416212335729143), (1e-9, -5.9978070150076865), (0.5, 0),
      (0.0000003, -4.991217139907698),
    ] as [(Double, Double)])
  func `quantiles of the normal distribution are exact`(_ probability: Double, _ z: Double) {
    #expect(abs(NormalQuantile.value(probability) - z) < 1e-9)
  }

  @Test func `a plan costs 1.8 times a fixed test, and less on average`() throws {
    let plan = try ExperimentPlan(ExperimentPlan.Question(baseline: 0.1, lift: 0.1))
    #expect(plan.fixedUnits == 29_497)
    #expect(abs(plan.price - 1.8) < 0.005)
    #expect(abs(plan.averagePrice - 1.11) < 0.01)
    #expect(plan.days(unitsPerDay: 2_000) == 27)
    #expect(plan.days(unitsPerDay: 0) == nil)
  }

  @Test func `more power, a smaller lift and more variants need more units`() throws {
    let base = ExperimentPlan.Question(baseline: 0.1, lift: 0.1)
    var units = [try ExperimentPlan(base).plannedUnits]
    for change in [
      { $0.power = 0.9 }, { $0.lift = 0.05 }, { $0.arms = 3 }, { $0.alpha = 0.01 },
    ] as [(inout ExperimentPlan.Question) -> Void] {
      var question = base
      change(&question)
      units.append(try ExperimentPlan(question).plannedUnits)
    }
    #expect(units.dropFirst().allSatisfy { $0 > units[0] })
  }

  @Test(arguments: [
    (0.0, 0.1, 0.8, 2), (1, 0.1, 0.8, 2), (0.1, 0, 0.8, 2), (0.1, -1, 0.8, 2), (0.6, 0.8, 0.8, 2),
    (.nan, 0.1, 0.8, 2),
    (0.1, .nan, 0.8, 2), (0.1, 0.1, 0.4, 2), (0.1, 0.1, 1, 2), (0.1, 0.1, 0.8, 1), (0.1, 0.1, 0.8, 101),
    (0.1, 1e-9, 0.8, 2),
  ])
  func `an impossible plan is rejected`(_ baseline: Double, _ lift: Double, _ power: Double, _ arms: Int) {
    var question = ExperimentPlan.Question(baseline: baseline, lift: lift)
    question.power = power
    question.arms = arms
    #expect(throws: StatisticsError.self) { try ExperimentPlan(question) }
  }
}
