// SPDX-License-Identifier: Apache-2.0

/// Builds a JSON text on one line, with keys in the order in which they are added.
///
/// Foundation's encoders sort or shuffle keys and are large; results need the order of the documentation and
/// a process that starts in milliseconds.
package struct JSONText {
  private var bytes: [UInt8] = []
  private var needsComma = false

  /// - Parameter capacity: The approximate size of the text in bytes.
  package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func object(_ body: (inout JSONText) -> Void) {
    nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }
  package mutating func array(_ body: (inout JSONText) -> Void) {
    nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  package mutating func array<Element>(_ elements: [Element], _ each: (inout JSONText, Element) -> Void) {
    array { json in
      for element in elements { each(&json, element) }
    }
  }

  /// Starts a member; its value must follow.
  ///
  /// The name is plain ASCII.
  package mutating func key(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    // SAFETY: a static string has that many bytes. All are appended at once, because each append has a cost.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 6) { text in
      var end = 0
      func put(_ byte: UInt8) {
        unsafe text[end] = byte
        end += 1
      }
      if needsComma {
        put(UInt8(ascii: ","))
        put(UInt8(ascii: " "))
      }
      put(UInt8(ascii: "\""))
      for index in 0..<count { put(unsafe name.utf8Start[index]) }
      put(UInt8(ascii: "\""))
      put(UInt8(ascii: ":"))
      put(UInt8(ascii: " "))
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<end]))
    }
    needsComma = false
  }

  /// Starts a member whose name is known only at run time.
  package mutating func key(named name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    needsComma = false
  }

  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    separate()
    appendQuoted(value)
  }

  package mutating func integer(_ value: Int?) {
    guard let value else { return null() }
    separate()
    DecimalText.append(value, to: &bytes)
  }

  package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

  package mutating func number(_ value: Double?, places: Int) {
    guard let value else { return null() }
    separate()
    DecimalText.append(value, places: places, to: &bytes)
  }

  /// Writes a number with all its digits; null for nil, and for a number that is not finite.
  package mutating func literal(_ value: Double?) {
    raw(value.map { $0.isFinite ? $0.description : "null" } ?? "null")
  }

  /// Writes a number that is already text, which must be valid JSON.
  package mutating func digits(_ text: String) { raw(text) }

  package mutating func null() { raw("null") }

  /// Ends a line, in text with several lines.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func raw(_ value: String) {
    separate()
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func separate() {
    if needsComma {
      bytes.append(UInt8(ascii: ","))
      bytes.append(UInt8(ascii: " "))
    }
    needsComma = true
  }

  private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONText) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func appendQuoted(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    let isPlain = value.withUTF8 { text in
      for index in text.indices where unsafe Self.mayNeedEscape(text[index]) { return false }
      unsafe bytes.append(contentsOf: text)
      return true
    }
    if !isPlain {
      for scalar in value.unicodeScalars { appendEscaped(scalar) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns whether a byte of UTF-8 is, or starts, a character that `appendEscaped` may change.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    // C2 starts U+0080…U+00BF, E2 U+2000…U+2FFF.
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 || byte == 0xE2
  }

  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": bytes.append(contentsOf: "\\\"".utf8)
    case "\\": bytes.append(contentsOf: "\\\\".utf8)
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      // Beyond JSON's requirements: C1 controls and line separators harm terminals and line-based tools.
      let digits = String(scalar.value, radix: 16)
      bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}
