// SPDX-License-Identifier: Apache-2.0

import FoveaFormats

/// The histogram of scores, as SVG.
struct ReportHistogram {
  let bins: [Int]

  private static let left = 8.0
  private static let width = 304.0
  private static let top = 20.0
  private static let bottom = 152.0

  /// The panel.
  var html: String {
    let total = bins.reduce(0, +)
    guard total > 0, let most = bins.max(), let peak = bins.firstIndex(of: most) else {
      return panel("<p class=\"note\">There are no scores.</p>\n")
    }
    let step = Self.width / Double(bins.count)
    var parts: [String] = []
    for (index, count) in bins.enumerated() where count > 0 {
      // Even a single one among thousands can be seen.
      let height = max(1.5, Double(count) / Double(most) * (Self.bottom - Self.top))
      parts.append(
        "<rect x=\"\(ReportNumber.coordinate(Self.left + Double(index) * step + 1))\" "
          + "y=\"\(ReportNumber.coordinate(Self.bottom - height))\" "
          + "width=\"\(ReportNumber.coordinate(step - 2))\" height=\"\(ReportNumber.coordinate(height))\" rx=\"2\">"
          + "<title>\(range(index)): \(ReportNumber.grouped(count))</title></rect>")
    }
    let middle = min(max(Self.left + (Double(peak) + 0.5) * step, 16), 304)
    parts.append(
      "<text x=\"\(ReportNumber.coordinate(middle))\" y=\"\(ReportNumber.coordinate(Self.top - 6))\" "
        + "text-anchor=\"middle\">\(ReportNumber.grouped(most))</text>")
    parts.append("<line x1=\"8\" y1=\"152.5\" x2=\"312\" y2=\"152.5\"/>")
    for (text, x, anchor) in [("0", 8, "start"), ("0.5", 160, "middle"), ("1", 312, "end")] {
      parts.append("<text x=\"\(x)\" y=\"167\" text-anchor=\"\(anchor)\">\(text)</text>")
    }
    return panel(
      """
      <svg class="plot" viewBox="0 0 320 172" role="img" aria-label="Histogram of \
      \(ReportNumber.counted(total, "score")); most, \(ReportNumber.grouped(most)), lie at \(range(peak))">
      \(parts.joined(separator: "\n"))
      </svg>

      """)
  }

  private func range(_ index: Int) -> String {
    let width = 1 / Double(bins.count)
    return
      "\(ReportNumber.fixed(Double(index) * width, 2)) to \(ReportNumber.fixed(Double(index + 1) * width, 2))"
  }

  private func panel(_ content: String) -> String {
    """
    <section class="panel" aria-labelledby="h-scores">
    <h2 id="h-scores">Scores</h2>
    \(content)</section>

    """
  }
}
