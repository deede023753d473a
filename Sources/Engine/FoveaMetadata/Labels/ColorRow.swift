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
  /// True if a sign that tables do not have separates the numbers behind the label: `cat: 128 0 0`.
  private(set) var hasLooseTail = false
  /// True if a sign, such as that of `0: 128 0 0 cat`, marks the first number as that of the class.
  private(set) var isNumbered = false
  /// True if another column follows the label: `128,0,0,cat,1`.
  private(set) var endsInColumn = false
  /// True if a sign that tables do not have is among the numbers before the label: `128:0:0:cat`.
  private(set) var isLoose = false

  /// The three numbers before or behind the label that may be a colour; nil for others.
  var color: [Int]? {
    let numbers = head.count > 2 ? head.suffix(3) : (3...4).contains(tail.count) ? tail.prefix(3) : []
    return numbers.isEmpty || numbers.contains { $0 > 255 } ? nil : Array(numbers)
  }

  /// The maximum number of numbers before or behind a label; a damaged file may have a line of megabytes.
  private static let maximumCount = 16

  /// Parses a line; returns nil if it has fewer than three numbers, or no label that begins with a letter.
  init?(_ line: String) { self.init(line, count: nil, like: nil) }

  /// Parses a line.
  /// - Parameters:
  ///   - line: The line.
  ///   - count: The count of numbers before the label, which then may begin with a number of its own.
  ///   - other: A row of the form that the line must have; nil for any.
  init?(_ line: String, count: Int?, like other: ColorRow?) {
    // Most lines have fewer numbers.
    guard ColorRow.hasThreeNumbers(line) else { return nil }
    let isMarked = other.map { $0.isNumbered && !$0.isLoose }
    let scalars = ColorRow.unquoted(line).unicodeScalars[...]
    if isMarked != true, other?.isLoose != true, let row = ColorRow(scalars, behind: [], count: count) {
      self = row
    } else if isMarked != false, let (number, text) = NumberedLines.numberBeforeSign(line),
      let row = ColorRow(text.unicodeScalars[...], behind: [number], count: count),
      row.head.count > 3 || row.tail.count > 2
    {
      self = row
      isNumbered = true
    } else if isMarked != true, other?.isLoose != false,
      let row = ColorRow(scalars, behind: [], count: count, isLoose: true)
    {
      self = row
    } else {
      return nil
    }
  }

  /// Creates a row of the fields of a line.
  init(head: [Int], label: String, tail: [Int]) {
    (self.head, text, self.label, self.tail) = (head, label, label, tail)
    isSpaced = false
    endsInColumn = !tail.isEmpty
  }

  /// Parses the text behind some numbers.
  private init?(
    _ line: Substring.UnicodeScalarView, behind numbers: [Int], count: Int?, isLoose: Bool = false
  ) {
    head = numbers
    self.isLoose = isLoose
    var rest = line
    var gaps: [Substring.UnicodeScalarView] = []
    while head.count < count ?? ColorRow.maximumCount, let (number, end) = ColorRow.number(rest, isLoose) {
      head.append(number)
      // An opening bracket belongs to the next number, or to the label.
      gaps.append(
        rest[end...].prefix {
          ColorRow.isSeparator($0) && !ColorRow.isOpening($0) || isLoose && ColorRow.isLooseSign($0)
        })
      rest = rest[(gaps.last?.endIndex ?? end)...]
    }
    if isLoose, let first = gaps.first?.first(where: ColorRow.isLooseSign) {
      isNumbered = head.count > 3 && !gaps[1..<gaps.count - 1].joined().contains(first)
    }
    text = LabelLine.trimmed(String(rest))
    let sign = gaps.last?.first { ColorRow.isSign($0) }
    if let count {
      // Another column of numbers is not the label's own number.
      let next = ColorRow.number(rest, isLoose).flatMap { rest[$0.1...].first }
      guard head.count == count, !text.isEmpty, next.map(ColorRow.isSign) != true else { return nil }
    } else {
      guard ColorRow.beginsWithLetter(text) else { return nil }
    }
    if let sign, let byte = String(sign).utf8.first {
      endsInColumn = CSVFields.split(Array(text.utf8)[...], separator: byte).count > 1
    }
    readTail(ColorRow.maximumCount)
    guard head.count + tail.count > 2 else { return nil }
  }

  /// Reads the numbers behind the label, at most so many.
  mutating func readTail(_ maximum: Int) {
    (tail, isTable, isSpaced, hasLooseTail) = ([], true, true, false)
    var rest = text.unicodeScalars[...]
    while let last = rest.last, ColorRow.isSeparator(last) || last == ":" { rest = rest.dropLast() }
    while tail.count < maximum {
      let digits = ColorRow.lastDigits(rest)
      guard (1...6).contains(digits.count), let number = Int(String(digits)) else { break }
      let before = rest[..<digits.startIndex]
      // A closing bracket belongs to the label.
      let separators = before.reversed().prefix {
        ColorRow.isSign($0) || LabelLine.isBlank($0) || ColorRow.isOpening($0) || ColorRow.isLooseSign($0)
      }
      guard !separators.isEmpty, separators.count < before.count else { break }
      let isTable = separators.allSatisfy(ColorRow.isSign)
      let isSpaced = separators.allSatisfy { $0 == " " }
      // Of `opus 1,128,0,0`, the first number belongs to the label.
      if tail.count > 2, self.isTable, !isTable { break }
      tail.insert(number, at: 0)
      self.isTable = self.isTable && isTable
      self.isSpaced = self.isSpaced && isSpaced
      hasLooseTail = hasLooseTail || separators.contains(where: ColorRow.isLooseSign)
      rest = before.dropLast(separators.count)
    }
    label = LabelLine.trimmed(String(rest))
  }

  // MARK: Lines

  /// Returns the three numbers, which may have fractions, that begin or end a line next to a label; nil for
  /// others.
  static func fractions(_ line: String) -> [String]? {
    guard line.utf8.count <= 1024 else { return nil }
    let words = line.unicodeScalars.split { isSeparator($0) || isLooseSign($0) }.map { String($0) }
    guard words.count > 3,
      words.contains(where: { $0.unicodeScalars.first?.properties.isAlphabetic == true })
    else { return nil }
    return [words.prefix(3), words.suffix(3)].first { part in
      part.allSatisfy { Double($0) != nil && $0.unicodeScalars.allSatisfy { isDigit($0) || $0 == "." } }
    }.map { Array($0) }
  }

  static func beginsWithLetter(_ text: String) -> Bool {
    text.unicodeScalars.first { $0 != "\"" }?.properties.isAlphabetic == true
      || text == LabelReading.placeholder
  }

  /// Returns a line without the quotes around numbers in columns: `"128","0","0","cat"`, `cat,"128,0,0"`.
  private static func unquoted(_ line: String) -> String {
    guard line.utf8.count <= 1024, line.utf8.contains(UInt8(ascii: "\"")) else { return line }
    for separator in [",", ";", "\t"] {
      let fields = CSVFields.split(Array(line.utf8)[...], separator: separator.utf8.first ?? 0)
        .map { LabelLine.trimmed($0) }
      let areSplit = fields.count > 3 && line.hasPrefix("\"")
      guard fields.count > 1, areSplit || fields.contains(where: isTriple) else { continue }
      return fields.map { Int($0) == nil && !isTriple($0) ? LabelLines.quoted($0) : $0 }
        .joined(separator: separator)
    }
    return line
  }

  /// Returns whether a field has three or four numbers and nothing else: `128, 0, 0`.
  static func isTriple(_ field: String) -> Bool {
    let words = words(field)
    return (3...4).contains(words.count) && words.allSatisfy { $0.unicodeScalars.allSatisfy(isDigit) }
  }

  /// Returns the texts between the separators of a field.
  static func words(_ field: String) -> [String] {
    field.unicodeScalars.split { isSeparator($0) }.map { String($0) }
  }

  /// Returns the number at the start of a text in front of a separator, and its end.
  private static func number(
    _ text: Substring.UnicodeScalarView, _ isLoose: Bool
  ) -> (Int, String.Index)? {
    let start = text.drop(while: isOpening)
    let digits = start.prefix(7).prefix(while: isDigit)
    guard (1...6).contains(digits.count), let number = Int(String(digits)),
      let next = start[digits.endIndex...].first, isSeparator(next) || isLoose && isLooseSign(next)
    else { return nil }
    return (number, digits.endIndex)
  }

  /// Returns the digits at the end of a text, at most seven.
  private static func lastDigits(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
    var start = text.endIndex
    for _ in 0..<7 where start > text.startIndex {
      let place = text.index(before: start)
      guard isDigit(text[place]) else { break }
      start = place
    }
    return text[start...]
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Returns whether a scalar separates the columns of a table.
  static func isSign(_ scalar: Unicode.Scalar) -> Bool { ",;\t|".unicodeScalars.contains(scalar) }

  private static func isOpening(_ scalar: Unicode.Scalar) -> Bool { "([{".unicodeScalars.contains(scalar) }

  /// Returns whether a scalar may separate a label from a colour, but not the columns of a table.
  static func isLooseSign(_ scalar: Unicode.Scalar) -> Bool {
    ":：=-/>–—→⇒".unicodeScalars.contains(scalar)
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    isSign(scalar) || LabelLine.isBlank(scalar) || "()[]{}".unicodeScalars.contains(scalar)
  }
}
