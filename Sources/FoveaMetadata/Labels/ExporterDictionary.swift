// SPDX-License-Identifier: Apache-2.0

/// Reads the texts and the names of a dictionary in JSON or as Python prints it; other values are passed over.
struct ExporterDictionary {
  /// What was found on the outermost level.
  struct Values {
    /// The values that are text, by key.
    var texts: [String: String] = [:]
    /// The value of "names", by class index; nil where its classes are not 0, 1, 2, ….
    var names: [String]?
  }

  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// Goes through the outer dictionary.
  /// - Returns: nil where the text is none.
  mutating func parse() -> Values? {
    guard skip(UInt8(ascii: "{")) else { return nil }
    var values = Values()
    var depth = 1
    while depth > 0, let byte = next {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard let key = string() else { return nil }
        guard depth == 1, skip(UInt8(ascii: ":")) else { continue }
        skipSpace()
        if key == "names" {
          guard let names = names() else { return nil }
          values.names = names
        } else if isQuote(next) {
          guard let value = string() else { return nil }
          values.texts[key] = value
        }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      default: break
      }
      position += 1
    }
    return depth == 0 ? values : nil
  }

  private mutating func names() -> [String]? {
    if skip(UInt8(ascii: "{")) { return dictionary() }
    return skip(UInt8(ascii: "[")) ? list() : nil
  }

  /// `0: 'person', 1: 'bicycle'}`; the numbers may stand in quotes.
  private mutating func dictionary() -> [String]? {
    var names: [String] = []
    while !skip(UInt8(ascii: "}")) {
      skipSpace()
      guard let key = isQuote(next) ? string() : digits(), Int(key) == names.count, skip(UInt8(ascii: ":"))
      else { return nil }
      skipSpace()
      guard let name = string() else { return nil }
      names.append(name)
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "}") else { return nil }
    }
    return names.isEmpty ? nil : names
  }

  /// `'person', 'bicycle']`.
  private mutating func list() -> [String]? {
    var names: [String] = []
    while !skip(UInt8(ascii: "]")) {
      skipSpace()
      guard let name = string() else { return nil }
      names.append(name)
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "]") else { return nil }
    }
    return names.isEmpty ? nil : names
  }

  /// The string that begins here, in single or double quotes.
  private mutating func string() -> String? {
    guard let quote = next, isQuote(quote) else { return nil }
    position += 1
    var bytes: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == quote { return String(validating: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), let escaped = next else {
        bytes.append(byte)
        continue
      }
      position += 1
      guard append(escape: escaped, to: &bytes) else { return nil }
    }
    return nil
  }

  /// What follows a backslash: `n`, `t`, `xe9`, `u00e9`, `ud83d\ude00`, `U0001f600`; else the character itself.
  private mutating func append(escape: UInt8, to bytes: inout [UInt8]) -> Bool {
    switch escape {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = escape == UInt8(ascii: "x") ? 2 : escape == UInt8(ascii: "u") ? 4 : 8
      guard var code = hexadecimal(count) else { return false }
      // JSON writes what is beyond 16 bits as two surrogates.
      if (0xD800..<0xDC00).contains(code), position + 1 < text.count, next == UInt8(ascii: "\\"),
        text[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        guard let low = hexadecimal(4), (0xDC00..<0xE000).contains(low) else { return false }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return false }
      bytes.append(contentsOf: Array(String(scalar).utf8))
    default: bytes.append(escape)
    }
    return true
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard count <= text.count - position else { return nil }
    let digits = text[position..<position + count]
    position += count
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func digits() -> String? {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return start == position ? nil : String(decoding: text[start..<position], as: UTF8.self)
  }

  private func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }
}
