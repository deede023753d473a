// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The intervals of a report as a chart: a bar for each variant, on an axis with 0.
///
/// Horizontal positions are percentages of the chart's width and vertical ones are pixels, so that text has
/// the same size in narrow and wide windows.
struct IntervalChart: Equatable {
  struct Bar: Equatable {
    let name: String
    let verdict: Verdict
    let low: Double
    let high: Double
    let difference: Double
  }

  struct Tick: Equatable {
    /// From 0 at the left end to 1 at the right end.
    let place: Double
    let text: String
  }

  let bars: [Bar]
  let ticks: [Tick]
  private let domain: ClosedRange<Double>
  private let isShares: Bool

  private static let rowHeight = 48
  /// The free part of the width at each side.
  private static let margin = 0.06

  /// Nil if no variant has an interval to show.
  init?(_ report: ExperimentReport) {
    guard !report.analysis.isHidden else { return nil }
    let isShares = report.experiment.metric.kind == .conversion
    let scale = isShares ? 100.0 : 1
    let bars = report.analysis.comparisons[0].compactMap { comparison -> Bar? in
      guard let low = comparison.low, let high = comparison.high, let difference = comparison.difference
      else { return nil }
      return Bar(
        name: report.experiment.variants[comparison.variant].id, verdict: comparison.verdict,
        low: scale * low, high: scale * high, difference: scale * difference)
    }
    self.init(bars, isShares: isShares)
  }

  /// - Parameters:
  ///   - bars: Values in the unit of the line.
  ///   - isShares: Whether that unit is percentage points.
  init?(_ bars: [Bar], isShares: Bool) {
    guard !bars.isEmpty, bars.allSatisfy({ $0.low.isFinite && $0.high.isFinite && $0.low <= $0.high })
    else { return nil }
    self.bars = bars
    self.isShares = isShares
    let low = min(0, bars.map(\.low).min() ?? 0)
    let high = max(0, bars.map(\.high).max() ?? 0)
    let domain = low < high ? low...high : -1...1
    self.domain = domain
    ticks = Self.ticks(domain)
  }

  /// Returns at most seven round numbers, including 0.
  private static func ticks(_ domain: ClosedRange<Double>) -> [Tick] {
    let width = domain.upperBound - domain.lowerBound
    var unit = 1.0
    while unit > width { unit /= 10 }
    while unit * 10 <= width { unit *= 10 }
    // A tenth of a power of ten is not exact, and a few steps of it would miss the last tick.
    let step = [0.2, 0.5, 1, 2].map { $0 * unit }.first { width / $0 <= 6.5 } ?? 2 * unit
    let places = max(0, Self.digits(step))
    let first = (domain.lowerBound / step - 1e-9).rounded(.up)
    let last = (domain.upperBound / step + 1e-9).rounded(.down)
    return stride(from: first, through: last, by: 1).map { index in
      let value = index * step
      let text = DecimalText.short(abs(value), places: places)
      return Tick(place: place(value, domain), text: index == 0 ? "0" : (value < 0 ? "−" : "+") + text)
    }
  }

  /// Returns the number of decimals that a step needs.
  private static func digits(_ step: Double) -> Int {
    var (count, value) = (0, step)
    while value < 0.999, count < 12 {
      value *= 10
      count += 1
    }
    return count
  }

  private static func place(_ value: Double, _ domain: ClosedRange<Double>) -> Double {
    (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
  }

  // MARK: Drawing

  /// The values for the template `intervals`.
  var values: [String: any Sendable] {
    let foot = bars.count * Self.rowHeight
    return [
      "height": foot + 34, "foot": foot, "textLine": foot + 22,
      "unit": isShares ? "points" : "",
      "text": bars.map { "\($0.name): \(text($0.low)) to \(text($0.high))" }.joined(separator: "; "),
      "ticks": ticks.map {
        ["x": x($0.place), "text": $0.text, "isZero": $0.text == "0"] as [String: any Sendable]
      },
      "bars": bars.enumerated().map { index, bar -> [String: any Sendable] in
        let top = index * Self.rowHeight
        return [
          "name": bar.name, "verdict": bar.verdict.rawValue, "textLine": top + 16, "line": top + 32,
          "low": x(Self.place(bar.low, domain)), "high": x(Self.place(bar.high, domain)),
          "point": x(Self.place(bar.difference, domain)),
        ]
      },
    ]
  }

  private func text(_ value: Double) -> String {
    DecimalText.short(value, places: abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 4)
  }

  private func x(_ place: Double) -> String {
    DecimalText.fixed(100 * (Self.margin + place * (1 - 2 * Self.margin)), places: 2) + "%"
  }
}
#endif
