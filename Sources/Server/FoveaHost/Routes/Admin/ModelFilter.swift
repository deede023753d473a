// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
/// The `filter` of a list of models: terms joined by AND, and those by OR; AND has higher precedence.
///
/// `displayName = m`, `display_name:prefix*`, `tags: 'a' AND tags: b`, `state.published = true`. Blanks
/// around operators are optional.
package struct ModelFilter: Sendable, Equatable {
  package enum Term: Sendable, Equatable {
    case name(String)
    case namePrefix(String)
    case tag(String)
    case published(Bool)
  }

  /// One of the outer lists must match, with all of its terms.
  package let alternatives: [[Term]]

  /// - Throws: `invalid` with Firebase's text.
  package init(_ text: String) throws(HostError) {
    guard text.utf8.count <= 1000 else { throw .invalidArgument("The filter has more than 1,000 bytes") }
    var alternatives: [[Term]] = [[]]
    var scanner = FilterScanner(text)
    while true {
      alternatives[alternatives.count - 1].append(try ModelFilter.term(&scanner))
      guard let word = scanner.word() else { break }
      switch word.uppercased() {
      case "AND": continue
      case "OR": alternatives.append([])
      default: throw .invalidArgument("The filter has '\(word)' instead of AND or OR")
      }
    }
    self.alternatives = alternatives
  }

  private static func term(_ scanner: inout FilterScanner) throws(HostError) -> Term {
    guard let field = scanner.word(), let sign = scanner.sign(), let value = scanner.value() else {
      throw .invalidArgument("The filter has a term that is not FIELD = VALUE or FIELD: VALUE")
    }
    switch field {
    case "displayName", "display_name":
      return sign == ":" && value.hasSuffix("*") ? .namePrefix(String(value.dropLast())) : .name(value)
    case "tags": return .tag(value)
    case "state.published", "published":
      guard value == "true" || value == "false" else {
        throw .invalidArgument("The filter compares 'state.published' with '\(value)'")
      }
      return .published(value == "true")
    default: throw .invalidArgument("The filter has the unknown field '\(field)'")
    }
  }

  package func matches(_ model: HostModel) -> Bool {
    alternatives.contains { terms in
      terms.allSatisfy { term in
        switch term {
        case .name(let name): model.name == name
        case .namePrefix(let prefix): model.name.hasPrefix(prefix)
        case .tag(let tag): model.tags.contains(tag)
        case .published(let isPublished): model.isPublished == isPublished
        }
      }
    }
  }
}

/// Reads words, signs and values from start to end.
private struct FilterScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  private mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  /// Reads letters, digits, `_`, `.`, `-`; nil at the end or before a sign.
  mutating func word() -> String? {
    skipBlanks()
    let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) }
    rest = rest.dropFirst(word.count)
    if word.isEmpty { return rest.isEmpty ? nil : String(rest.removeFirst()) }
    return String(word)
  }

  mutating func sign() -> Character? {
    skipBlanks()
    guard let sign = rest.first, sign == "=" || sign == ":" else { return nil }
    rest.removeFirst()
    return sign
  }

  /// Reads a word that may end with `*`, or a string in quotes.
  mutating func value() -> String? {
    skipBlanks()
    guard let first = rest.first else { return nil }
    if first == "'" || first == "\"" {
      rest.removeFirst()
      guard let end = rest.firstIndex(of: first) else { return nil }
      let value = rest[..<end]
      rest = rest[rest.index(after: end)...]
      return String(value)
    }
    let value = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_.-*".contains($0)) }
    guard !value.isEmpty else { return nil }
    rest = rest.dropFirst(value.count)
    return String(value)
  }
}
#endif
