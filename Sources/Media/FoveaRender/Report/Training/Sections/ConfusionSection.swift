// SPDX-License-Identifier: Apache-2.0

/// Which class was taken for which, as a matrix and as a list of the most frequent.
struct ConfusionSection {
  let counts: ConfusionCounts
  let names: ClassNames
  /// The pairs that have photos further down.
  let linked: Set<ConfusionCounts.Pair>

  private static let listed = 10

  /// The panel; nil without a photo.
  var section: ReportSection? {
    guard counts.total > 0 else { return nil }
    let shown = counts.shown
    let rest = counts.classes - shown.count
    let limit =
      rest > 0
      ? " The \(shown.count) most confused classes are shown, and \(ReportNumber.grouped(rest)) as “others”."
      : ""
    return ReportSection(
      id: "confusion", title: "What is taken for what",
      body: """
        <p class="note">A row is what the photos are, a column what was answered; an empty cell is 0.\
        \(linked.isEmpty ? "" : " A linked number leads to its photos.")\(limit)</p>
        <div class="sides">
        <div class="scroll" role="region" tabindex="0" aria-labelledby="h-confusion">
        \(table(shown, hasOthers: rest > 0))</div>
        \(list)</div>

        """)
  }

  private func table(_ shown: [Int], hasOthers: Bool) -> String {
    var heads = shown.map { "<th scope=\"col\"><span>\(names.short($0))</span></th>" }
    if hasOthers { heads.append("<th scope=\"col\"><span>others</span></th>") }
    if counts.hasUnanswered { heads.append("<th scope=\"col\"><span>no answer</span></th>") }
    return """
      <table class="matrix\(shown.count > 12 ? " dense" : "")">
      <thead><tr><td></td>\(heads.joined())</tr></thead>
      <tbody>
      \(shown.map { row($0, shown, hasOthers) }.joined())</tbody>
      </table>

      """
  }

  private func row(_ given: Int, _ shown: [Int], _ hasOthers: Bool) -> String {
    let total = counts.total(given)
    var cells = shown.map { answered in
      cell(.init(given: given, answered: answered), of: total)
    }
    if hasOthers {
      let others =
        total - counts.count(.init(given: given, answered: nil))
        - shown.reduce(0) { $0 + counts.count(.init(given: given, answered: $1)) }
      cells.append("<td>\(others > 0 ? ReportNumber.grouped(others) : "")</td>")
    }
    if counts.hasUnanswered {
      cells.append(cell(.init(given: given, answered: nil), of: total))
    }
    return "<tr><th scope=\"row\">\(names.short(given))</th>\(cells.joined())</tr>\n"
  }

  /// A cell is the darker the more of its row it holds.
  private func cell(_ pair: ConfusionCounts.Pair, of total: Int) -> String {
    let count = counts.count(pair)
    guard count > 0 else { return "<td></td>" }
    let share = Double(count) / Double(max(total, 1))
    let isRight = pair.answered == pair.given
    let steps = isRight ? [0.2, 0.4, 0.6, 0.8] : [0.02, 0.05, 0.1, 0.25]
    let level = 1 + steps.count { share >= $0 }
    return
      "<td class=\"\(isRight ? "r" : "w")\(level)\" title=\"\(words(pair)): \(ReportNumber.grouped(count))\">"
      + "\(link(pair, ReportNumber.grouped(count)))</td>"
  }

  private func words(_ pair: ConfusionCounts.Pair) -> String {
    guard let answered = pair.answered else { return "\(names.plain(pair.given)) without an answer" }
    return pair.given == answered
      ? "\(names.plain(pair.given)), right" : "\(names.plain(pair.given)) taken for \(names.plain(answered))"
  }

  private func link(_ pair: ConfusionCounts.Pair, _ text: String) -> String {
    linked.contains(pair) ? "<a href=\"#\(pair.id)\">\(text)</a>" : text
  }

  private var list: String {
    let pairs = counts.pairs(limit: Self.listed)
    guard !pairs.isEmpty else { return "" }
    let rows = pairs.map { pair, count in
      "<li><span>\(names.short(pair.given)) → \(names.short(pair.answered ?? 0))</span> <span class=\"number\">"
        + "\(link(pair, ReportNumber.grouped(count))) of \(ReportNumber.grouped(counts.total(pair.given)))</span></li>\n"
    }
    return
      "<div class=\"pairs\">\n<h3>Most frequent</h3>\n<ol class=\"rows\">\n\(rows.joined())</ol>\n</div>\n"
  }
}
