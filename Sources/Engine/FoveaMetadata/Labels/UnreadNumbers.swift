// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The numbers of classes and colours in forms that are not known, as in `2-bird`, `0-cat`, `1-dog`.
///
/// They would become parts of the labels, and if the lines are in another order than the numbers, all
/// classes would have wrong names. No sign decides, but the numbers of all lines together.
enum UnreadNumbers {
  /// Returns the error for such numbers in lines of which each was read as a label; nil if there are none.
  ///
  /// Texts that are equal without the numbers, as those of `class_1`, `class_10`, `class_2` are, are names,
  /// and so are folders in the order of their strings, `1_cat`, `10_dog`, `2_bird`.
  static func error(_ lines: [LabelLine], source: String) -> MetadataError? {
    // Classes without a name, and the signs below a header, have no numbers.
    let lines = lines.filter { !BackgroundName.isFiller($0.text) }
    guard 2 * lines.count(where: { LabelLine.isQuoted($0.text) }) < lines.count, lines.count > 1 else {
      return nil
    }
    let rows = lines.map(Row.init)
    for isFirst in [true, false] {
      guard let labels = numbered(lines, rows, isFirst: isFirst), !labels.isSorted,
        labels.isWhole || labels.isDense && labels.count >= 20 || labels.isColumn,
        labels.isColumn || !isFirst || !rows.allSatisfy(\.beginsWithNumber)
          || !labels.isInTextOrder && !areSorted(lines)
      else { continue }
      return numbersError(lines, "but not in their order and not", source: source)
    }
    return areColored(rows) ? LabelColors.open(lines[0], source: source) : nil
  }

  /// Returns whether nearly all lines, or what follows their class numbers, have the numbers of a colour at
  /// one place, and labels that differ.
  static func areColored(_ lines: [LabelLine]) -> Bool {
    lines.count > 1 && areColored(lines.map(Row.init))
  }

  private static func areColored(_ rows: [Row]) -> Bool {
    let places: [(Row) -> ArraySlice<Row.Number>] = [
      { $0.first.prefix(3) }, { $0.first.dropFirst().prefix(3) }, { $0.last.suffix(3) },
    ]
    return places.contains { place in
      let parts = rows.map { (row: $0, numbers: place($0)) }.filter { $0.numbers.count == 3 }
      guard isMost(parts.count, of: rows.count) else { return false }
      let colors = parts.map { part in part.numbers.map(\.value) }
      let shades = colors.flatMap(\.self)
      return LabelColors.isOfShades(shades) && shades.allSatisfy { $0 <= 255 }
        && isMost(Set(colors).count, of: colors.count)
        && areLabels(parts.map { $0.row.without($0.numbers) })
    }
  }

  /// Returns the error for more numbered lines than there are class numbers, none of which would be read; nil
  /// for other lines.
  static func excess(_ lines: [LabelLine], source: String) -> MetadataError? {
    let most = NumberedLabels.range.count
    guard lines.count > most,
      let line = lines.first(where: { hasEdgeNumber($0.text) }),
      lines.count(where: { hasEdgeNumber($0.text) }) > most
    else { return nil }
    return MetadataError(
      .tooLarge,
      "\(source) has \(lines.count) lines with numbers, but class numbers are at most \(most - 1): line"
        + " \(line.number) is '\(String(line.text.prefix(40)).printable)'",
      remedy: "Write the labels without numbers, one per line, in the order of the classes")
  }

  /// Returns whether a line begins with a number, or ends with one behind a sign or a space.
  private static func hasEdgeNumber(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first(where: { $0 == 0x23 || $0.isASCIILetterOrDigit }) else { return false }
    let behind = bytes.reversed().drop(while: \.isASCIIDigit)
    return !first.isASCIILetterOrDigit || first.isASCIIDigit
      || behind.count < bytes.count && behind.first?.isASCIILetterOrDigit == false
      || bytes.last == UInt8(ascii: ":")
  }

  /// Returns the labels of lines by their first or last numbers; nil if these belong to the labels, as
  /// decimals, ranges and times do.
  private static func numbered(
    _ lines: [LabelLine], _ rows: [Row], isFirst: Bool
  ) -> NumberedLabels? {
    // Only among several is a number that does not begin its line that of a class.
    guard lines.count > 2 || isFirst && rows.allSatisfy(\.beginsWithNumber) else {
      return nil
    }
    var entries: [NumberedLabels.Entry] = []
    var continued = 0
    for (line, row) in zip(lines, rows) {
      guard let number = isFirst ? row.first.first : row.last.last,
        isFirst || number.place.lowerBound > 0
      else { continue }
      if row.isContinued(number) { continued += 1 }
      entries.append(
        .init(
          number: number.value, text: row.without([number]), line: line.number,
          isColumn: isFirst && row.isColumn(number)))
    }
    // The first line may be a header.
    let isHeadless =
      entries.count > 1 && entries.count + 1 == lines.count && entries[0].line > lines[0].number
    guard isMost(entries.count, of: lines.count) || isHeadless, continued * 2 < entries.count,
      areLabels(entries.map(\.text))
    else { return nil }
    return NumberedLabels(entries)
  }

  /// Returns whether lines are sorted as strings, as folders are that number classes: `10_k`, `1_b`, `2_c`.
  private static func areSorted(_ lines: [LabelLine]) -> Bool {
    zip(lines, lines.dropFirst()).allSatisfy { $0.text < $1.text }
  }

  /// Returns whether texts without their numbers are those of labels: nearly all differ, and not only in
  /// other numbers.
  private static func areLabels(_ texts: [String]) -> Bool {
    LabelLine.areNames(texts)
      && texts.allSatisfy { text in
        text.contains(where: \.isLetter) || !text.contains(where: \.isNumber)
          || text.contains(part: LabelReading.placeholder)
      }
  }

  /// Returns whether nearly all lines are like that.
  private static func isMost(_ count: Int, of all: Int) -> Bool { count > 0 && count * 10 >= all * 9 }

  /// Returns the error for labels that are left with the sign, or the word, between them and their numbers,
  /// as those of `2 ~ bird`, `bird # 2` and `bird class 2` are; nil for others.
  static func error(
    betweenNumbersAnd labels: [LabelLine], of lines: [LabelLine], source: String
  ) -> MetadataError? {
    guard let label = labels.first(where: { !BackgroundName.isFiller($0.text) }),
      let line = lines.first(where: { $0.number == label.number }),
      haveSign(labels.map(\.text), isLast: line.text.hasPrefix(label.text))
    else { return nil }
    return numbersError(lines, "but not", source: source)
  }

  /// Returns whether all labels begin, or end, with one sign and a space, or end with one word for a number.
  private static func haveSign(_ labels: [String], isLast: Bool) -> Bool {
    var sign: Substring?
    let named = labels.filter { !BackgroundName.isFiller($0) }
    for label in named {
      let scalars = label.unicodeScalars
      let place =
        isLast ? scalars.lastIndex(where: LabelLine.isBlank) : scalars.firstIndex(where: LabelLine.isBlank)
      guard let place else { return false }
      let word = isLast ? label[place...].dropFirst() : label[..<place]
      guard word == sign ?? word else { return false }
      sign = word
    }
    guard let sign, named.count > 1 else { return false }
    let letters = LabelLine.letters(String(sign))
    return letters.isEmpty || isLast && ["class", "id", "index", "idx", "no", "nr"].contains(letters)
  }

  /// Returns the error for numbers that are, for example, `but not` in a form that is known.
  private static func numbersError(
    _ lines: [LabelLine], _ reason: String, source: String
  ) -> MetadataError {
    let examples = lines.prefix(2).map {
      "line \($0.number) is '\(String($0.text.prefix(40)).printable)'"
    }
    return MetadataError(
      .badLabels,
      "\(source) has a number in each line, like those of classes, \(reason) in a form that is known: "
        + examples.joined(separator: ", "),
      remedy: "Write the class number and a space before each label, as in '0 cat', or the labels in quotes"
        + " if the numbers belong to them")
  }

  /// The numbers of a line.
  private struct Row {
    struct Number {
      var value: Int
      var place: Range<Int>
    }

    /// The first numbers of the line, at most four.
    private(set) var first: [Number] = []
    /// The last numbers of the line, at most three.
    private(set) var last: [Number] = []
    private let bytes: [UInt8]

    var beginsWithNumber: Bool { first.first?.place.lowerBound == 0 }

    /// The maximum size of a line; a damaged file may have a line of megabytes.
    private static let maximumBytes = 1024

    init(_ line: LabelLine) {
      bytes = line.text.utf8.count <= Row.maximumBytes ? Array(line.text.utf8) : []
      var place = 0
      var numbers: [Number] = []
      while place < bytes.count {
        let digits = bytes[place...].prefix(while: \.isASCIIDigit)
        // Longer numbers are those of no class and no colour.
        if let value = Int(String(decoding: digits, as: UTF8.self)) {
          numbers.append(Number(value: value, place: digits.startIndex..<digits.endIndex))
        }
        place = max(digits.endIndex, place + 1)
      }
      (first, last) = (Array(numbers.prefix(4)), Array(numbers.suffix(3)))
    }

    /// Returns the line without some of its numbers.
    func without(_ numbers: some Sequence<Number>) -> String {
      var rest = bytes
      for number in Array(numbers).reversed() { rest.removeSubrange(number.place) }
      return LabelLine.trimmed(String(decoding: rest, as: UTF8.self))
    }

    /// Returns whether a sign and another number follow or precede a number: `0.5 mm`, `0-2 years`.
    ///
    /// A sign that a line has twice separates columns: `cat,0,250`.
    func isContinued(_ number: Number) -> Bool {
      func isSign(_ place: Int) -> Bool {
        guard bytes.indices.contains(place), ".,:/-".utf8.contains(bytes[place]) else { return false }
        return bytes.count { $0 == bytes[place] } == 1
      }
      func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && bytes[place].isASCIIDigit }
      let (start, end) = (number.place.lowerBound, number.place.upperBound)
      // `2.0` is a class number.
      let isWhole = bytes[end...].starts(with: [0x2E, 0x30]) && !isDigit(end + 2)
      return !isWhole && isSign(end) && isDigit(end + 1) || isSign(start - 1) && isDigit(start - 2)
    }

    /// Returns whether a number begins the line, and a separator and a label that begins with a letter
    /// follow it.
    func isColumn(_ number: Number) -> Bool {
      let rest = bytes[number.place.upperBound...]
      guard number.place.lowerBound == 0, let sign = rest.first, ",;\t".utf8.contains(sign) else {
        return false
      }
      return LabelLine.trimmed(String(decoding: rest.dropFirst(), as: UTF8.self)).first?.isLetter == true
    }
  }
}
