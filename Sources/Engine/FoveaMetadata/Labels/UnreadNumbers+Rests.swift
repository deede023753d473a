// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Signs, words and columns that are left in labels besides the class numbers that were read.
extension UnreadNumbers {
  /// Returns the error for labels that are left with the sign, or the word, between them and their numbers,
  /// as those of `2 ~ bird`, `bird # 2` and `bird class 2` are; nil for others.
  static func error(
    betweenNumbersAnd labels: [LabelLine], of lines: [LabelLine], source: String
  ) -> MetadataError? {
    guard let label = labels.first(where: { !BackgroundName.isFiller($0.text) }),
      let line = lines.first(where: { $0.number == label.number })
    else { return nil }
    let (texts, isLast) = (labels.map(\.text), line.text.hasPrefix(label.text))
    let numbers = Set(labels.map(\.number))
    guard
      haveSign(texts, isLast: false, isNextToNumber: !isLast)
        || haveSign(texts, isLast: true, isNextToNumber: isLast)
        || !texts.allSatisfy(PublicIDs.isWhole) && haveTwins(lines.filter { numbers.contains($0.number) })
        || haveTotal(texts)
    else { return nil }
    return numbersError(lines, among: lines, "but not", source: source)
  }

  /// Returns the error for labels that are left with another column, as those of `2,cat,17` are; nil for
  /// others.
  static func error(
    columnsOf labels: [LabelLine], in lines: [LabelLine], source: String
  ) -> MetadataError? {
    guard labels.count > 1, let label = labels.min(by: { $0.number < $1.number }),
      let line = lines.first(where: { $0.number == label.number }),
      let (sign, isLoose) = separator(of: label.text, in: line.text)
    else { return nil }
    let rows = labels.map { CSVFields.split(Array($0.text.utf8)[...], separator: sign) }
    guard let count = rows.first?.count, count > 1, rows.allSatisfy({ $0.count == count }),
      rows.joined().allSatisfy({ !$0.isEmpty }),
      // In `0,limit, 30`, the second comma is one of the label.
      rows.allSatisfy({ $0.dropFirst().allSatisfy { $0.hasPrefix(" ") == isLoose } })
    else { return nil }
    let columns = (0..<count).map { place in rows.map { LabelLine.trimmed($0[place]) } }
    let isTable = ",;\t|".utf8.contains(sign)
    let names = columns.filter { fields in
      fields.allSatisfy {
        // `format 4:3` is a name.
        $0.first?.isLetter == true && (isTable || $0.last?.isNumber == false) || BackgroundName.isFiller($0)
      }
    }
    let hasNumbers = columns.contains { $0.allSatisfy { Double($0) != nil } }
    guard hasNumbers || isTable && !isLoose, names.count > (hasNumbers ? 0 : 1),
      names.contains(where: LabelLine.areNames)
    else { return nil }
    let way =
      isTable
      ? "Write their names in the first line, 'id' for the class numbers and 'label' for the labels, or only"
        + " these two columns"
      : "Write only the class number and the label in each line"
    return MetadataError(
      .badLabels,
      "\(source) has columns without a header: line \(line.number) is"
        + " '\(String(line.text.prefix(40)).printable)'",
      remedy: "\(way), or the labels in quotes if they contain the rest")
  }

  /// Returns the sign between a label and the class number at its start or end, and whether a space follows it;
  /// nil for other separators, and for spaces, as `boeing 737` may be a label.
  private static func separator(of label: String, in line: String) -> (sign: UInt8, isLoose: Bool)? {
    guard line.hasSuffix(label) || line.hasPrefix(label) else { return nil }
    let rest = line.utf8.count - label.utf8.count
    let edge = line.hasSuffix(label) ? line.utf8.prefix(rest) : line.utf8.suffix(rest)
    let signs = edge.filter { !$0.isASCIIDigit }
    let visible = signs.filter { $0 != 0x20 }
    guard visible.count == 1 else { return nil }
    return (visible[0], signs.last == 0x20)
  }

  /// Returns whether all labels begin, or end, with one sign and a space, or next to the number, at their
  /// end, with one word for a number.
  private static func haveSign(_ labels: [String], isLast: Bool, isNextToNumber: Bool) -> Bool {
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
    return letters.isEmpty
      || isLast && isNextToNumber && ["class", "id", "index", "idx", "no", "nr"].contains(letters)
  }

  /// Returns whether all labels begin with one number of classes: `of 3: cat`.
  private static func haveTotal(_ labels: [String]) -> Bool {
    let first = labels[0].prefix { $0 != ":" }
    return first.contains(where: \.isNumber) && labels.count > 1
      && labels.allSatisfy { $0.hasPrefix("\(first):") }
  }

  /// Returns whether three lines or more end with their class number twice: `cat (2) [2]`.
  private static func haveTwins(_ lines: [LabelLine]) -> Bool {
    let ends = lines.map { NumberRow($0).words.suffix(2).compactMap { $0?.value } }
    return lines.count > 2 && ends.allSatisfy { $0.count == 2 && $0[0] == $0[1] }
  }
}
