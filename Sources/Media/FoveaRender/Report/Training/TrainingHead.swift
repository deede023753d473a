// SPDX-License-Identifier: Apache-2.0

/// What stands first: the result in a few sentences and numbers, and what to do next.
struct TrainingHead {
  let page: TrainingPage

  /// The most sentences of each kind.
  private static let limit = 20

  /// The result in sentences; nothing where there is none.
  var summary: String {
    guard !page.summary.isEmpty else { return "" }
    let lines = page.summary.prefix(Self.limit).map { "<p>\(OptionText.html($0))</p>\n" }
    return "<div class=\"summary\">\n\(lines.joined())</div>\n"
  }

  /// What to do next; nothing where there is nothing to do.
  var advice: String {
    guard !page.advice.isEmpty else { return "" }
    let lines = page.advice.prefix(Self.limit).map { "<li>\(OptionText.html($0))</li>\n" }
    return """
      <section class="panel advice" aria-labelledby="h-advice">
      <h2 id="h-advice">What to do next</h2>
      <ol>
      \(lines.joined())</ol>
      </section>

      """
  }

  /// The numbers that matter most; nothing where there is none.
  var tiles: String {
    var tiles = page.figures.prefix(3).map { figures in
      let error =
        figures.standardError.map { $0.isFinite ? ", ±\u{A0}\(ReportNumber.percent($0))" : "" } ?? ""
      let name = figures.name.prefix(1).lowercased() + figures.name.dropFirst()
      return (
        ReportNumber.percent(figures.accuracy),
        "right, \(ReportText.escaped(name, limit: 40))\(error)", false
      )
    }
    let photos = page.figures.first?.photos ?? 0
    let kind = page.boxes.isEmpty ? "photo" : "crop"
    if photos > 0 { tiles.append((ReportNumber.grouped(photos), photos == 1 ? kind : kind + "s", false)) }
    if !page.labels.isEmpty {
      tiles.append(
        (ReportNumber.grouped(page.labels.count), page.labels.count == 1 ? "class" : "classes", false))
    }
    if !page.suspects.isEmpty {
      tiles.append((ReportNumber.grouped(page.suspects.count), "probably mislabelled", true))
    }
    return tiles.isEmpty ? "" : ReportFrame.tiles(tiles)
  }
}
