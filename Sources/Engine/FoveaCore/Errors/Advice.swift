// SPDX-License-Identifier: Apache-2.0

/// Text that gives advice and names options and functions in its reader's words.
///
/// A library does not know its reader: `ImageLabeler.Options.scoreActivation` in Swift is `--activation` on
/// the command line. So `Advice` stores such names as terms, and is rendered when it is read. `description`
/// renders it in the words of the Swift library. A string literal has no terms.
public struct Advice: Sendable {
  enum Part: Sendable {
    case text(String)
    case term(Term)
  }

  var parts: [Part]

  /// Creates an advice without terms.
  public init(_ text: String) { parts = [.text(text)] }

  /// Returns the text with each term in a reader's words.
  package func text(_ words: (Term) -> String) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let plain): text += plain
      case .term(let term): text += words(term)
      }
    }
    return text
  }

  /// The names of the options that it recommends, in order.
  package var options: [String] {
    parts.compactMap { part in
      switch part {
      case .term(.option(let name, _)), .term(.flag(let name, _)): name
      default: nil
      }
    }
  }

  /// Returns the advice with other advice in place of some of its terms.
  /// - Parameter other: Returns what replaces a term; nil keeps the term.
  /// - Returns: The new advice.
  package func replacing(_ other: (Term) -> Advice?) -> Advice {
    var advice = self
    advice.parts = parts.flatMap { part in
      guard case .term(let term) = part, let other = other(term) else { return [part] }
      return other.parts
    }
    return advice
  }

  /// Joins two pieces of advice.
  package static func + (first: Advice, second: Advice) -> Advice {
    var both = first
    both.parts += second.parts
    return both
  }
}

extension Advice: Hashable {
  /// Returns whether both read the same in the words of the Swift library.
  public static func == (first: Advice, second: Advice) -> Bool { first.description == second.description }

  /// Hashes the text that `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Advice: CustomStringConvertible {
  /// The text in the words of the Swift library.
  public var description: String { text(\.swift) }
}

extension Advice: ExpressibleByStringInterpolation {
  /// Creates an advice without terms.
  public init(stringLiteral text: String) { self.init(text) }
  /// Creates an advice from a literal with interpolated values.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// A literal under construction.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Appends the text between values.
    public mutating func appendLiteral(_ text: String) { add(text) }
    /// Appends a value as text.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) { add(value.description) }
    /// Appends advice with its terms.
    public mutating func appendInterpolation(_ advice: Advice) { parts += advice.parts }
    /// Appends a term.
    package mutating func appendInterpolation(term: Term) { parts.append(.term(term)) }
    // The following methods append the term of their label.
    package mutating func appendInterpolation(option name: String, _ value: String? = nil) {
      parts.append(.term(.option(name, value)))
    }
    package mutating func appendInterpolation(flag name: String, _ words: String? = nil) {
      parts.append(.term(.flag(name, words)))
    }
    package mutating func appendInterpolation(command: String, _ swift: String? = nil) {
      parts.append(.term(.command(command, swift)))
    }
    package mutating func appendInterpolation(call: String, _ swift: String? = nil) {
      parts.append(.term(.call(call, swift)))
    }

    private mutating func add(_ text: String) {
      if case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + text)
      } else if !text.isEmpty {
        parts.append(.text(text))
      }
    }
  }
}
