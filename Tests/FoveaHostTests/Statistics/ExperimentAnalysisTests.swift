// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct ExperimentAnalysisTests {
  private func conversions(
    _ units: [Int], _ sum: [Int], weights: [Double] = [0.5, 0.5], planned: Double = 10_000
  ) -> MetricCounts {
    MetricCounts(
      planned: planned, kind: .conversion, weights: weights,
      looks: [
        MetricCounts.Look(
          arms: zip(units, sum).map { ArmSums(units: $0, sum: Double($1), squares: Double($1)) })
      ])
  }

  /// Made with NumPy 2 and SciPy 1.17 from the formulas; equal to gbstats 0.8.0 within 1e-15.
  @Test(
    arguments: [
      (
        [5_000, 5_000], [500, 750], [0.5, 0.5], 0.02980615147043018, 0.0701938485295698,
        7.513911483840265e-12, "better"
      ),
      (
        [5_000, 5_000], [750, 500], [0.5, 0.5], -0.0701938485295698, -0.02980615147043018,
        7.513911483840265e-12, "worse"
      ),
      (
        [9_000, 1_000], [900, 130], [9, 1], -0.003982993484484276, 0.06398299348448427, 0.1322744547864384,
        "open"
      ),
      (
        [4_700, 5_300], [470, 800], [0.5, 0.5], 0.030789059004482765, 0.0710977334483474,
        2.4039894905660054e-12, "hidden"
      ),
    ] as [([Int], [Int], [Double], Double, Double, Double, String)])
  func `intervals and levels match the reference`(
    _ units: [Int], _ sum: [Int], _ weights: [Double], _ low: Double, _ high: Double, _ p: Double,
    _ verdict: String
  ) throws {
    let analysis = try ExperimentAnalysis(conversions(units, sum, weights: weights))
    let found = analysis.comparisons[0][0]
    #expect(abs(try #require(found.low) - low) < 1e-12)
    #expect(abs(try #require(found.high) - high) < 1e-12)
    #expect(abs(found.p / p - 1) < 1e-9)
    #expect(found.verdict.rawValue == verdict)
  }

  @Test(
    arguments: [
      ([0, 0], [0, 0]), ([1, 0], [1, 0]), ([500, 500], [0, 0]), ([500, 500], [500, 500]),
      ([99, 101], [20, 30]),
      ([1_000, 1_000], [9, 40]), ([1_000, 1_000], [991, 900]), ([1_000, 1_000], [100, 100]),
      ([1_000_000_000, 1_000_000_000], [100_000_000, 100_000_000]),
    ] as [([Int], [Int])])
  func `too little data and no difference are never called`(_ units: [Int], _ sum: [Int]) throws {
    let analysis = try ExperimentAnalysis(conversions(units, sum))
    let found = analysis.comparisons[0][0]
    #expect(found.verdict == .open)
    #expect(found.p <= 1 && found.p > 0.05 && analysis.sampleRatio <= 1)
    for value in [found.difference, found.low, found.high] { #expect(value?.isFinite ?? true) }
  }

  @Test func `equal values whose sums are rounded are not a difference`() throws {
    func arm(_ value: Double) -> ArmSums {
      (0..<1_000).reduce(into: ArmSums()) { sums, _ in
        sums += ArmSums(units: 1, sum: value, squares: value * value)
      }
    }
    let counts = MetricCounts(
      planned: 10_000, kind: .mean, weights: [1, 1],
      looks: [MetricCounts.Look(arms: [arm(0.1), arm(0.3)])])
    let found = try ExperimentAnalysis(counts).comparisons[0][0]
    #expect(found.verdict == .open && !found.isEnough)
    #expect(
      FindingText.sentence(found, of: try ExperimentAnalysis(counts), counts)
        == "not enough data: all units have the same value")
  }

  @Test func `the result of an early look stays`() throws {
    var counts = conversions([5_000, 5_000], [500, 750])
    counts.looks.append(
      MetricCounts.Look(arms: [
        ArmSums(units: 5_000, sum: 700, squares: 700), ArmSums(units: 5_000, sum: 500, squares: 500),
      ]))
    let analysis = try ExperimentAnalysis(counts)
    let found = analysis.comparisons[0][0]
    #expect(found.verdict == .better && abs(found.p / 7.513911483840265e-12 - 1) < 1e-9)
    #expect(
      FindingText.sentence(found, of: analysis, counts)
        == "better, as an earlier look showed; now between 0.95 points worse and 1.9 points better")
  }

  @Test func `several metrics and variants share the false discovery rate`() throws {
    let one = conversions([5_000, 5_000], [500, 597])
    let alone = try ExperimentAnalysis(one).comparisons[0][0]
    let many = try ExperimentAnalysis(Array(repeating: one, count: 5)).comparisons.flatMap { $0 }
    #expect(alone.verdict == .better)
    #expect(many.allSatisfy { $0.adjusted >= $0.p && $0.adjusted <= 1 })
    #expect(many.allSatisfy { abs($0.adjusted - min(1, 5 * alone.p)) < 1e-12 })
    #expect(throws: StatisticsError.self) { try ExperimentAnalysis([MetricCounts]()) }
  }

  @Test(
    arguments: [
      ([], []), ([0.5], [0.5]), ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]), ([1, 1], [1, 1]),
      ([0.02, 0.02], [0.04, 0.04]), ([0, 0.9], [0, 0.9]),
    ] as [([Double], [Double])])
  func `Holm's correction keeps the order`(_ levels: [Double], _ expected: [Double]) {
    #expect(zip(HolmAdjustment.adjusted(levels), expected).allSatisfy { abs($0 - $1) < 1e-15 })
  }

  @Test(
    arguments: [
      ([-1, 0], [0, 0], [0, 0], "looks[0].units[0] is -1"),
      ([10, 10], [11, 0], [11, 0], "looks[0].sum[0] is 11.0"),
      ([10, 10], [0.5, 0], [0.5, 0], "looks[0].sum[0] is 0.5"),
      ([10, 10], [1, 2], [1, 3], "looks[0].squares[1] is 3.0"),
      ([10, 10], [.nan, 0], [0, 0], "looks[0].sum[0] is nan"),
      ([10, 10], [0, 0], [0, .infinity], "looks[0].squares[1] is inf"),
      ([0, 10], [1, 0], [1, 0], "looks[0].sum[0] is 1.0 without units"),
      ([1], [0], [0], "looks[0].units has 1 arms, not 2"),
    ] as [([Int], [Double], [Double], String)])
  func `impossible counts are rejected with their place`(
    _ units: [Int], _ sum: [Double], _ squares: [Double], _ message: String
  ) {
    let arms = units.indices.map { ArmSums(units: units[$0], sum: sum[$0], squares: squares[$0]) }
    let counts = MetricCounts(
      planned: 100, kind: .conversion, weights: [1, 1], looks: [MetricCounts.Look(arms: arms)])
    let error = #expect(throws: StatisticsError.self) { try ExperimentAnalysis(counts) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    (0.0, 100.0, [1.0, 1.0], "alpha"), (0.05, 0, [1, 1], "planned"), (0.05, .nan, [1, 1], "planned"),
    (.nan, 100, [1, 1], "alpha"), (0.05, 100, [1], "weights"), (0.05, 100, [1, 0], "weights[1]"),
    (0.05, 100, [-1, 1], "weights[0]"), (0.05, 100, [.infinity, 1], "weights[0]"),
    (0.05, 100, Array(repeating: 1, count: 101), "weights"),
  ])
  func `impossible settings are rejected`(
    _ alpha: Double, _ planned: Double, _ weights: [Double], _ path: String
  ) {
    let counts = MetricCounts(alpha: alpha, planned: planned, kind: .mean, weights: weights, looks: [])
    let error = #expect(throws: StatisticsError.self) { try ExperimentAnalysis(counts) }
    #expect(error?.message.hasPrefix(path + " ") == true)
  }

  @Test func `a mean with too small squares is rejected`() {
    let counts = MetricCounts(
      planned: 100, kind: .mean, weights: [1, 1],
      looks: [MetricCounts.Look(arms: [ArmSums(units: 10, sum: 100, squares: 10), ArmSums()])])
    #expect(throws: StatisticsError.self) { try ExperimentAnalysis(counts) }
  }

  @Test(
    arguments: [
      ([5_000, 5_000], [500, 750], "better by 3 to 7 points"),
      ([5_000, 5_000], [750, 500], "worse by 3 to 7 points"),
      ([1_000, 1_000], [100, 100], "open: between 4.2 points worse and 4.2 points better"),
      ([99, 101], [20, 30], "not enough data: the control has 99 of 100 units"),
      ([1_000, 1_000], [100, 9], "not enough data: the variant has 9 of 10 conversions"),
      ([1_000, 1_000], [100, 995], "not enough data: the variant has 5 of 10 units that did not convert"),
      (
        [4_700, 5_300], [470, 800],
        "hidden: 47 to 53 instead of 50 to 50, p = 0.0002; "
          + "check for a filter between the assignment and the log"
      ),
      (
        [10_000, 20_000], [470, 800],
        "hidden: 33.3 to 66.7 instead of 50 to 50, p below 0.0001; "
          + "check for a filter between the assignment and the log"
      ),
    ] as [([Int], [Int], String)])
  func `each state has its sentence`(_ units: [Int], _ sum: [Int], _ sentence: String) throws {
    let counts = conversions(units, sum)
    let analysis = try ExperimentAnalysis(counts)
    #expect(FindingText.sentence(analysis.comparisons[0][0], of: analysis, counts) == sentence)
  }
}
