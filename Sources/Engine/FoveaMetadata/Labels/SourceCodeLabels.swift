// SPDX-License-Identifier: Apache-2.0

/// The labels in a file of source code that has one list, tuple or map of string literals and nothing else,
/// such as `CLASSES = ["cat", "dog"]` of Python.
///
/// Everything else in source code is refused: no expression is computed, and no name is looked up.
enum SourceCodeLabels {
  /// Returns the possible readings of source code; nil for other files.
  ///
  /// Only comments and imports may be before the list, and only comments after it.
  /// - Throws: `badLabels` if a list begins, but there is more than a list or map of string literals.
  static func readings(_ lines: [LabelLine], source: String) throws(MetadataError) -> [LabelReading]? {
    let code = lines.indices.filter { place in
      let text = lines[place].text
      return !text.isEmpty && !lines[place].beginsAsComment && !isImport(text)
    }
    guard let first = code.first, let start = value(of: lines[first].text, isAlone: code.count == 1) else {
      return nil
    }
    let rest = ([String(start)] + lines[(first + 1)...].map(\.text)).joined(separator: "\n")
    // The reader counts lines from the file's first.
    let text = String(repeating: "\n", count: first) + (isQuote(start.first) ? "(\(rest)\n)" : rest)
    var reader = LiteralReader(Array(text.utf8), isCode: true)
    if let value = reader.statement(), isOfStrings(value) {
      if let twins = reader.twins { throw LabelText.twinKeys(twins, source: source) }
      if var readings = try LiteralLabels.readings(value, .json, source: source) {
        for index in readings.indices { readings[index].remarks.append("written as source code") }
        return readings
      }
    }
    throw notOnlyList(source)
  }

  /// Throws `badLabels` for lines of which one assigns a list in source code.
  ///
  /// YAML is read before: it may have scripts for downloads.
  static func refuse(_ lines: [LabelLine], source: String) throws(MetadataError) {
    guard lines.contains(where: { assigned(in: $0.text) != nil }) else { return }
    throw notOnlyList(source)
  }

  private static func notOnlyList(_ source: String) -> MetadataError {
    MetadataError(
      .badLabels, "\(source) is source code, but not just a list of labels",
      remedy:
        "Write only the list with each label in quotes, such as [\"cat\", \"dog\"], or one label per line"
    )
  }

  /// Returns whether a value is a list of strings, a map of numbers and strings, or one of strings and
  /// numbers.
  private static func isOfStrings(_ value: Literal) -> Bool {
    func isText(_ value: Literal) -> Bool { if case .text = value { true } else { false } }
    switch value {
    case .list(let values): return !values.isEmpty && values.allSatisfy(isText)
    case .map(let members):
      let numbers = members.count { LabelColumns.whole($0.key) != nil }
      guard numbers > 0 else { return !members.isEmpty && members.allSatisfy { $0.value.number != nil } }
      return numbers == members.count && members.allSatisfy { isText($0.value) }
    case .text, .word, .other: return false
    }
  }

  /// Returns the part of the first line of code from its value on; nil if it is neither an assignment nor a
  /// tuple.
  ///
  /// A tuple that is the only line may be without brackets: `"cat", "dog"`, but not `"0", "cat"`, a line of
  /// a table.
  private static func value(of line: String, isAlone: Bool) -> Substring? {
    if line.hasPrefix("(") { return beginsString(line.dropFirst()) ? line[...] : nil }
    if isAlone, areStrings(line[...]), line.dropFirst().first?.isNumber != true { return line[...] }
    return assigned(in: line)
  }

  /// Returns the value of an assignment or an export, which a list, a map, a call with strings or several
  /// strings begin; nil for other lines.
  ///
  /// The labels `cat=16`, `cat = [16]` and `salt = (NaCl)` are not assignments.
  private static func assigned(in line: String) -> Substring? {
    guard let first = line.first, first.isLetter || first == "_" || first == "$" else { return nil }
    let export = "export default "
    // No target is longer, and a damaged file may have a line of megabytes.
    let sign = line.utf8.prefix(160).firstIndex(of: UInt8(ascii: "="))
    let value: Substring
    if line.hasPrefix(export) {
      value = line.dropFirst(export.count)
    } else if let sign,
      line[..<sign].allSatisfy({ $0.isLetter || $0.isNumber || "_$ .:<>[]*&|,?".contains($0) })
    {
      value = line[line.index(after: sign)...].drop(while: \.isWhitespace)
    } else {
      return nil
    }
    return areStrings(value) || opens(value) ? value : nil
  }

  /// Returns whether a text has several strings with commas between.
  private static func areStrings(_ text: Substring) -> Bool {
    guard isQuote(text.first) else { return false }
    let parts = text.split(separator: ",")
    return parts.count > 1
      && parts.allSatisfy { part in isQuote(part.first { $0 != " " }) && isQuote(part.last { $0 != " " }) }
  }

  /// Returns whether a value opens a bracket, after the name of a function or a type if there is one, as
  /// `listOf(`, `np.array([`, `new String[] {` and `[]string{` do.
  private static func opens(_ value: Substring) -> Bool {
    let rest = (value.hasPrefix("new ") ? value.dropFirst(4) : value)
      .drop { $0.isLetter || $0.isNumber || "_.<>".contains($0) }
    guard let bracket = rest.first, "[({".contains(bracket) else { return false }
    let inner = rest.drop { "[](){ \t".contains($0) }
    return bracket == "{" || beginsString(inner) || bracket == "[" && inner.first?.isLetter == true
  }

  /// Returns whether a text inside brackets begins with a string, a comment, or the end of the line.
  private static func beginsString(_ text: Substring) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    if text.isEmpty || isQuote(text.first) || text.hasPrefix("#") || text.hasPrefix("//") { return true }
    return "uUbBrR".contains(text[text.startIndex]) && isQuote(text.dropFirst().first)
  }

  private static func isQuote(_ character: Character?) -> Bool {
    character == "\"" || character == "'" || character == "`"
  }

  private static func isImport(_ line: String) -> Bool {
    ["import ", "from ", "\"use strict\"", "'use strict'"].contains { line.hasPrefix($0) }
  }
}
