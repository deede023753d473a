// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// One axis of a plot: its range, and where it has numbers.
struct PlotAxis {
  /// What it shows, with the unit.
  let title: String
  let range: ClosedRange<Double>
  let ticks: [(value: Double, text: String)]
  /// Whether doubling is the same distance everywhere.
  var isLogarithmic = false

  /// Where a value lies, 0 at the start and 1 at the end; nil for what has no place.
  func place(of value: Double) -> Double? {
    let low = scaled(range.lowerBound)
    let place = (scaled(value) - low) / (scaled(range.upperBound) - low)
    return place.isFinite ? min(max(place, 0), 1) : nil
  }

  private func scaled(_ value: Double) -> Double { isLogarithmic ? log(value) : value }

  /// All of 0…1, in steps of a quarter, as percentages or as numbers.
  static func shares(_ title: String, areScores: Bool = false) -> PlotAxis {
    PlotAxis(
      title: title, range: 0...1,
      ticks: [0, 0.25, 0.5, 0.75, 1].map { value in
        (value, areScores ? DecimalText.short(value, places: 2) : ReportNumber.fixed(value * 100, 0) + " %")
      })
  }

  /// Round percentages around some shares.
  static func shares(_ title: String, around values: [Double]) -> PlotAxis {
    let finite = values.filter(\.isFinite).map { min(max($0, 0), 1) }
    guard let least = finite.min(), let most = finite.max() else { return shares(title) }
    // In whole steps of 5 %: a tenth is not exact in binary.
    var low = max(0, Int(((least - 0.02) * 20).rounded(.down)))
    let high = min(20, max(low + 1, Int(((most + 0.02) * 20).rounded(.up))))
    let step = high - low > 8 ? 4 : high - low > 4 ? 2 : 1
    low -= low % step
    return PlotAxis(
      title: title, range: Double(low) / 20...Double(high) / 20,
      ticks: stride(from: low, through: high, by: step).map { (Double($0) / 20, "\($0 * 5) %") })
  }

  /// Numbers of photos, each a tick where there is room, doubling being the same distance everywhere.
  static func photos(_ title: String, _ counts: [Double]) -> PlotAxis? {
    let counts = Set(counts.filter { $0.isFinite && $0 >= 1 && $0 < 1e9 }).sorted()
    guard let least = counts.first, let most = counts.last else { return nil }
    let range = least < most ? least...most : least / 2...most * 2
    // Labels that are too close would overlap; the largest number matters most.
    var ticks: [(value: Double, text: String)] = []
    let axis = PlotAxis(title: title, range: range, ticks: [], isLogarithmic: true)
    for count in counts.reversed() {
      let place = axis.place(of: count) ?? 0
      if let last = ticks.last, (axis.place(of: last.value) ?? 0) - place < 0.17 { continue }
      ticks.append((count, ReportNumber.grouped(Int(count.rounded()))))
    }
    return PlotAxis(title: title, range: range, ticks: ticks.reversed(), isLogarithmic: true)
  }
}
