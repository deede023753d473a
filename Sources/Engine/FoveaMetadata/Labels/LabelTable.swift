// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Labels in columns, with a header, or with the class number after each label.
struct LabelTable {
  private let rows: [(fields: [String], line: Int)]
  private var header: [String] = []
  /// The column of the class numbers; nil if the order of the rows numbers the classes.
  private let numberColumn: Int?

  /// The names of label columns that are unlikely to be labels themselves, the best first.
  static let certainNameColumns = [
    "displayname", "name", "label", "labelname", "classname", "class", "category", "categoryname", "labels",
    "names", "classes", "categories",
  ]
  /// The names of label columns, the best first.
  static let nameColumns = certainNameColumns + ["text", "title", "value", "description"]
  /// The names of class number columns.
  static let numberColumns = [
    "id", "index", "classid", "labelid", "categoryid", "classindex", "labelindex", "classnumber", "number",
    "idx", "no", "nr", "num", "key", "code", "cls",
  ]
  /// The names of columns with neither labels nor class numbers.
  static let otherColumns = [
    "supercategory", "mid", "synset", "wnid", "color", "colour", "rgb", "rgba", "hex", "r", "g",
    "b",
  ]
  /// The names of columns with other numbers than those of classes.
  static let measureColumns: Set<String> = [
    "n", "train", "val", "valid", "test", "objects", "red", "green", "blue", "alpha", "year",
    "age", "price",
  ]
  /// The parts of such names: `n_images`, `parent_id`.
  static let measureWords = [
    "count", "anzahl", "freq", "area", "image", "instance", "sample", "box", "total", "percent",
    "support", "share", "size", "width", "height", "weight", "color", "colour", "score", "threshold", "super",
    "parent", "group",
  ]
  /// The names of columns with a rank.
  static let rankColumns: Set<String> = ["rank", "order", "priority", "position", "sort", "level"]

  /// Parses a table; returns nil if the lines are not one.
  /// - Throws: `badLabels` if several columns may have the labels or their numbers, or the numbers cannot be
  ///   classes.
  init?(_ lines: [LabelLine], source: String) throws(MetadataError) {
    let content = lines.filter { !$0.text.isEmpty && !$0.isComment }
    if let table = try LabelTable(content: content, source: source) {
      self = table
      return
    }
    let rest = content.filter { !$0.beginsAsComment }
    guard rest.count < content.count, 2 * rest.count > content.count,
      let table = try LabelTable(content: rest, source: source)
    else { return nil }
    self = table
  }

  /// Parses a table without blank lines and comments.
  private init?(content: [LabelLine], source: String) throws(MetadataError) {
    for separator in [",", "\t", ";", "|"].map({ $0.utf8.first ?? 0 }) {
      // Most files are not tables; the first line shows that.
      guard let line = content.first, LabelTable.mayHaveColumns(line.text, separator) else { continue }
      let first = LabelTable.fields(line, separator)
      guard first.count > 1 else { continue }
      guard content.allSatisfy({ LabelTable.mayHaveColumns($0.text, separator) }) else { continue }
      let rows = content.map { (fields: LabelTable.fields($0, separator), line: $0.number) }
      guard rows.allSatisfy({ $0.fields.count > 1 }) else { continue }
      let names = first.map(LabelLine.letters)
      if LabelTable.isHeader(names), rows.count > 1 {
        self.rows = Array(rows.dropFirst())
        header = names
        let columns = LabelColumns(
          header: first, below: self.rows.map(\.fields), lines: self.rows.map(\.line))
        numberColumn = try columns.number(source: source)
        return
      }
      // Labels such as `label, white` have a space after each comma.
      let isProse =
        separator == UInt8(ascii: ",") && content.allSatisfy { LabelLine.contains(",", " ", in: $0.text) }
      let columns = LabelColumns(
        header: first, rows: rows.dropFirst().map(\.fields), lines: rows.dropFirst().map(\.line))
      if let columns, let found = try columns.names(isProse: isProse, source: source) {
        self.rows = Array(rows.dropFirst())
        header = found
        numberColumn = try columns.number(source: source)
        return
      }
      // Without a header, only numbers at the end show the meaning of the columns; `NumberedLines` reads
      // those before a label.
      let entries = [1, 0].map { LabelTable.entries(rows, number: $0) }
      let isNumbered = content.contains { NumberedLines.isNumbered($0.text) }
      if let column = [1, 0].first(where: { column in
        let entries = entries[1 - column]
        return !entries.isEmpty && (column == 1 || !isNumbered) && LabelLine.areNames(entries.map(\.text))
          && NumberedLabels(entries)?.isNumbering == true
      }) {
        self.rows = rows
        (header, numberColumn) = (column == 1 ? ["name", "id"] : ["id", "name"], column)
        return
      }
      if let twins = entries.lazy.compactMap(NumberedLabels.twins).first {
        throw LabelText.twinNumbers(twins, source: source)
      }
      if content.allSatisfy({ $0.text.hasPrefix("\"") && $0.text.hasSuffix("\"") }),
        let found = try LabelColumns(quoted: rows.map(\.fields))?.places(source: source)
      {
        self.rows = rows
        header = first.indices.map { $0 == found.label ? "label" : "" }
        numberColumn = found.number
        return
      }
    }
    return nil
  }

  /// The maximum number of columns; more commas than that are not those of a table.
  private static let maximumColumns = 1000

  /// Returns whether a line has a separator, and no more than a table has.
  private static func mayHaveColumns(_ text: String, _ separator: UInt8) -> Bool {
    var count = 0
    for byte in text.utf8 where byte == separator {
      count += 1
      if count >= maximumColumns { return false }
    }
    return count > 0
  }

  private static func fields(_ line: LabelLine, _ separator: UInt8) -> [String] {
    CSVFields.split(Array(line.text.utf8)[...], separator: separator).map { LabelLine.trimmed($0) }
  }

  /// Returns the class numbers and labels of rows with these two columns only; empty for others.
  private static func entries(
    _ rows: [(fields: [String], line: Int)], number: Int
  ) -> [NumberedLabels.Entry] {
    let entries = rows.compactMap { row -> NumberedLabels.Entry? in
      guard row.fields.count == 2, LabelColumns.whole(row.fields[1 - number]) == nil else { return nil }
      return LabelColumns.whole(row.fields[number]).map {
        // Numbers behind the labels may count something else: `limit, 30`, `limit, 50` are labels.
        .init(number: $0, text: row.fields[1 - number], line: row.line, isMarked: number == 0)
      }
    }
    return entries.count == rows.count ? entries : []
  }

  private static func isHeader(_ names: [String]) -> Bool {
    names.contains { nameColumns.contains($0) }
      && names.allSatisfy {
        $0.isEmpty || nameColumns.contains($0) || numberColumns.contains($0) || otherColumns.contains($0)
      }
  }

  /// The possible readings of the table; empty if no column has labels.
  var readings: [LabelReading] {
    let nameColumn =
      column(LabelTable.nameColumns, but: numberColumn) { !$0.isEmpty && Int($0) == nil }
      ?? column(LabelTable.nameColumns, but: numberColumn) { !$0.isEmpty }
      // A class without a name.
      ?? column(LabelTable.nameColumns, but: numberColumn) { Int($0) == nil }
    guard let nameColumn else { return [] }
    if let numberColumn {
      let labels = NumberedLabels(
        rows.map {
          .init(
            number: LabelColumns.whole($0.fields[numberColumn]) ?? 0, text: $0.fields[nameColumn],
            line: $0.line)
        })
      guard let labels else { return [] }
      return labels.readings(.table) + [labels.closed(.table)]
    }
    return [
      LabelReading(names: rows.map { $0.fields[nameColumn] }, form: .table, lines: rows.map(\.line))
    ]
  }

  /// Returns the first column with one of these names whose fields all satisfy `fits`.
  private func column(_ names: [String], but other: Int? = nil, _ fits: (String) -> Bool) -> Int? {
    let places = names.flatMap { name in header.indices.filter { header[$0] == name } }
    return places.first { place in
      place != other && rows.allSatisfy { $0.fields.count > place && fits($0.fields[place]) }
    }
  }
}
