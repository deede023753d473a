// SPDX-License-Identifier: Apache-2.0

/// A line of a label file without the white space around it.
struct LabelLine {
  var number: Int
  var text: String

  /// Whether it can be nothing but a comment.
  var isComment: Bool { text.hasPrefix("# ") || text.hasPrefix("#!") || text.hasPrefix("// ") }
  /// Whether it may be a comment.
  var mayBeComment: Bool {
    text.count > 1 && (text.hasPrefix("#") || text.hasPrefix("//") || text.hasPrefix(";"))
  }
  /// Whether it may be the name of a column: `label`, `class name`, `id name`.
  var mayBeHeader: Bool {
    // No header is longer, and a damaged file may be one line of megabytes.
    guard text.utf8.count <= 64 else { return false }
    let words = text.split { " \t,;:|".contains($0) }.map { LabelLine.letters(String($0)) }
    return (1...3).contains(words.count)
      && words.allSatisfy { LabelTable.nameColumns.contains($0) || LabelTable.numberColumns.contains($0) }
  }

  /// The lines of a file, blank ones as well; one empty line at the end is none.
  static func split(_ bytes: [UInt8], source: String) throws(MetadataError) -> [LabelLine] {
    var lines = try TextLines.split(bytes, source: source, code: .badLabels)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.enumerated().map { LabelLine(number: $0 + 1, text: trimmed($1)) }
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\u{A0}" }
    let scalars = text.unicodeScalars.drop(while: isBlank)
    let end = scalars.lastIndex { !isBlank($0) }.map { scalars.index(after: $0) } ?? scalars.startIndex
    return String(String.UnicodeScalarView(scalars[..<end]))
  }

  /// The letters and digits of a text in lower case, without blanks and signs.
  static func letters(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }))
  }

  /// Texts without the comma at the end of each but the last, which may have one: those of a list.
  static func withoutCommas(_ texts: [String]) -> [String] {
    let content = texts.filter { !$0.isEmpty }
    guard content.count > 1, content.dropLast().allSatisfy({ $0.hasSuffix(",") }) else { return texts }
    return texts.map { $0.hasSuffix(",") ? trimmed($0.dropLast()) : $0 }
  }

  /// Whether texts may be the names of classes: hardly two are equal, as are ImageNet's two cranes.
  ///
  /// Those of `1 euro`, `2 euro` and of `Grade: 0`, `Grade: 1` are not; there the whole lines are the names.
  static func areNames(_ texts: [String]) -> Bool { Set(texts).count * 10 >= texts.count * 9 }

  /// A text without the quotes around it.
  static func unquoted(_ text: String) -> String {
    guard text.utf8.count > 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote
    else {
      return text
    }
    let inner = text.dropFirst().dropLast()
    guard quote == "\"" else { return inner.contains(quote) ? text : String(inner) }
    let single = inner.split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
    return inner.split(separator: "\"\"", omittingEmptySubsequences: false).contains { $0.contains(quote) }
      ? text : single
  }
}

/// Names of the class that stands for "no object", where a list has one label more than there are classes.
enum BackgroundName {
  /// Those that name nothing else.
  private static let certain: Set<String> = [
    "background", "backgroundclass", "bg", "unlabeled", "unlabelled", "noobject", "noclass", "hintergrund",
    "fond", "arrièreplan", "arriereplan", "fondo", "sfondo", "fundo", "achtergrond", "bakgrund", "bakgrunn",
    "baggrund", "tausta", "tło", "tlo", "pozadí", "pozadi", "háttér", "arkaplan", "фон", "背景", "배경",
  ]
  /// Those that models have as classes, too, as `empty` of a place to park.
  private static let others: Set<String> = [
    "none", "nothing", "na", "null", "void", "dummy", "empty", "unknown", "ignore", "",
  ]

  /// Whether a label is such a name, apart from signs: `__background__`, `N/A`, `???`.
  static func isOne(_ label: String) -> Bool {
    let letters = LabelLine.letters(label)
    return certain.contains(letters) || others.contains(letters)
  }

  /// Whether a label is such a name, and none of an object: `__background__`.
  static func isCertain(_ label: String) -> Bool { certain.contains(LabelLine.letters(label)) }
}
