// SPDX-License-Identifier: Apache-2.0

/// A template of a page: text with tags in double braces.
///
/// | tag | meaning |
/// |---|---|
/// | `{{name}}`, `{{.}}` | a value; the string of the list or section itself |
/// | `{{#name}}…{{/name}}` | repeated for each element of a list; once for a string |
/// | `{{^name}}…{{/name}}` | only for an empty list, and for a name without a value |
/// | `{{> name}}` | another template |
/// | `{{<name}}{{$part}}…{{/part}}{{/name}}` | another template with this part instead of its own |
///
/// A line that consists of one tag that is not a value leaves no line break.
///
/// **Source:** mustache(5), and its specification of inheritance.
package struct PageTemplate: Sendable {
  /// The value of a name in a page.
  package enum Value: Sendable, Equatable {
    /// A string from any source, which is escaped.
    case text(String)
    /// A part of our own files, inserted unchanged.
    case source(String)
    /// The values of each repetition.
    case list([[String: Value]])

    /// The values of each repetition of a section; a string is the value of `{{.}}` in it.
    package var elements: [[String: Value]] {
      if case .list(let elements) = self { elements } else { [[".": self]] }
    }
  }

  fileprivate indirect enum Piece: Sendable {
    case text(Substring)
    case value(String)
    case section(String, isInverted: Bool, [Piece])
    case template(String, parts: [String: [Piece]])
    case part(String, [Piece])
  }

  fileprivate let pieces: [Piece]
  /// The first tag that is not well formed, with the reason; nil if all are.
  package let problem: String?

  /// Reads a template; a tag that is not well formed is text.
  package init(_ text: some StringProtocol) {
    var parser = TemplateParser(rest: Substring(text))
    pieces = parser.pieces(of: nil, startsLine: true)
    problem = parser.problem
  }
}

/// Reads the tags of a template.
private struct TemplateParser {
  var rest: Substring
  var problem: String?

  /// Returns the pieces up to the closing tag of a name, or up to the end.
  mutating func pieces(of name: Substring?, startsLine: Bool) -> [PageTemplate.Piece] {
    var (pieces, startsLine) = ([PageTemplate.Piece](), startsLine)
    while let open = rest.utf8.firstPlace(of: "{{".utf8) {
      let before = rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].utf8.firstPlace(of: "}}".utf8) else {
        note("'{{' is not closed")
        break
      }
      if !before.isEmpty {
        pieces.append(.text(before))
        startsLine = before.last == "\n"
      }
      let tag = rest[open.upperBound..<close.lowerBound]
      rest = rest[close.upperBound...]
      let named = tag.dropFirst().drop { $0 == " " }
      guard let kind = tag.first, "#^><$/".contains(kind) else {
        pieces.append(.value(String(tag)))
        startsLine = false
        continue
      }
      // As in swift-mustache, the opening tag decides for the text after the closing one.
      startsLine = endLine(startsLine)
      switch kind {
      case "/":
        if named == name { return pieces }
        note("'{{\(tag)}}' closes no tag")
        pieces.append(.text("{{\(tag)}}"))
      case ">": pieces.append(.template(String(named), parts: [:]))
      default:
        let inner = self.pieces(of: named, startsLine: startsLine || kind == "<")
        pieces.append(piece(kind, String(named), inner))
      }
    }
    if let name { note("'\(name)' is not closed") }
    if !rest.isEmpty { pieces.append(.text(rest)) }
    rest = rest[rest.endIndex...]
    return pieces
  }

  private func piece(_ kind: Character, _ name: String, _ inner: [PageTemplate.Piece]) -> PageTemplate.Piece {
    switch kind {
    case "<":
      var parts: [String: [PageTemplate.Piece]] = [:]
      for case .part(let name, let pieces) in inner { parts[name] = pieces }
      return .template(name, parts: parts)
    case "$": return .part(name, inner)
    default: return .section(name, isInverted: kind == "^", inner)
    }
  }

  /// Skips the line break after a tag that begins its line; returns true if there was one, or the text ends.
  private mutating func endLine(_ startsLine: Bool) -> Bool {
    guard startsLine, rest.isEmpty || rest.first == "\n" else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func note(_ text: String) { problem = problem ?? text }
}

/// Fills templates with values.
package struct PageWriter: Sendable {
  /// The templates that others insert, by name.
  package var templates: [String: PageTemplate]
  /// Escapes a string for text and quoted attributes.
  private let escape: @Sendable (String) -> String
  /// True if a name without a value stays in the page, so that a test detects it.
  private let keepsNames: Bool

  package init(
    _ templates: [String: PageTemplate] = [:], keepsNames: Bool = false,
    escape: @escaping @Sendable (String) -> String
  ) {
    self.templates = templates
    self.keepsNames = keepsNames
    self.escape = escape
  }

  /// Returns the entity of a character of markup; nil for any other.
  package static func entity(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }

  /// Escapes markup.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += entity(of: $1) ?? String($1) }
  }

  /// Returns a template filled with values.
  package func text(_ template: PageTemplate, _ values: [String: PageTemplate.Value]) -> String {
    var text = ""
    append(template.pieces, values, [:], to: &text)
    return text
  }

  private func append(
    _ pieces: [PageTemplate.Piece], _ values: [String: PageTemplate.Value],
    _ parts: [String: [PageTemplate.Piece]], to text: inout String
  ) {
    for piece in pieces {
      switch piece {
      case .text(let own): text += own
      case .value(let name):
        switch values[name] {
        case .text(let value)?: text += escape(value)
        case .source(let value)?: text += value
        case .list?, nil: if keepsNames { text += "{{\(name)}}" }
        }
      case .section(let name, isInverted: false, let inner):
        for element in values[name]?.elements ?? [] {
          append(inner, values.merging(element) { $1 }, parts, to: &text)
        }
      case .section(let name, isInverted: true, let inner):
        if values[name]?.elements.isEmpty ?? true { append(inner, values, parts, to: &text) }
      case .template(let name, parts: let own):
        append(templates[name]?.pieces ?? [], values, parts.merging(own) { outer, _ in outer }, to: &text)
      case .part(let name, let inner): append(parts[name] ?? inner, values, parts, to: &text)
      }
    }
  }
}
