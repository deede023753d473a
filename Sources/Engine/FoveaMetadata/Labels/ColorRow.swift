// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A line with a label among numbers, which may be those of a colour: `128 0 0 cat`, `0,cat,128,0,0`.
struct ColorRow {
  /// The numbers before the label.
  private(set) var head: [Int] = []
  /// The text behind these numbers.
  private(set) var text = ""
  /// The text without the numbers behind the label.
  private(set) var label = ""
  /// The numbers behind the label.
  private(set) var tail: [Int] = []
  /// True if only signs, such as commas, separate the label from the numbers behind it, and those from each
  /// other.
  private(set) var isTable = true
  /// True if only spaces do.
  private(set) var isSpaced = true
  /// True if a sign, such as that of `0: 128 0 0 cat`, marks the first number as that of the class.
  private(set) var isNumbered = false
  /// True if another column follows the label: `128,0,0,cat,1`.
  private(set) var endsInColumn = false

  /// The maximum number of numbers before or behind a label; a damaged file may have a line of megabytes.
  private static let maximumCount = 16

  /// Parses a line; returns nil if it has fewer than three numbers, or no label that begins with a letter.
  init?(_ line: String) {
    if let row = ColorRow(ColorRow.unquoted(line).unicodeScalars[...], behind: []) {
      self = row
    } else if let (number, text) = NumberedLines.numberBeforeSign(line),
      let row = ColorRow(text.unicodeScalars[...], behind: [number]), row.head.count > 3
    {
      self = row
      isNumbered = true
    } else {
      return nil
    }
  }

  /// Parses the text behind some numbers.
  private init?(_ line: Substring.UnicodeScalarView, behind numbers: [Int]) {
    head = numbers
    var rest = line
    var sign: Unicode.Scalar?
    while head.count < ColorRow.maximumCount, let (number, end) = ColorRow.number(rest) {
      head.append(number)
      sign = rest[end...].prefix(while: ColorRow.isSeparator).first { ColorRow.isSign($0) }
      rest = rest[end...].drop(while: ColorRow.isSeparator)
    }
    text = LabelLine.trimmed(String(rest))
    let first = LabelLine.unquoted(text).unicodeScalars.first
    guard first?.properties.isAlphabetic == true || text == LabelReading.placeholder else { return nil }
    if let sign, let byte = String(sign).utf8.first {
      endsInColumn = CSVFields.split(Array(text.utf8)[...], separator: byte).count > 1
    }
    readTail(rest)
    guard head.count + tail.count > 2 else { return nil }
  }

  private mutating func readTail(_ text: Substring.UnicodeScalarView) {
    var rest = text
    while let last = rest.last, ColorRow.isSeparator(last) { rest = rest.dropLast() }
    while tail.count < ColorRow.maximumCount {
      let digits = String.UnicodeScalarView(
        rest.reversed().prefix(7).prefix(while: ColorRow.isDigit).reversed())
      let before = rest.dropLast(digits.count)
      let separators = before.reversed().prefix(while: ColorRow.isSeparator)
      guard (1...6).contains(digits.count), let number = Int(String(digits)), !separators.isEmpty,
        separators.count < before.count
      else { break }
      let isTable = separators.allSatisfy(ColorRow.isSign)
      let isSpaced = separators.allSatisfy { $0 == " " }
      // Of `opus 1,128,0,0`, the first number belongs to the label.
      if tail.count > 2, self.isTable, !isTable { break }
      tail.insert(number, at: 0)
      self.isTable = self.isTable && isTable
      self.isSpaced = self.isSpaced && isSpaced
      rest = before.dropLast(separators.count)
    }
    label = LabelLine.trimmed(String(rest))
  }

  /// Returns a line without the quotes around each of its columns, except around those of text.
  private static func unquoted(_ line: String) -> String {
    guard line.hasPrefix("\""), line.utf8.count <= 1024 else { return line }
    let fields = CSVFields.split(Array(line.utf8)[...], separator: UInt8(ascii: ","))
    guard fields.count > 3 else { return line }
    return fields.map { Int($0) == nil ? LabelLines.quoted($0) : $0 }.joined(separator: ",")
  }

  /// Returns the number at the start of a text in front of a separator, and its end.
  private static func number(_ text: Substring.UnicodeScalarView) -> (Int, String.Index)? {
    let start = text.drop { $0 == "(" || $0 == "[" }
    let digits = start.prefix(7).prefix(while: isDigit)
    guard (1...6).contains(digits.count), let number = Int(String(digits)),
      let next = start[digits.endIndex...].first, isSeparator(next)
    else { return nil }
    return (number, digits.endIndex)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool { ",;\t|".unicodeScalars.contains(scalar) }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    isSign(scalar) || LabelLine.isBlank(scalar) || "()[]".unicodeScalars.contains(scalar)
  }
}
