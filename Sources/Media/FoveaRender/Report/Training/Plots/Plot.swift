// SPDX-License-Identifier: Apache-2.0

/// Lines and bars over two axes, as SVG that is legible on a narrow screen.
struct Plot {
  /// What is drawn; the style is a class of the style sheet.
  enum Mark {
    /// A line through points, broken where one has no place.
    case line([(x: Double, y: Double)], style: String)
    /// A dot at each point.
    case dots([(x: Double, y: Double)], style: String)
    /// A bar from the bottom of the plot.
    case bar(x: ClosedRange<Double>, y: Double, style: String)
    /// A vertical line through the whole plot.
    case rule(x: Double)
    /// A vertical line from one value to another.
    case range(x: Double, low: Double, high: Double, style: String)
  }

  let x: PlotAxis
  let y: PlotAxis
  /// What the plot shows, for those who do not see it; escaped already.
  let words: String
  var marks: [Mark]

  private static let left = 46.0
  private static let right = 300.0
  private static let top = 24.0
  private static let bottom = 170.0

  /// The drawing.
  var svg: String {
    """
    <svg class="plot curve" viewBox="0 0 320 210" role="img" aria-label="\(words)">
    \((axes + marks.map(draw)).filter { !$0.isEmpty }.joined(separator: "\n"))
    </svg>

    """
  }

  private var axes: [String] {
    var parts = ["<text x=\"4\" y=\"12\">\(y.title)</text>"]
    for tick in y.ticks {
      guard let place = y.place(of: tick.value) else { continue }
      let at = Self.bottom - place * (Self.bottom - Self.top)
      parts.append("<line x1=\"46\" y1=\"\(number(at))\" x2=\"300\" y2=\"\(number(at))\"/>")
      parts.append("<text x=\"40\" y=\"\(number(at + 4))\" text-anchor=\"end\">\(tick.text)</text>")
    }
    for tick in x.ticks {
      guard let place = x.place(of: tick.value) else { continue }
      let at = Self.left + place * (Self.right - Self.left)
      parts.append("<text x=\"\(number(at))\" y=\"186\" text-anchor=\"middle\">\(tick.text)</text>")
    }
    parts.append("<text x=\"173\" y=\"204\" text-anchor=\"middle\">\(x.title)</text>")
    return parts
  }

  private func draw(_ mark: Mark) -> String {
    switch mark {
    case .line(let points, let style):
      return segments(points).map { "<polyline class=\"\(style)\" points=\"\($0)\"/>" }.joined(
        separator: "\n")
    case .dots(let points, let style):
      return points.compactMap(at).map { point in
        "<circle class=\"\(style)\" cx=\"\(number(point.x))\" cy=\"\(number(point.y))\" r=\"3.5\"/>"
      }.joined(separator: "\n")
    case .bar(let range, let value, let style):
      guard let from = at((range.lowerBound, value)), let to = at((range.upperBound, value)) else {
        return ""
      }
      let width = max(1, to.x - from.x - 2)
      return "<rect class=\"\(style)\" x=\"\(number(from.x + 1))\" y=\"\(number(from.y))\" "
        + "width=\"\(number(width))\" height=\"\(number(Self.bottom - from.y))\"/>"
    case .rule(let value):
      guard let point = at((value, y.range.upperBound)) else { return "" }
      return "<line class=\"rule\" x1=\"\(number(point.x))\" y1=\"24\" x2=\"\(number(point.x))\" y2=\"170\"/>"
    case .range(let value, let low, let high, let style):
      guard let from = at((value, low)), let to = at((value, high)) else { return "" }
      return "<line class=\"\(style)\" x1=\"\(number(from.x))\" y1=\"\(number(from.y))\" "
        + "x2=\"\(number(to.x))\" y2=\"\(number(to.y))\"/>"
    }
  }

  /// The parts of a line between the points that have no place; one point alone is no line.
  private func segments(_ points: [(x: Double, y: Double)]) -> [String] {
    points.split { at($0) == nil }.filter { $0.count > 1 }.map { part in
      part.compactMap(at).map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    }
  }

  private func at(_ point: (x: Double, y: Double)) -> (x: Double, y: Double)? {
    guard let x = x.place(of: point.x), let y = y.place(of: point.y) else { return nil }
    return (Self.left + x * (Self.right - Self.left), Self.bottom - y * (Self.bottom - Self.top))
  }

  private func number(_ value: Double) -> String { ReportNumber.coordinate(value) }
}
