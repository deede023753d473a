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
  static func error(_ all: [LabelLine], source: String) -> MetadataError? {
    // Classes without a name, and the signs below a header, have no numbers.
    let lines = all.filter { !BackgroundName.isFiller($0.text) }
    guard 2 * lines.count(where: { LabelLine.isQuoted($0.text) }) < lines.count, lines.count > 1 else {
      return nil
    }
    let rows = lines.map(NumberRow.init)
    if let entries = misplaced(lines, rows) {
      return numbersError(
        entries.map { lines[$0.row] }, among: all, "but not in their order and not", source: source,
        areNames: LabelLine.areNames(entries.map(\.rest)))
    }
    return areColored(rows) ? LabelColors.open(lines[0], source: source) : nil
  }

  /// Returns whether labels have such numbers.
  static func areMisplaced(in labels: [String]) -> Bool {
    let lines = labels.enumerated().map { LabelLine(number: $0 + 1, text: $1) }
      .filter { !BackgroundName.isFiller($0.text) }
    return lines.count > 1 && misplaced(lines, lines.map(NumberRow.init)) != nil
  }

  /// The places of a number in a line: among its numbers and its words, from the start and from the end.
  private static var places: [(NumberRow) -> NumberRow.Number?] {
    (0..<5).flatMap { place -> [(NumberRow) -> NumberRow.Number?] in
      [
        { $0.numbers.dropFirst(place).first }, { $0.numbers.dropLast(place).last },
        { $0.words.dropFirst(place).first ?? nil }, { $0.words.dropLast(place).last ?? nil },
      ]
    }
  }

  /// Returns the lines with a class number at one place, if these are not in order; nil if no place has such
  /// numbers.
  private static func misplaced(_ lines: [LabelLine], _ rows: [NumberRow]) -> [Entry]? {
    // Only among several is a number that does not begin its line that of a class.
    let places = lines.count > 2 ? places : rows.allSatisfy(\.beginsWithNumber) ? [places[0]] : []
    for place in places {
      if let entries = entries(rows, at: place), areMisplaced(entries, lines) { return entries }
    }
    return nil
  }

  /// A line with a number at some place.
  private struct Entry {
    var row: Int
    var line: NumberRow
    var number: NumberRow.Number

    /// The line without the number.
    var rest: String { line.without([number]) }
  }

  /// Returns the lines with a number at a place; nil unless nearly all lines have one.
  private static func entries(
    _ rows: [NumberRow], at place: (NumberRow) -> NumberRow.Number?
  ) -> [Entry]? {
    let most = max(rows.count > 3 ? 1 : 0, rows.count / 10)
    var entries: [Entry] = []
    for (index, row) in rows.enumerated() {
      if let number = place(row) { entries.append(Entry(row: index, line: row, number: number)) }
      // The first line may be a header.
      guard index - entries.count < max(most, 1) else { return nil }
    }
    let missing = rows.count - entries.count
    return missing <= most || missing == 1 && entries[0].row > 0 ? entries : nil
  }

  /// Returns whether numbers are like those of classes, and not in order.
  private static func areMisplaced(_ entries: [Entry], _ lines: [LabelLine]) -> Bool {
    let values = entries.map(\.number.value)
    guard entries.count > 1, zip(values, values.dropFirst()).contains(where: { $0 > $1 }) else {
      return false
    }
    var known: Set<Int> = []
    let first = entries.filter { known.insert($0.number.value).inserted }
    // One of many may be a mistake.
    guard isMost(first.count, of: entries.count),
      let labels = NumberedLabels(first.map { .init(number: $0.number.value, text: "") })
    else { return false }
    let isColumn = entries.allSatisfy {
      $0.line.isColumn($0.number) || $0.line.isFiller && $0.number.place.lowerBound == 0
    }
    let isDense = labels.isDense && labels.count >= 20
    guard labels.isWhole || isDense || isColumn,
      isColumn || !entries.allSatisfy({ $0.number.place.lowerBound == 0 })
        || !labels.isInTextOrder && !areSorted(lines),
      !areContinued(entries)
    else { return false }
    return areLabels(entries, isCertain: labels.isWhole)
  }

  /// Returns whether numbers belong to labels together with others: `2.5 l`, or `2-3 weeks`, `0-1 hours`.
  ///
  /// Ranges do not overlap; of `2-85 bird`, `0-17 cat`, the first numbers are those of classes, and so are
  /// those of three lines such as `2,85 kg`, which may be columns, and of four decimals in another order.
  private static func areContinued(_ entries: [Entry]) -> Bool {
    let pairs = entries.compactMap { $0.line.pair(of: $0.number) }.sorted { $0.first < $1.first }
    guard 2 * pairs.count >= entries.count else { return false }
    if pairs.contains(where: { $0.sign == UInt8(ascii: ",") }) { return entries.count < 3 }
    return entries.count < 4 && pairs.contains { $0.sign == UInt8(ascii: ".") }
      || pairs.allSatisfy { $0.first < $0.second }
        && zip(pairs, pairs.dropFirst()).allSatisfy { $0.second <= $1.first }
  }

  /// Returns whether lines are those of labels without their numbers: they differ, and not only in other
  /// numbers.
  ///
  /// Several classes may have one name, or none, if no class number is left out.
  private static func areLabels(_ entries: [Entry], isCertain: Bool) -> Bool {
    // Labels may be signs, `2 *`, `0 -`, or differ in numbers of their own, `2-n2x`, `0-n0x`.
    if areLabels(entries.map(\.rest)) { return true }
    guard Set(entries.map(\.line.letters)).count > 1 else { return false }
    let named = entries.filter { !$0.line.isFiller }.map(\.line.letters)
    return isCertain || named.count > 1 && 2 * Set(named).count > named.count
  }

  /// Returns whether nearly all lines, or what follows their class numbers, have the numbers of a colour at
  /// one place, and labels that differ.
  static func areColored(_ lines: [LabelLine]) -> Bool {
    lines.count > 1 && areColored(lines.map(NumberRow.init))
  }

  private static func areColored(_ rows: [NumberRow]) -> Bool {
    let places: [(NumberRow) -> ArraySlice<NumberRow.Number>] = [
      { $0.numbers.prefix(3) }, { $0.numbers.dropFirst().prefix(3) }, { $0.numbers.suffix(3) },
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
    guard lines.count > most else { return nil }
    let texts = lines.map(\.text)
    let rests = PublicIDs.labels(texts) ?? texts
    guard let place = rests.firstIndex(where: hasEdgeNumber), rests.count(where: hasEdgeNumber) > most else {
      return nil
    }
    let line = lines[place]
    return MetadataError(
      .tooLarge,
      "\(source) has \(lines.count) lines with numbers, but class numbers are at most \(most - 1): line"
        + " \(line.number) is '\(String(line.text.prefix(40)).printable)'",
      remedy: "Write the labels without numbers, one per line, in the order of the classes")
  }

  /// Returns whether a line begins with a number, or ends with one behind a sign or a space.
  private static func hasEdgeNumber(_ text: String) -> Bool {
    let words = NumberRow(LabelLine(number: 0, text: text)).words
    return words.first.map { $0 != nil } == true || words.last.map { $0 != nil } == true
      || text.hasSuffix(":")
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
  static func isMost(_ count: Int, of all: Int) -> Bool { count > 0 && count * 10 >= all * 9 }

  /// Returns the error for the numbers of some lines among all, which are, for example, `but not` in a form
  /// that is known, before labels that differ or not.
  static func numbersError(
    _ lines: [LabelLine], among all: [LabelLine], _ reason: String, source: String, areNames: Bool = true
  ) -> MetadataError {
    func quoted(_ line: LabelLine) -> String {
      "line \(line.number) is '\(String(line.text.prefix(40)).printable)'"
    }
    let numbers = Set(lines.map(\.number))
    let others = all.filter { !numbers.contains($0.number) }
    // A header needs no number.
    let label = others.first { $0.number != all.first?.number || !$0.mayBeHeader }
    let number = "class number and a space before each label, as in '0 cat'"
    let way =
      areNames
      ? "Write the \(number)" + (label.map { ", also in line \($0.number)" } ?? "")
      : "Write the labels without numbers in the order of the classes"
    return MetadataError(
      .badLabels,
      "\(source) has a number in each line"
        + (others.isEmpty ? "" : " but \(others.count == 1 ? "one" : String(others.count))")
        + ", like those of classes, \(reason) in a form that is known: "
        + (lines.prefix(2) + others.prefix(1)).map(quoted).joined(separator: ", "),
      remedy: "\(way), or the labels in quotes if the numbers belong to them")
  }
}
