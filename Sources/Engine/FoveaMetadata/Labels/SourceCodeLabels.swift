// SPDX-License-Identifier: Apache-2.0

/// The list of labels in a line of source code, such as `CLASSES = ["cat", "dog"]` of Python, and Python's
/// tuples.
enum SourceCodeLabels {
  /// Returns the possible readings of source code that begins with a list, or of a tuple; nil for other
  /// files.
  ///
  /// Only comments and imports may be before the list, and only comments after it.
  /// - Throws: `badLabels` if there is more than a list or map of labels.
  static func readings(_ lines: [LabelLine], source: String) throws(MetadataError) -> [LabelReading]? {
    let isOneLine = lines.count { !$0.text.isEmpty && !$0.beginsAsComment } == 1
    let found = lines.indices.lazy.compactMap { place in
      start(lines[place].text, mayBeBare: isOneLine).map { (place, $0) }
    }
    guard let (place, start) = found.first else { return nil }
    guard lines[..<place].allSatisfy({ $0.text.isEmpty || $0.beginsAsComment || isImport($0.text) }) else {
      return nil
    }
    let rest = ([String(start)] + lines[(place + 1)...].map(\.text)).joined(separator: "\n")
    var reader = LiteralReader(Array((isQuote(start.first) ? "(\(rest)\n)" : rest).utf8))
    if let value = reader.statement(),
      var readings = try LiteralLabels.readings(value, .json, source: source)
    {
      for index in readings.indices { readings[index].remarks.append("written as source code") }
      return readings
    }
    throw notOnlyList(source)
  }

  /// Throws `badLabels` for lines of which one begins a list in source code.
  ///
  /// YAML is read before: it may have scripts for downloads.
  static func refuse(_ lines: [LabelLine], source: String) throws(MetadataError) {
    guard lines.contains(where: { !$0.text.hasPrefix("(") && start($0.text) != nil }) else { return }
    throw notOnlyList(source)
  }

  private static func notOnlyList(_ source: String) -> MetadataError {
    MetadataError(
      .badLabels, "\(source) is source code, but not just a list of labels",
      remedy: "Write only the list, such as [\"cat\", \"dog\"], or one label per line")
  }

  /// Returns the part of a line from the value of an assignment on, or a line that begins a tuple; nil for
  /// other lines.
  ///
  /// The labels `cat=16`, `cat = [16]` and `salt = (NaCl)` are not assignments. With `mayBeBare`, a tuple may
  /// be without brackets: `"cat", "dog"`, but not `"0", "cat"`.
  private static func start(_ line: String, mayBeBare: Bool = false) -> Substring? {
    if mayBeBare, isQuote(line.first) {
      let isNumbered = line.dropFirst().first?.isNumber == true
      return !isNumbered && opens(line[...]) ? line[...] : nil
    }
    if line.hasPrefix("("), beginsValue(line.dropFirst()) { return line[...] }
    guard let first = line.first, first.isLetter || first == "_" || first == "$" else { return nil }
    let export = "export default "
    if line.hasPrefix(export) {
      let value = line.dropFirst(export.count)
      return opens(value) ? value : nil
    }
    // No target is longer, and a damaged file may have a line of megabytes.
    guard let sign = line.utf8.prefix(160).firstIndex(of: UInt8(ascii: "=")),
      line[..<sign].allSatisfy({ $0.isLetter || $0.isNumber || "_$ .:<>[]*&|,?".contains($0) })
    else { return nil }
    let value = line[line.index(after: sign)...].drop(while: \.isWhitespace)
    return opens(value) ? value : nil
  }

  /// Returns whether a value is a list, a map or a call with strings, or several strings.
  private static func opens(_ value: Substring) -> Bool {
    if isQuote(value.first) {
      let parts = value.split(separator: ",")
      return parts.count > 1
        && parts.allSatisfy { part in isQuote(part.first { $0 != " " }) && isQuote(part.last { $0 != " " }) }
    }
    // `listOf(`, `np.array([`, `new String[] {` and `[]string{`.
    var rest = value.hasPrefix("new ") ? value.dropFirst(4) : value
    if rest.hasPrefix("[]") { rest = rest.dropFirst(2) }
    rest = rest.drop { $0.isLetter || $0.isNumber || "_.<>".contains($0) }
    if rest.hasPrefix("[]") { rest = rest.dropFirst(2).drop(while: \.isWhitespace) }
    guard let bracket = rest.first, "[({".contains(bracket) else { return false }
    let inner = rest.drop { "[({ \t".contains($0) }
    switch bracket {
    case "{": return true
    case "[": return beginsValue(inner) || inner.first?.isLetter == true
    default: return beginsValue(inner)
    }
  }

  /// Returns whether a text inside brackets begins with a string, a comment, or the end of the line.
  private static func beginsValue(_ text: Substring) -> Bool {
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
