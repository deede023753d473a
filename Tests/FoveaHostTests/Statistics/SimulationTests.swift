// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct SimulationTests {
  @Test func `a result is the same for any number of threads`() throws {
    var simulation = ExperimentSimulation(runs: 300)
    simulation.lift = 0.1
    let one = try simulation.run(threads: 1)
    #expect(try simulation.run(threads: 4) == one)
    #expect(abs(one.better + one.worse + one.hidden + one.open - 1) < 1e-12)
    simulation.seed = 2
    #expect(try simulation.run(threads: 4) != one)
  }

  @Test func `an absent effect is rarely called, and a real one is found`() throws {
    var simulation = ExperimentSimulation(runs: 1_000)
    let same = try simulation.run(threads: 2)
    #expect(same.better + same.worse <= 0.03)
    simulation.lift = 0.3
    #expect(try simulation.run(threads: 2).better >= 0.9)
    simulation.lift = -0.3
    #expect(try simulation.run(threads: 2).worse >= 0.9)
    simulation.lift = 0
    simulation.controlShare = 0.55
    #expect(try simulation.run(threads: 2).hidden >= 0.9)
  }

  @Test(arguments: [(0, 0.5), (1, 0), (1, 1), (10, 0.1), (10, 0.9), (100_000, 0.3), (1_000_000, 0.000_1)])
  func `a binomial number has its mean and variance`(_ count: Int, _ probability: Double) {
    var random = RandomNumbers(seed: 7, run: 0)
    let runs = 4_000
    let values = (0..<runs).map { _ in Double(random.binomial(count, probability)) }
    #expect(values.allSatisfy { $0 >= 0 && $0 <= Double(count) })
    let mean = values.reduce(0, +) / Double(runs)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(runs - 1)
    let (expected, spread) = (Double(count) * probability, Double(count) * probability * (1 - probability))
    #expect(abs(mean - expected) <= 5 * (spread / Double(runs)).squareRoot() + 1e-9)
    #expect(abs(variance - spread) <= 0.15 * spread + 1e-9)
  }

  @Test func `a cancelled simulation reports it`() {
    let error = #expect(throws: StatisticsError.self) {
      try ExperimentSimulation(runs: 10_000).run(threads: 1) { _ in false }
    }
    #expect(error?.code == .cancelled)
  }

  @Test(
    arguments: [
      { $0.runs = 0 }, { $0.looks = 0 }, { $0.planned = 10 }, { $0.baseline = 0 }, { $0.baseline = 1 },
      { $0.lift = -1 },
      { $0.lift = 10 }, { $0.lift = .nan }, { $0.sigma = -1 }, { $0.controlShare = 0 }, { $0.alpha = 0 },
      { $0.baseline = .infinity },
    ] as [@Sendable (inout ExperimentSimulation) -> Void])
  func `an impossible simulation is rejected`(_ change: @Sendable (inout ExperimentSimulation) -> Void) {
    var simulation = ExperimentSimulation(runs: 10)
    change(&simulation)
    #expect(throws: StatisticsError.self) { try simulation.run(threads: 1) }
  }
}
