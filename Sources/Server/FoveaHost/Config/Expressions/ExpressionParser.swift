// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reads an expression from start to end.
struct ExpressionParser {
  let scalars: [Unicode.Scalar]
  var index = 0

  /// The maximum length of an expression, in bytes.
  static let longest = 20_000

  init(_ text: String) { scalars = Array(text.unicodeScalars.prefix(ExpressionParser.longest + 1)) }

  mutating func parse() throws(ExpressionFailure) -> [ConfigTerm] {
    guard scalars.count <= ExpressionParser.longest else {
      throw failure(
        "the expression has more than \(DecimalText.grouped(ExpressionParser.longest)) characters")
    }
    var terms: [ConfigTerm] = []
    repeat {
      skipBlanks()
      guard terms.count < ConfigExpression.mostTerms else {
        throw failure("the expression has more than \(ConfigExpression.mostTerms) terms")
      }
      terms.append(try term())
    } while try joins()
    return terms
  }

  /// Consumes ` && `; returns false at the end.
  private mutating func joins() throws(ExpressionFailure) -> Bool {
    skipBlanks()
    guard index < scalars.count else { return false }
    if starts(with: "||") {
      throw failure("terms are joined only by '&&', not by '||'; give a condition for each")
    }
    guard starts(with: "&&") else { throw unexpected("'&&' or the end of the expression") }
    let isApart =
      index > 0 && !ExpressionParser.isWord(scalars[index - 1])
      && !(index + 2 < scalars.count && ExpressionParser.isWord(scalars[index + 2]))
    guard isApart else { throw failure("'&&' needs a space on each side") }
    index += 2
    return true
  }

  // MARK: Characters

  /// Returns whether a character belongs to a word: letters, digits, `_` and `$`.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool { PatternSet.words.contains(scalar) || scalar == "$" }

  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  func failure(_ reason: String) -> ExpressionFailure {
    ExpressionFailure(position: index + 1, reason: reason)
  }

  /// Returns a failure with the expected and the actual text.
  func unexpected(_ what: String) -> ExpressionFailure {
    guard let next else { return failure("expected \(what), but the expression ends") }
    return failure("expected \(what), got '\(String(Character(next)).printable)'")
  }

  mutating func skipBlanks() {
    while let next, next == " " || next == "\t" || next == "\n" || next == "\r" { index += 1 }
  }

  func starts(with text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    return scalars.count - index >= wanted.count
      && scalars[index..<(index + wanted.count)].elementsEqual(wanted)
  }

  /// Consumes a string if it is next.
  mutating func take(_ text: String) -> Bool {
    guard starts(with: text) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  /// Skips spaces and consumes a string, or fails.
  mutating func expect(_ text: String) throws(ExpressionFailure) {
    skipBlanks()
    guard take(text) else { throw unexpected("'\(text)'") }
  }

  /// Reads a name of letters, digits, `_`, `$` and dots, after optional spaces.
  mutating func name() -> String {
    skipBlanks()
    var text = ""
    while let next, ExpressionParser.isWord(next) || isInnerPoint {
      text.unicodeScalars.append(next)
      index += 1
    }
    return text
  }

  /// Whether the next characters are a dot and a letter; the dot before a method's operator ends a name.
  private var isInnerPoint: Bool {
    next == "." && index + 1 < scalars.count && ExpressionParser.isWord(scalars[index + 1])
  }

  /// Reads a string in single quotes; there are no escapes.
  mutating func quoted(_ what: String) throws(ExpressionFailure) -> String {
    skipBlanks()
    guard next == "'" else { throw unexpected("\(what) in single quotes") }
    let start = index
    index += 1
    var text = ""
    while let scalar = next, scalar != "'" {
      guard scalar != "\n" && scalar != "\r" else { break }
      text.unicodeScalars.append(scalar)
      index += 1
    }
    guard next == "'" else {
      throw ExpressionFailure(position: start + 1, reason: "the text has no closing quote")
    }
    index += 1
    return text
  }

  /// Reads `['a', 'b']`, with optional spaces inside.
  mutating func list() throws(ExpressionFailure) -> [String] {
    try expect("[")
    var values = [try quoted("a value")]
    while true {
      skipBlanks()
      guard take(",") else { break }
      values.append(try quoted("a value"))
    }
    try expect("]")
    return values
  }

  /// Reads one of the six comparison operators; no letter or digit may follow directly.
  mutating func comparison(_ allowed: [ComparisonOperator]) throws(ExpressionFailure) -> ComparisonOperator {
    skipBlanks()
    let start = index
    // Longer operators first.
    for sign in ["<=", ">=", "==", "!=", "<", ">"] where starts(with: sign) {
      guard let comparison = ComparisonOperator(rawValue: sign), allowed.contains(comparison) else { break }
      index += sign.utf8.count
      if let next, ExpressionParser.isWord(next) { throw failure("expected a space after '\(sign)'") }
      return comparison
    }
    index = start
    throw unexpected(allowed.map { "'\($0.rawValue)'" }.joined(separator: " or "))
  }
}

/// The reason why a string is not an expression of a condition.
package struct ExpressionFailure: Error, Equatable {
  /// The number of the character, from 1.
  package let position: Int
  /// The reason, without a final stop.
  package let reason: String

  /// The failure as text: `at character 14: …`.
  package var text: String { "at character \(position): \(reason)" }
}
#endif
