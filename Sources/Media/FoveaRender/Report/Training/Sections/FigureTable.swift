// SPDX-License-Identifier: Apache-2.0

/// A table of figures: the first column names the row, and the others are numbers.
struct FigureTable {
  let columns: [String]
  /// Texts that are safe already.
  let rows: [[String]]

  var html: String {
    """
    <table>
    <thead><tr>\(columns.enumerated().map(head).joined())</tr></thead>
    <tbody>
    \(rows.map(row).joined())</tbody>
    </table>

    """
  }

  /// The table folded away below a plot that shows the same.
  var folded: String { "<details><summary>The figures</summary>\n\(html)</details>\n" }

  private func head(_ index: Int, _ text: String) -> String {
    // A head without a text would be read as one.
    text.isEmpty ? "<td></td>" : "<th scope=\"col\"\(index == 0 ? "" : " class=\"n\"")>\(text)</th>"
  }

  private func row(_ cells: [String]) -> String {
    let figures = cells.dropFirst().map { "<td class=\"n\">\($0)</td>" }
    return "<tr><th scope=\"row\">\(cells.first ?? "")</th>\(figures.joined())</tr>\n"
  }
}
