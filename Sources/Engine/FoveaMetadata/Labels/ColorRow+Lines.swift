// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Rows of all lines of a file, which together decide which numbers belong to the labels.
extension ColorRow {
  /// Parses lines, each of which has as many numbers before its label as the others.
  ///
  /// Labels may begin with a number, as `2 wheeler` does, or be one.
  /// - Returns: nil if a line has another form.
  static func rows(_ lines: [String]) -> [ColorRow]? {
    // Most files have no colours.
    guard lines.allSatisfy(hasThreeNumbers) else { return nil }
    return rowsOfWords(lines) ?? rowsOfFields(lines) ?? rowsOfNumbers(lines)
  }

  /// Parses lines of whose labels at least half begin with a letter.
  private static func rowsOfWords(_ lines: [String]) -> [ColorRow]? {
    var found: [ColorRow?] = []
    var missing = 0
    for line in lines {
      let row = ColorRow(line)
      found.append(row)
      if row == nil { missing += 1 }
      guard missing * 2 <= lines.count else { return nil }
    }
    let parsed = found.compactMap(\.self)
    guard let count = parsed.map(\.head.count).min(),
      let model = parsed.first(where: { $0.head.count == count })
    else { return nil }
    var rows: [ColorRow] = []
    for (line, row) in zip(lines, found) {
      let isLike = row.map { $0.head.count == count } ?? false
      guard let row = isLike ? row : ColorRow(line, count: count, like: model) else { return nil }
      rows.append(row)
    }
    // Of `128 0 0 2 wheeler`, `0 128 0 3 wheeler`, the fourth numbers belong to the labels.
    guard rows.count(where: { beginsWithLetter($0.text) }) * 2 >= rows.count,
      count < 4 || LabelLine.areNames(rows.map(\.text))
    else { return nil }
    // The first number behind `covid 19` belongs to it.
    let least = rows.map(\.tail.count).min() ?? 0
    for index in rows.indices where rows[index].tail.count > least && !rows[index].isTable && least > 2 {
      rows[index].readTail(least)
    }
    return rows
  }

  /// Parses lines of columns, of which one has the labels: of `7,128,0,0` and `cat,0,128,0`, the first.
  private static func rowsOfFields(_ lines: [String]) -> [ColorRow]? {
    for separator in [",", ";", "\t", "|"].map({ $0.utf8.first ?? 0 }) {
      guard let fields = fields(lines, separator), let width = fields.first?.count,
        fields.allSatisfy({ $0.count == width })
      else { continue }
      let places = (0..<width).filter { place in !fields.allSatisfy { Int($0[place]) != nil } }
      guard places.count == 1, let place = places.first else { continue }
      let rows = fields.map { fields in
        ColorRow(
          head: fields[..<place].compactMap { Int($0) }, label: fields[place],
          tail: fields[(place + 1)...].compactMap { Int($0) })
      }
      if areColored(rows) { return rows }
    }
    return nil
  }

  /// Returns the fields of lines with a separator, each of a column of colours such as `"128, 0, 0"` in
  /// several; nil if a line has another number of fields than the first.
  private static func fields(_ lines: [String], _ separator: UInt8) -> [[String]]? {
    var found: [[String]] = []
    for line in lines {
      let fields = CSVFields.split(Array(line.utf8)[...], separator: separator)
      guard fields.count > 1, fields.count == found.first?.count ?? fields.count else { return nil }
      found.append(fields.map { LabelLine.unquoted(LabelLine.trimmed($0)) })
    }
    let triples = (found.first ?? []).indices.map { place in found.allSatisfy { isTriple($0[place]) } }
    return found.map { fields in
      zip(fields, triples).flatMap { field, isTriple in isTriple ? words(field) : [field] }
    }
  }

  /// Parses lines with as many numbers before or behind each label as make it a row of colours; most labels
  /// begin with a number too, or with a sign.
  private static func rowsOfNumbers(_ lines: [String]) -> [ColorRow]? {
    for count in [5, 4, 3, 0] {
      guard let line = lines.first, let model = ColorRow(line, count: count, like: nil) else { continue }
      var rows: [ColorRow] = []
      for line in lines {
        guard let row = ColorRow(line, count: count, like: model) else { break }
        rows.append(row)
      }
      // The numbers that begin all texts of `0: 128 0 0 cat` belong to the colours.
      guard rows.count == lines.count, !model.isLoose || rows.contains(where: { !beginsWithDigit($0.text) })
      else { continue }
      if areColored(rows) { return rows }
    }
    return nil
  }

  /// Returns whether the numbers of rows are those of colours, and the other texts those of labels.
  private static func areColored(_ rows: [ColorRow]) -> Bool {
    let names = rows.map { $0.head.count > 2 ? $0.text : $0.label }
    let colors = rows.compactMap(\.color)
    return colors.count == rows.count && LabelColors.isOfShades(colors.flatMap(\.self))
      && names.contains { Int($0) == nil } && LabelLine.areNames(names)
      && NumberedLines.labels(names.enumerated().map { LabelLine(number: $0, text: $1) })?.isNumbering
        != true
  }

  private static func beginsWithDigit(_ text: String) -> Bool { text.utf8.first?.isASCIIDigit == true }

  /// Returns whether a line has three numbers, which may be those of a colour.
  static func hasThreeNumbers(_ line: String) -> Bool {
    var count = 0
    var isInside = false
    for byte in line.utf8 {
      let isDigit = byte.isASCIIDigit
      if isDigit, !isInside { count += 1 }
      if count > 2 { return true }
      isInside = isDigit
    }
    return false
  }
}
