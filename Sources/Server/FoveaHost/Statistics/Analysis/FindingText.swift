// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The conclusions as text: one sentence for each state of a comparison.
package enum FindingText {
  /// Returns the sentence about a variant.
  /// - Parameters:
  ///   - comparison: A comparison of the analysis.
  ///   - analysis: The analysis.
  ///   - counts: The metric of the comparison.
  /// - Returns: A sentence without a final stop, for example `better by 1 to 4 points`.
  package static func sentence(
    _ comparison: Comparison, of analysis: ExperimentAnalysis, _ counts: MetricCounts
  ) -> String {
    switch comparison.verdict {
    case .hidden: return hidden(analysis, counts)
    case .better, .worse: return called(comparison, counts.kind)
    case .open:
      guard let low = comparison.low, let high = comparison.high else { return missing(comparison, counts) }
      return "open: between \(amount(-low, counts.kind)) worse and \(amount(high, counts.kind)) better"
    }
  }

  /// Returns the reason why no conclusion is possible: the actual and expected shares, and the next step.
  package static func hidden(_ analysis: ExperimentAnalysis, _ counts: MetricCounts) -> String {
    let all = analysis.units.reduce(0.0) { $0 + Double($1) }
    let seen = analysis.units.map { DecimalText.short(100 * Double($0) / max(1, all), places: 1) }
    let weights = counts.looks.last { $0.weights != nil }?.weights ?? counts.weights
    let sum = weights.reduce(0, +)
    let set = weights.map { DecimalText.short(100 * $0 / sum, places: 1) }
    return "hidden: \(seen.joined(separator: " to ")) instead of \(set.joined(separator: " to ")), "
      + "\(level(analysis.sampleRatio)); check for a filter between the assignment and the log"
  }

  private static func called(_ comparison: Comparison, _ kind: MetricKind) -> String {
    let word = comparison.verdict.rawValue
    guard let low = comparison.low, let high = comparison.high else { return word }
    let (near, far) = comparison.verdict == .better ? (low, high) : (-high, -low)
    guard near > 0 else {
      // An earlier look had a narrower interval, or only the smallest level passes Holm's correction.
      return "\(word), as an earlier look showed; now between \(amount(-near, kind)) "
        + "\(comparison.verdict == .better ? "worse" : "better") and \(amount(far, kind)) \(word)"
    }
    return "\(word) by \(range(near, far, kind))"
  }

  private static func missing(_ comparison: Comparison, _ counts: MetricCounts) -> String {
    let totals = counts.totals
    for (arm, name) in [(0, "the control"), (comparison.variant, "the variant")] {
      let sums = totals[arm]
      if sums.units < 100 { return "not enough data: \(name) has \(sums.units) of 100 units" }
      guard counts.kind == .conversion else { continue }
      if sums.sum < 10 { return "not enough data: \(name) has \(Int(sums.sum)) of 10 conversions" }
      let failures = Double(sums.units) - sums.sum
      if failures < 10 {
        return "not enough data: \(name) has \(Int(failures)) of 10 units that did not convert"
      }
    }
    return "not enough data: all units have the same value"
  }

  /// Returns `1.2 points` for shares, `0.34` for means.
  private static func amount(_ value: Double, _ kind: MetricKind) -> String {
    switch kind {
    case .conversion: "\(number(100 * value)) points"
    case .mean: number(value)
    }
  }

  private static func range(_ low: Double, _ high: Double, _ kind: MetricKind) -> String {
    switch kind {
    case .conversion: "\(number(100 * low)) to \(number(100 * high)) points"
    case .mean: "\(number(low)) to \(number(high))"
    }
  }

  /// Formats with two significant digits and no exponent.
  private static func number(_ value: Double) -> String {
    let size = abs(value)
    let places = size >= 10 ? 0 : size >= 1 ? 1 : size >= 0.1 ? 2 : size >= 0.01 ? 3 : 5
    return DecimalText.short(value, places: places)
  }

  /// Formats a small level without an exponent.
  private static func level(_ p: Double) -> String {
    p < 0.0001 ? "p below 0.0001" : "p = \(DecimalText.short(p, places: 4))"
  }
}
