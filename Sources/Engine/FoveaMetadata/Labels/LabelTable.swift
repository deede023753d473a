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
      if LabelTable.endsWithNumbers(rows.map(\.fields)) {
        self.rows = rows
        (header, numberColumn) = (["name", "id"], 1)
        return
      }
      if !content.contains(where: { NumberedLines.isNumbered($0.text) }),
        LabelTable.beginsWithNumbers(rows.map(\.fields))
      {
        self.rows = rows
        (header, numberColumn) = (["id", "name"], 0)
        return
      }
      for number in 0...1 {
        guard let twins = LabelTable.twins(rows, number: number, label: 1 - number) else { continue }
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

  /// Returns whether each row is a label and its class number; `limit, 30`, `limit, 50` are labels.
  private static func endsWithNumbers(_ rows: [[String]]) -> Bool {
    rows.allSatisfy { $0.count == 2 && LabelColumns.whole($0[0]) == nil }
      && numbers(rows, number: 1, label: 0)
  }

  /// Returns whether each row is a class number, such as `2.0` or `"2"`, and its label.
  private static func beginsWithNumbers(_ rows: [[String]]) -> Bool {
    rows.allSatisfy { $0.count == 2 && LabelColumns.whole($0[1]) == nil }
      && numbers(rows, number: 0, label: 1)
  }

  /// Returns whether a column without a header numbers unique labels.
  private static func numbers(_ rows: [[String]], number: Int, label: Int) -> Bool {
    guard LabelLine.areNames(rows.map { $0[label] }) else { return false }
    let entries = rows.compactMap { row in
      LabelColumns.whole(row[number]).map {
        // Numbers behind the labels may count something else.
        NumberedLabels.Entry(number: $0, text: row[label], isMarked: number < label)
      }
    }
    return entries.count == rows.count && NumberedLabels(entries)?.isNumbering == true
  }

  /// Returns two rows with one number among rows of a label and its class number; nil if there are none.
  private static func twins(
    _ rows: [(fields: [String], line: Int)], number: Int, label: Int
  ) -> (first: NumberedLabels.Entry, second: NumberedLabels.Entry)? {
    var entries: [NumberedLabels.Entry] = []
    for row in rows {
      guard row.fields.count == 2, LabelColumns.whole(row.fields[label]) == nil,
        let whole = LabelColumns.whole(row.fields[number])
      else { return nil }
      entries.append(.init(number: whole, text: row.fields[label], line: row.line))
    }
    return NumberedLabels.twins(entries)
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
