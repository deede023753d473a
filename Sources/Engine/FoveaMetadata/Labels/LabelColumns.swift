// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The columns of a table whose header may have names that label files do not usually have.
struct LabelColumns {
  private let header: [String]
  private let names: [String]
  private let rows: [[String]]
  /// The columns of whole numbers.
  private let numbers: [Int]
  /// The lines of the rows; empty if they are unknown.
  private let lines: [Int]
  /// The word for a column in errors: `column`, or `member` for those of objects.
  private let noun: String

  /// Creates the columns of a header and the rows below it; missing fields at the end of a row are blank.
  init(header: [String], below rows: [[String]], lines: [Int] = [], noun: String = "column") {
    (self.noun, self.lines) = (noun, lines)
    let rows = rows.map { $0 + [String](repeating: "", count: max(0, header.count - $0.count)) }
    (self.header, self.rows) = (header, rows)
    names = header.map(LabelLine.letters)
    numbers = header.indices.filter { place in rows.allSatisfy { LabelColumns.whole($0[place]) != nil } }
  }

  /// Creates the columns of a possible header and the rows below it.
  /// - Returns: nil if a row has another number of columns, there is none, or the header has a number. Rows
  ///   with a number may be shorter.
  init?(header: [String], rows: [[String]], lines: [Int]) {
    guard !rows.isEmpty, rows.allSatisfy({ $0.count <= header.count }),
      header.allSatisfy({ Double($0) == nil })
    else { return nil }
    self.init(header: header, below: rows, lines: lines)
    guard !numbers.isEmpty || rows.allSatisfy({ $0.count == header.count }) else { return nil }
  }

  /// Creates the columns of rows without a header, whose fields are all quoted; returns nil if the rows have
  /// different numbers of columns.
  init?(quoted rows: [[String]]) {
    guard rows.count > 1, let first = rows.first, rows.allSatisfy({ $0.count == first.count }) else {
      return nil
    }
    self.init(header: first, below: rows)
  }

  /// Returns the whole number of a field, even if it is written as `2.0` or `0x2`; nil for other text.
  static func whole(_ field: String) -> Int? {
    if let number = Int(field) ?? hexadecimal(field) { return number }
    let parts = field.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy({ $0 == "0" }) else { return nil }
    return Int(parts[0])
  }

  /// Returns the number of a field such as `0x1f`; nil for other text.
  static func hexadecimal(_ field: String) -> Int? {
    guard field.hasPrefix("0x") || field.hasPrefix("0X") else { return nil }
    let digits = field.utf8.dropFirst(2)
    return String(digits).flatMap { $0.first?.isHexDigit == true ? Int($0, radix: 16) : nil }
  }

  // MARK: Names

  /// Returns the names of the columns in lower case, as ``LabelTable`` knows them.
  /// - Parameters:
  ///   - isProse: Whether the lines may be labels with commas unless a column has numbers.
  ///   - source: The file's name, for errors.
  /// - Returns: nil if the first line is not a header.
  /// - Throws: `badLabels` if several columns may have the labels and the header names none of them.
  func names(isProse: Bool, source: String) throws(MetadataError) -> [String]? {
    guard !isProse || !numbers.isEmpty else { return nil }
    let hasNumber = numbers.contains { LabelTable.numberColumns.contains(names[$0]) && isUnique($0) }
    // `text` and `title` may also be labels, but not above numbers.
    let known = numbers.isEmpty ? LabelTable.certainNameColumns : LabelTable.nameColumns
    if names.indices.contains(where: {
      known.contains(names[$0]) && hasLabels($0, mayBeDigits: hasNumber, mayBeBlank: hasNumber)
    }) {
      return names
    }
    guard hasNumber || numbers.contains(where: isNumbering) else { return nil }
    let texts = names.indices.filter { !LabelTable.otherColumns.contains(names[$0]) }
    var places = texts.filter { hasLabels($0) }
    if places.isEmpty { places = texts.filter { hasLabels($0, mayBeBlank: true) } }
    guard let place = places.first else { return nil }
    guard places.count == 1 else { throw severalLabels(places, source: source) }
    var found = names
    found[place] = "label"
    return found
  }

  private func severalLabels(_ places: [Int], source: String) -> MetadataError {
    MetadataError(
      .badLabels, "\(source) has \(places.count) columns that may have the labels: \(quoted(places))",
      remedy: "Write 'label' in the first line as the name of the column with the labels")
  }

  /// Returns whether a column numbers the rows so that the line above them is a header.
  private func isNumbering(_ place: Int) -> Bool {
    guard rows.count > 1, !isMeasure(place), let labels = labels(place) else { return false }
    return isNamedAsNumber(place) || labels.isWhole || labels.isDense
  }

  /// Returns the columns of the class numbers and the labels in rows without a header.
  /// - Returns: nil if no column has the class numbers.
  /// - Throws: `badLabels` if several columns may have the labels.
  func places(source: String) throws(MetadataError) -> (number: Int, label: Int)? {
    guard let number = numbers.first(where: { labels($0).map { $0.isWhole || $0.isDense } == true }) else {
      return nil
    }
    let places = names.indices.filter { $0 != number && hasLabels($0, mayBeBlank: true) }
    guard let place = places.first else { return nil }
    guard places.count == 1 else { throw severalLabels(places, source: source) }
    return (number, place)
  }

  // MARK: Class numbers

  /// Returns the column of the class numbers.
  ///
  /// A column with the name of class numbers has them. So has another one if it is the only column of unique
  /// whole numbers, unless it only counts the rows, as their order does too.
  /// - Returns: nil if the order of the rows numbers the classes.
  /// - Throws: `badLabels` if the numbers cannot be classes, or may be classes or something else.
  func number(source: String) throws(MetadataError) -> Int? {
    let listed = LabelTable.numberColumns.flatMap { name in numbers.filter { names[$0] == name } }
    let others = numbers.filter { isNamedAsNumber($0) && !listed.contains($0) }
    if let place = listed.first(where: { labels($0) != nil }) {
      // Of `id` 7, 8, 11 and `trainId` 1, 0, 2, either may be the class.
      if let labels = labels(place), !labels.isWhole, !labels.isDense {
        let rivals = (listed + others).filter { $0 != place && isWhole($0) && !countsRows($0) }
        if !rivals.isEmpty { throw several([place] + rivals, source: source) }
      }
      return place
    }
    if let place = listed.first { throw unusable(place, source: source) }
    if let place = names.indices.first(where: isIncomplete) { throw incomplete(place, source: source) }
    let titles = LabelTable.nameColumns.flatMap { name in numbers.filter { names[$0] == name } }
    if let place = titles.first(where: { labels($0) != nil && hasOtherLabels($0) }) { return place }
    let usable = others.filter { labels($0) != nil }
    if usable.contains(where: { !countsRows($0) }) {
      // The unnamed first column of pandas usually only counts the rows.
      let rivals = usable.filter { !names[$0].isEmpty || !countsRows($0) }
      guard rivals.count == 1 else { throw several(rivals, source: source) }
      return rivals[0]
    }
    if !usable.isEmpty { return usable.first { names[$0].isEmpty } }
    if let place = others.first { throw unusable(place, source: source) }
    return try unnamedNumber(source: source)
  }

  /// Returns the column of unique numbers whose name does not show their meaning.
  private func unnamedNumber(source: String) throws(MetadataError) -> Int? {
    let places = numbers.filter {
      isUnique($0) && !countsRows($0) && !isMeasure($0) && !LabelTable.nameColumns.contains(names[$0])
    }
    let texts = names.indices.filter { !isMeasure($0) && isOfNumbers($0) }
    guard rows.count > 1, let place = places.first ?? texts.first else { return nil }
    guard places.count < 2 else { throw several(places, source: source) }
    // Two numbers, such as a flag's 1 and 0, and ranks may be classes by chance.
    guard !places.isEmpty, rows.count > 2, isWhole(place), !LabelTable.rankColumns.contains(names[place])
    else {
      throw MetadataError(
        .badLabels, "\(source) has a \(noun) of numbers that may be the classes or not: \(quoted([place]))",
        remedy: isOfLines
          ? "Write 'id' in the first line as its name if it has the class numbers, or remove the column"
          : "Call it 'id' if it has the class numbers, or remove it")
    }
    return place
  }

  private func several(_ places: [Int], source: String) -> MetadataError {
    MetadataError(
      .badLabels, "\(source) has \(places.count) \(noun)s that may have the class numbers: \(quoted(places))",
      remedy: isOfLines
        ? "Keep only the one with the class numbers, with the name 'id' in the first line"
        : "Keep only the one with the class numbers, with the name 'id'")
  }

  private var isOfLines: Bool { noun == "column" }

  private func unusable(_ place: Int, source: String) -> MetadataError {
    let values = values(place)
    var reason = ""
    var rows: [Int: Int] = [:]
    for (row, number) in values.enumerated() where reason.isEmpty {
      if !NumberedLabels.range.contains(number) {
        reason = "\(number) is not a class"
      } else if let other = rows.updateValue(row, forKey: number) {
        let isKnown = lines.count == values.count
        reason =
          "\(number) appears twice" + (isKnown ? ", in lines \(lines[other]) and \(lines[row])" : "")
      }
    }
    return MetadataError(
      .badLabels, "\(source) has numbers in the \(noun) \(quoted([place])) that cannot be classes: \(reason)",
      remedy: "Write another class number for each label, from 0 or 1, or remove the \(noun)")
  }

  private func incomplete(_ place: Int, source: String) -> MetadataError {
    let field = fields(place).first { LabelColumns.whole($0) == nil } ?? ""
    return MetadataError(
      .badLabels,
      "\(source) has '\(String(field.prefix(40)).printable)' in the \(noun) \(quoted([place]))"
        + " instead of a class number",
      remedy: "Write a class number for each label, from 0 or 1, or remove the \(noun)")
  }

  // MARK: Columns

  private func fields(_ place: Int) -> [String] { rows.map { $0[place] } }

  private func values(_ place: Int) -> [Int] { rows.compactMap { LabelColumns.whole($0[place]) } }

  /// Returns the numbers of a column as those of classes; nil if they cannot be.
  private func labels(_ place: Int) -> NumberedLabels? {
    NumberedLabels(values(place).map { .init(number: $0, text: "") })
  }

  private func isUnique(_ place: Int) -> Bool { Set(values(place)).count == rows.count }

  private func isWhole(_ place: Int) -> Bool { labels(place)?.isWhole == true }

  /// Returns whether a column has the numbers 0, 1, 2, … or 1, 2, 3, … in this order.
  private func countsRows(_ place: Int) -> Bool {
    labels(place).map { $0.isWhole && $0.isSorted } == true
  }

  /// Returns whether a column has a name such as `coco_id` or `trainId`, or none, as the index of pandas.
  private func isNamedAsNumber(_ place: Int) -> Bool {
    let name = names[place]
    return !isMeasure(place)
      && (name.isEmpty || LabelTable.numberColumns.contains(name)
        || ["id", "idx", "index", "number", "nr"].contains { name.hasSuffix($0) })
  }

  /// Returns whether a column has such a name, and at least half of its fields, or one in objects, but not
  /// all, are numbers, or all are `cls2`, `cls0`, `cls1`.
  private func isIncomplete(_ place: Int) -> Bool {
    guard isNamedAsNumber(place), !numbers.contains(place) else { return false }
    let count = isOfLines ? fields(place).count(where: LabelColumns.isNumeric) : values(place).count
    return UnreadNumbers.areShuffled(fields(place))
      || (isOfLines ? 2 * count >= max(rows.count, 1) : count > 0)
  }

  /// Returns whether a field has digits and no letters, as `- 6` has.
  private static func isNumeric(_ field: String) -> Bool {
    field.utf8.contains(where: \.isASCIIDigit) && !field.contains(where: \.isLetter)
  }

  /// Returns whether a column has a name such as `count` or `parent_id`, which is not a class number.
  private func isMeasure(_ place: Int) -> Bool {
    let name = names[place]
    // The numbers before the labels in a column `n` may be those of the classes; behind them, they are
    // counts.
    if name == "n", place == 0, labels(place).map({ $0.isWhole || !$0.isSorted }) == true { return false }
    return LabelTable.otherColumns.contains(name) || LabelTable.measureColumns.contains(name)
      || LabelTable.measureWords.contains { name.contains(part: $0) }
  }

  /// Returns whether the fields of a column next to that of the labels are `cls2`, `cls0`, `cls1`.
  private func isOfNumbers(_ place: Int) -> Bool {
    rows.count > 2 && !numbers.contains(place)
      && names.indices.contains {
        $0 != place && LabelTable.nameColumns.contains(names[$0]) && hasLabels($0)
      } && Set(fields(place).map { NumberRow(LabelLine(number: 0, text: $0)).letters }).count == 1
      && UnreadNumbers.areShuffled(fields(place))
  }

  private func hasOtherLabels(_ place: Int) -> Bool {
    names.indices.contains {
      $0 != place && hasLabels($0) && !LabelTable.otherColumns.contains(names[$0])
    }
  }

  /// Returns whether the fields of a column may be labels: nearly all unique, and not all numbers.
  private func hasLabels(_ place: Int, mayBeDigits: Bool = false, mayBeBlank: Bool = false) -> Bool {
    let fields = fields(place)
    let filled = fields.filter { !$0.isEmpty }
    guard filled.count == fields.count || mayBeBlank && !filled.isEmpty else { return false }
    return LabelLine.areNames(filled) && (mayBeDigits || filled.contains { Double($0) == nil })
  }

  private func quoted(_ places: [Int]) -> String {
    places.map { "'\(String(header[$0].prefix(40)).printable)'" }.joined(separator: ", ")
  }
}
