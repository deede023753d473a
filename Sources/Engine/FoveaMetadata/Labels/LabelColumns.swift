// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The columns of a table whose header may have names that label files do not usually have.
struct LabelColumns {
  private let header: [String]
  private let names: [String]
  private let rows: [[String]]

  /// Creates the columns of a possible header and the rows below it.
  /// - Returns: nil if the rows differ in their number of columns, there are no rows, or the header has a
  ///   number.
  init?(header: [String], rows: [[String]]) {
    guard !rows.isEmpty, rows.allSatisfy({ $0.count == header.count }),
      header.allSatisfy({ Double($0) == nil })
    else { return nil }
    (self.header, self.rows) = (header, rows)
    names = header.map(LabelLine.letters)
  }

  /// Returns the names of the columns in lower case, as ``LabelTable`` knows them.
  /// - Parameters:
  ///   - isProse: Whether the lines may be labels with commas unless a column has numbers.
  ///   - source: The file's name, for errors.
  /// - Returns: nil if the first line is not a header.
  /// - Throws: `badLabels` if several columns may have the labels and the header names none of them.
  func names(isProse: Bool, source: String) throws(MetadataError) -> [String]? {
    let numbers = names.indices.filter { place in rows.allSatisfy { Int($0[place]) != nil } }
    guard !isProse || !numbers.isEmpty else { return nil }
    let number = numbers.first {
      LabelTable.numberColumns.contains(names[$0]) && Set(fields($0)).count == rows.count
    }
    // `text` and `title` may also be labels, but not above numbers.
    let known = numbers.isEmpty ? LabelTable.certainNameColumns : LabelTable.nameColumns
    if names.indices.contains(where: {
      known.contains(names[$0]) && hasLabels($0, mayBeDigits: number != nil)
    }) {
      return names
    }
    guard number != nil else { return nil }
    let places = names.indices.filter { hasLabels($0) && !LabelTable.otherColumns.contains(names[$0]) }
    guard let place = places.first else { return nil }
    guard places.count == 1 else {
      let shown = places.map { "'\(String(header[$0].prefix(40)).printable)'" }.joined(separator: ", ")
      throw MetadataError(
        .badLabels, "\(source) has \(places.count) columns that may have the labels: \(shown)",
        remedy: "Write 'label' in the first line as the name of the column with the labels")
    }
    var found = names
    found[place] = "label"
    return found
  }

  private func fields(_ place: Int) -> [String] { rows.map { $0[place] } }

  /// Returns whether the fields of a column may be labels: nearly all unique, and not all numbers.
  private func hasLabels(_ place: Int, mayBeDigits: Bool = false) -> Bool {
    let fields = fields(place)
    return fields.allSatisfy { !$0.isEmpty } && LabelLine.areNames(fields)
      && (mayBeDigits || fields.contains { Double($0) == nil })
  }
}
