// SPDX-License-Identifier: Apache-2.0

import FoveaFormats

/// The table of classes of a report.
struct ReportClasses {
  let summary: ReportSummary

  /// How many classes are shown before the rest folds away, and how many at most.
  private static let openLimit = 8
  private static let limit = 200

  /// Classes with their numbers, the most frequent first, equal ones by name.
  var ranked: [(number: Int, total: ReportSummary.ClassTotal)] {
    summary.classes.enumerated().map { (number: $0.offset, total: $0.element) }.sorted { first, second in
      first.total.findings != second.total.findings
        ? first.total.findings > second.total.findings : first.total.label < second.total.label
    }
  }

  /// The class as the page names it.
  static func name(_ total: ReportSummary.ClassTotal) -> String {
    total.label.isEmpty ? "unlabelled" : total.label
  }

  /// The panel; nothing where there is no class.
  var html: String {
    let ranked = ranked
    guard !ranked.isEmpty else { return "" }
    let shown = ranked.prefix(Self.limit)
    let open = shown.count <= Self.openLimit + 1 ? shown.count : Self.openLimit
    let others =
      ranked.dropFirst(Self.limit).reduce(0) { $0 + $1.total.findings } + summary.otherFindings
    var html = """
      <section class="panel" aria-labelledby="h-classes">
      <h2 id="h-classes">Classes</h2>
      \(table(shown.prefix(open)))
      """
    if shown.count > open {
      html += """
        <details><summary>\(ReportNumber.grouped(shown.count - open)) more classes</summary>
        \(table(shown.dropFirst(open)))</details>

        """
    }
    if others > 0 {
      html += "<p class=\"note\">\(ReportNumber.grouped(others)) more are of other classes.</p>\n"
    }
    return html + "</section>\n"
  }

  private func table(_ rows: ArraySlice<(number: Int, total: ReportSummary.ClassTotal)>) -> String {
    """
    <table>
    <thead><tr><th scope="col">class</th><th scope="col" class="n">\(summary.areLabels ? "labels" : "objects")</th>\
    <th scope="col" class="n">images</th><th scope="col" class="n">best</th></tr></thead>
    <tbody>
    \(rows.map { row($0.total) }.joined())</tbody>
    </table>

    """
  }

  private func row(_ total: ReportSummary.ClassTotal) -> String {
    """
    <tr><th scope="row"><span class="dot \(ReportStyle.className(for: total.label))"></span>\
    <bdi>\(ReportText.escaped(Self.name(total)))</bdi></th>\
    <td class="n">\(ReportNumber.grouped(total.findings))</td>\
    <td class="n">\(ReportNumber.grouped(total.pictures))</td>\
    <td class="n">\(ReportNumber.fixed(total.best, 2))</td></tr>

    """
  }
}
