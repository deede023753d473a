// SPDX-License-Identifier: Apache-2.0

/// Builds one JSON text on one line, keys in the order they are given.
///
/// The library's encoders sort keys or shuffle them and pull in half of Foundation; results need the order of the
/// documentation and a process that starts in milliseconds.
struct JSONText {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ body: (inout JSONText) -> Void) { nest("{", "}", body) }
  mutating func array(_ body: (inout JSONText) -> Void) { nest("[", "]", body) }

  mutating func array<Element>(_ elements: [Element], _ each: (inout JSONText, Element) -> Void) {
    array { json in
      for element in elements { each(&json, element) }
    }
  }

  /// Starts a member; its value must follow.
  mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    text += ": "
    needsComma = false
  }

  mutating func string(_ value: String?) {
    guard let value else { return null() }
    separate()
    appendQuoted(value)
  }

  mutating func integer(_ value: Int?) { raw(value.map { String($0) } ?? "null") }

  mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  mutating func number(_ value: Double?, places: Int) {
    raw(value.map { DecimalText.short($0, places: places) } ?? "null")
  }

  /// A number with all its digits; null for what is not finite.
  mutating func literal(_ value: Double) { raw(value.isFinite ? value.description : "null") }

  mutating func null() { raw("null") }

  private mutating func raw(_ value: String) {
    separate()
    text += value
  }

  private mutating func separate() {
    if needsComma { text += ", " }
    needsComma = true
  }

  private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
    separate()
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  private mutating func appendQuoted(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        // Beyond what JSON demands: C1 controls and line separators harm terminals and line-based tools.
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONText {
  mutating func member(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: Int?) {
    key(name)
    integer(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  mutating func member(_ name: String, _ value: Double?, places: Int) {
    key(name)
    number(value, places: places)
  }
}
