// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A line of a label file, trimmed.
struct LabelLine {
  var number: Int
  var text: String

  /// Whether it is certainly a comment.
  var isComment: Bool {
    text.hasPrefix("# ") || text.hasPrefix("#!") || text.hasPrefix("// ") || isSeparatorLine
  }
  /// Whether it only shows the separator of a table to Excel: `sep=;`.
  private var isSeparatorLine: Bool { text.utf8.count < 6 && text.hasPrefix("sep=") }
  /// Whether it may be a comment.
  var mayBeComment: Bool { text.utf8.count > 1 && beginsAsComment }
  /// Whether it begins with the sign of a comment.
  var beginsAsComment: Bool { text.hasPrefix("#") || text.hasPrefix("//") || text.hasPrefix(";") }
  /// Whether it may be a header: `label`, `class name`, `id name`.
  var mayBeHeader: Bool {
    // No header is longer, and a damaged file may have a line of megabytes.
    guard text.utf8.count <= 64 else { return false }
    let words = words
    return (1...3).contains(words.count)
      && words.allSatisfy { LabelTable.nameColumns.contains($0) || LabelTable.numberColumns.contains($0) }
  }
  /// Whether it may be a header of several columns: `id name`.
  var mayBeTableHeader: Bool { mayBeHeader && words.count > 1 }
  /// Whether it is hardly a class if it may be a header: `label`, `class name`, but not `text`.
  var isLikelyHeader: Bool {
    let words = words
    return words.count > 1 || words.contains { LabelTable.certainNameColumns.contains($0) }
  }
  /// True for signs only, as below the header of a table: `-- ----`, `=======`.
  var isRule: Bool {
    text.utf8.count > 1 && text.utf8.allSatisfy { "-=+|:,; \t".utf8.contains($0) }
      && text.utf8.contains { "-=".utf8.contains($0) }
  }
  /// Whether it may be a header above colours: `name`, `id name color`, `animal,r,g,b`.
  var mayBeColorHeader: Bool {
    guard text.utf8.count <= 64 else { return false }
    let words = words
    let known = words.count {
      LabelTable.nameColumns.contains($0) || LabelTable.numberColumns.contains($0)
        || LabelTable.otherColumns.contains($0) || LabelTable.measureColumns.contains($0)
    }
    return words.count > 1 ? known > 1 && known + 1 >= words.count : isLikelyHeader
  }
  /// The words in lower case, without punctuation.
  private var words: [String] {
    text.split { " \t,;:|".contains($0) }.map { LabelLine.letters(String($0)) }
  }

  /// Splits a file into lines, including blank ones but not one empty line at the end.
  static func split(_ bytes: [UInt8], source: String) throws(MetadataError) -> [LabelLine] {
    if let file = ForeignLabelFile(bytes) {
      throw MetadataError(
        .badLabels, "\(source) is \(file.what), not a list of labels", remedy: file.remedy)
    }
    var lines = try TextLines.split(bytes, source: source, code: .badLabels)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.enumerated().map { LabelLine(number: $0 + 1, text: trimmed($1)) }
  }

  /// Returns a line of YAML, JSON or source code without its comment, and the comment.
  static func parts(_ line: String, isYAML: Bool) -> (text: String, comment: String) {
    var quote: Character?
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open, previous != "\\" { quote = nil }
      } else if character == "'" && previous == "'" {
        // The previous quote did not end the string: `'it''s'`.
        quote = character
      } else if character == "\"" || character == "'", " \t[({,:-".contains(previous) {
        quote = character
      } else if (isYAML ? " \t" : " \t[({,\"'").contains(previous),
        character == "#" || !isYAML && line[index...].hasPrefix("//")
      {
        return (trimmed(line[..<index]), trimmed(line[index...]))
      }
      previous = character
    }
    return (line, "")
  }

  /// Returns whether a scalar is white space, also a no-break space or another one of Unicode.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
      || scalar.value >= 0x80 && scalar.properties.isWhitespace
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    // Most texts have no blanks at their ends.
    if let first = scalars.first, let last = scalars.last, !isBlank(first), !isBlank(last) {
      return String(text)
    }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first..<scalars.index(after: last)])
  }

  /// Returns the letters and digits of a string in lower case, without spaces and punctuation; the whole
  /// string if it is too long for the name of a column or a background.
  static func letters(_ text: String) -> String {
    guard text.utf8.count <= maximumNameBytes else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // The capital letters of ASCII differ from the small ones in one bit.
      let letters = text.utf8.filter(\.isASCIILetterOrDigit).map { $0 < 0x41 ? $0 : $0 | 0x20 }
      return String(decoding: letters, as: UTF8.self)
    }
    return String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }))
  }

  /// The maximum size of the name of a column; a damaged file may have a line of megabytes.
  private static let maximumNameBytes = 256

  /// Returns whether a string has these two bytes in sequence, the second of which is ASCII.
  static func contains(_ first: Character, _ second: Character, in text: String) -> Bool {
    guard let first = first.asciiValue, let second = second.asciiValue else { return false }
    var rest = text.utf8[...]
    while let place = rest.firstIndex(of: first) {
      rest = rest[rest.index(after: place)...]
      if rest.first == second { return true }
    }
    return false
  }

  /// Removes the commas, or the semicolons, of a list: at the end of each line, optionally of the last, but
  /// not of comments.
  static func withoutCommas(_ lines: [LabelLine]) -> [LabelLine] {
    var content = lines.filter { !$0.text.isEmpty && !$0.beginsAsComment }
    if content.first?.mayBeHeader == true { content.removeFirst() }
    let rests = content.map { trimmed($0.text.dropLast()) }
    // Of `0,`, `1,`, `2,cat`, two classes have no name.
    let numbers = rests.count { LabelColumns.whole($0) != nil }
    guard content.count > 1, numbers == 0 || numbers == rests.count,
      let sign = content[0].text.last, sign == "," || sign == ";",
      content.dropLast().allSatisfy({ $0.text.last == sign && $0.text.utf8.count > 1 })
    else { return lines }
    return lines.map { line in
      guard line.text.last == sign, !line.beginsAsComment else { return line }
      return LabelLine(number: line.number, text: trimmed(line.text.dropLast()))
    }
  }

  /// Returns whether strings may be class names: nearly all are unique, except cases such as ImageNet's two
  /// cranes, and names for classes that are not used, such as COCO's `N/A`.
  ///
  /// The strings of `1 euro`, `2 euro` and of `Grade: 0`, `Grade: 1` are not unique; there, the whole lines
  /// are the names.
  static func areNames(_ texts: [String]) -> Bool {
    let named = texts.filter { !BackgroundName.isFiller($0) }
    let checked = named.isEmpty ? texts : named
    return Set(checked).count * 10 >= checked.count * 9
  }

  /// Returns whether a string is enclosed in quotes that do not belong to it.
  static func isQuoted(_ text: String) -> Bool { unquoted(text) != text }

  /// Returns a string without its enclosing quotes.
  static func unquoted(_ text: String) -> String {
    let utf8 = text.utf8
    guard utf8.count > 1, utf8.first == UInt8(ascii: "\"") || utf8.first == UInt8(ascii: "'"),
      let quote = text.first, quote == "\"" || quote == "'", text.last == quote
    else {
      return text
    }
    let inner = text.dropFirst().dropLast()
    guard let sign = utf8.first, inner.utf8.contains(sign) else { return String(inner) }
    guard quote == "\"" else { return inner.contains(quote) ? text : String(inner) }
    let isHalf = inner.replacing(part: "\"\"", with: "").contains(quote)
    return isHalf ? text : inner.replacing(part: "\"\"", with: "\"")
  }
}

/// The names of the class for "no object", for lists with one label more than there are classes.
enum BackgroundName {
  /// The names that mean nothing else.
  private static let certain: Set<String> = [
    "background", "backgroundclass", "bg", "unlabeled", "unlabelled", "noobject", "noclass", "hintergrund",
    "fond", "arrièreplan", "arriereplan", "fondo", "sfondo", "fundo", "achtergrond", "bakgrund", "bakgrunn",
    "baggrund", "tausta", "tło", "tlo", "pozadí", "pozadi", "háttér", "arkaplan", "фон", "背景", "배경",
  ]
  /// The names that may also be real classes, such as `empty` for a parking space.
  private static let others: Set<String> = [
    "none", "nothing", "na", "null", "void", "dummy", "empty", "unknown", "ignore", "",
  ]

  /// Returns whether a label is such a name, ignoring punctuation: `__background__`, `N/A`, `???`.
  static func isOne(_ label: String) -> Bool { isOne(letters: letters(label)) }

  private static func isOne(letters: String?) -> Bool {
    letters.map { certain.contains($0) || others.contains($0) } == true
  }

  /// Returns the letters of a label; nil if it has a digit, as no such name has.
  private static func letters(_ label: String) -> String? {
    label.utf8.contains(where: \.isASCIIDigit) ? nil : LabelLine.letters(label)
  }

  /// The names of numbers that no class uses, besides those for "no object".
  private static let fillers: Set<String> = [
    "unused", "notused", "reserved", "placeholder", "unnamed", "undefined", "notdefined", "missing",
  ]

  /// Returns whether a label is such a name, or one for a number that no class uses: `N/A`, `unused`.
  ///
  /// Several classes may have it.
  static func isFiller(_ label: String) -> Bool {
    let letters = letters(label)
    return isOne(letters: letters) || letters.map(fillers.contains) == true
  }

  /// Returns whether a label is such a name and cannot name an object: `__background__`.
  static func isCertain(_ label: String) -> Bool { letters(label).map(certain.contains) == true }
}
