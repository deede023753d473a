// SPDX-License-Identifier: Apache-2.0

/// Formats rows of cells as aligned columns.
package enum TextTable {
  /// Right-aligns columns, two spaces apart, except for those in `leftAligned`; nil left-aligns all.
  ///
  /// Characters that could move the cursor are escaped.
  package static func text(_ rows: [[String]], leftAligned: Set<Int>? = nil, indent: String = "") -> String {
    let rows = rows.map { $0.map(\.printable) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let isLeft = leftAligned?.contains(column) ?? true
        line += (column > 0 ? "  " : "") + (isLeft ? cell + padding : padding + cell)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
