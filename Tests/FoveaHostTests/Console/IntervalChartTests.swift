// SPDX-License-Identifier: Apache-2.0
#if Server
@testable import FoveaHost
import Testing

@Suite struct IntervalChartTests {
  private static func bar(
    _ low: Double, _ high: Double, _ verdict: Verdict = .open, name: String = "b"
  ) -> IntervalChart.Bar {
    IntervalChart.Bar(name: name, verdict: verdict, low: low, high: high, difference: (low + high) / 2)
  }

  @Test(
    arguments: [
      (-2.6, 9.3, ["−2", "0", "+2", "+4", "+6", "+8"]),
      (2.7, 9.3, ["0", "+2", "+4", "+6", "+8"]),
      (-9.3, -2.7, ["−8", "−6", "−4", "−2", "0"]),
      (-0.01, 0.02, ["−0.01", "−0.005", "0", "+0.005", "+0.01", "+0.015", "+0.02"]),
      (-30_000, 1, ["−30000", "−25000", "−20000", "−15000", "−10000", "−5000", "0"]),
      (0, 1, ["0", "+0.2", "+0.4", "+0.6", "+0.8", "+1"]),
      (0, 0, ["−1", "−0.5", "0", "+0.5", "+1"]),
      (-1e9, 1e9, ["−1000000000", "−500000000", "0", "+500000000", "+1000000000"]),
    ] as [(Double, Double, [String])])
  func `the axis has a few round numbers and 0`(_ low: Double, _ high: Double, _ expected: [String]) throws {
    let chart = try #require(IntervalChart([Self.bar(low, high)], isShares: false))
    #expect(chart.ticks.map(\.text) == expected)
    #expect(chart.ticks.allSatisfy { (-1e-9...1 + 1e-9).contains($0.place) })
  }

  @Test(
    arguments: [
      [], [bar(.nan, 1)], [bar(0, .infinity)], [bar(2, 1)],
    ] as [[IntervalChart.Bar]])
  func `impossible intervals draw nothing`(_ bars: [IntervalChart.Bar]) {
    #expect(IntervalChart(bars, isShares: true) == nil)
  }

  @Test func `each bar lies between its ends, its name above it`() throws {
    let bars = [Self.bar(-1, 1), Self.bar(1, 3, .better, name: "<b>")]
    let chart = try #require(IntervalChart(bars, isShares: true))
    let text = try PageTemplates().render("intervals", chart.values)
    #expect(text.contains("aria-label=\"Intervals: b: -1 to 1; &lt;b&gt;: 1 to 3 points\""))
    #expect(text.contains("<line class=\"bar open\" x1=\"6.00%\" x2=\"50.00%\" y1=\"32\" y2=\"32\"/>"))
    #expect(text.contains("<line class=\"bar better\" x1=\"50.00%\" x2=\"94.00%\" y1=\"80\" y2=\"80\"/>"))
    #expect(text.contains("<line class=\"zero\" x1=\"28.00%\" x2=\"28.00%\""))
    #expect(text.contains("<text x=\"0\" y=\"64\">&lt;b&gt;</text>"))
  }
}
#endif
