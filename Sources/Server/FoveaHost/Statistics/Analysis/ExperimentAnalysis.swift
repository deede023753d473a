// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The conclusions from the counts of an experiment at this look and all earlier ones.
package struct ExperimentAnalysis: Sendable, Equatable {
  /// The level of the sample-ratio test, from 0 to 1.
  package let sampleRatio: Double
  /// Whether results are hidden because the arms do not have their shares.
  package let isHidden: Bool
  /// The units of each arm.
  package let units: [Int]
  /// For each metric a comparison of each variant with the control.
  package let comparisons: [[Comparison]]

  /// Analyses one metric.
  /// - Throws: `invalid` with the path of an impossible count.
  package init(_ counts: MetricCounts) throws(StatisticsError) { try self.init([counts]) }

  /// Analyses several metrics of the same units: Holm's correction covers all variants and metrics.
  /// - Parameter metrics: At least one metric; all have the same arms and alpha. The shares of the first
  ///   metric's units are tested.
  /// - Throws: `invalid` with the path of an impossible count.
  package init(_ metrics: [MetricCounts]) throws(StatisticsError) {
    guard let first = metrics.first else { throw .invalid("metrics", "is empty", remedy: "Give one metric") }
    for counts in metrics {
      try counts.check()
      guard counts.weights.count == first.weights.count, counts.alpha == first.alpha else {
        throw .invalid("metrics", "have different arms or levels")
      }
    }
    var ratio = SampleRatioTest()
    var weights = first.weights
    for look in first.looks {
      weights = look.weights ?? weights
      ratio.add(look.arms.map(\.units), weights: weights)
    }
    sampleRatio = ratio.p
    isHidden = ratio.isAlarm
    units = first.totals.map(\.units)

    var found = metrics.map { counts in
      (1..<counts.weights.count).map { Comparison(of: counts, variant: $0) }
    }
    let adjusted = HolmAdjustment.adjusted(found.flatMap { $0.map(\.p) })
    var next = 0
    for metric in found.indices {
      for index in found[metric].indices {
        found[metric][index].adjusted = adjusted[next]
        found[metric][index].verdict = Self.verdict(
          found[metric][index], alpha: first.alpha, isHidden: ratio.isAlarm)
        next += 1
      }
    }
    comparisons = found
  }

  private static func verdict(_ comparison: Comparison, alpha: Double, isHidden: Bool) -> Verdict {
    if isHidden { return .hidden }
    guard comparison.adjusted <= alpha, comparison.sign != 0 else { return .open }
    return comparison.sign > 0 ? .better : .worse
  }
}

/// The conclusion about a variant compared with the control.
package enum Verdict: String, Sendable, Codable {
  case better, worse, open
  /// The shares of the arms are off: no conclusion is possible.
  case hidden
}

/// Holm's correction for several comparisons: the rate of any false finding stays below alpha.
///
/// **Source:** Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 1979.
enum HolmAdjustment {
  /// Returns the adjusted levels: at most 1, never below the level itself, in the order of the levels.
  static func adjusted(_ levels: [Double]) -> [Double] {
    var adjusted = levels
    var running = 0.0
    let order = levels.indices.sorted { levels[$0] < levels[$1] || (levels[$0] == levels[$1] && $0 < $1) }
    for (rank, index) in order.enumerated() {
      running = max(running, min(1, Double(levels.count - rank) * levels[index]))
      adjusted[index] = running
    }
    return adjusted
  }
}
