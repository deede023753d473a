// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A parser for values in JSON, in YAML's flow style, or as Python prints them, with optional trailing
/// commas and comments (`# …`, `// …`).
struct LiteralReader {
  private let text: [UInt8]
  /// Whether the text is source code, whose strings neither double their quotes nor cross lines.
  private let isCode: Bool
  private(set) var position = 0
  /// The first key that a map has twice, and its lines.
  private(set) var twins: (key: String, first: Int, second: Int)?

  /// Deeper values are not labels.
  private static let maximumDepth = 32

  init(_ text: [UInt8], isCode: Bool = false) {
    self.text = text
    self.isCode = isCode
  }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// Reads the whole text as one value; nil if it is not one.
  mutating func whole() -> Literal? {
    guard let value = value() else { return nil }
    skipSpace()
    return position == text.count ? value : nil
  }

  /// Reads the whole text as one value and an optional semicolon; nil if it is not one.
  mutating func statement() -> Literal? {
    guard let value = value() else { return nil }
    _ = skip(UInt8(ascii: ";"))
    skipSpace()
    return position == text.count ? value : nil
  }

  /// Reads the value that starts here.
  mutating func value(depth: Int = 0) -> Literal? {
    guard depth < LiteralReader.maximumDepth else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return map(depth: depth)
    case UInt8(ascii: "["): return list(until: "]", depth: depth)
    case UInt8(ascii: "("): return list(until: ")", depth: depth)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string().map { .text($0) }
    case nil: return nil
    default: return word(depth: depth)
    }
  }

  private mutating func list(until end: Character, depth: Int) -> Literal? {
    position += 1
    var values: [Literal] = []
    while !skip(end.asciiValue ?? 0) {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
      guard skip(UInt8(ascii: ",")) || next == end.asciiValue else { return nil }
    }
    return .list(values)
  }

  private mutating func map(depth: Int) -> Literal? {
    position += 1
    var members: [Literal.Member] = []
    var places: [String: Int] = [:]
    while !skip(UInt8(ascii: "}")) {
      skipSpace()
      let place = position
      guard let key = isQuote(next) ? string() : key(), skip(UInt8(ascii: ":")),
        let value = value(depth: depth + 1)
      else { return nil }
      if let other = places.updateValue(place, forKey: key), twins == nil {
        twins = (key, line(of: other), line(of: place))
      }
      members.append(.init(key: key, value: value))
      guard skip(UInt8(ascii: ",")) || next == UInt8(ascii: "}") else { return nil }
    }
    return .map(members)
  }

  private func line(of place: Int) -> Int {
    1 + text[..<place].count { $0 == UInt8(ascii: "\n") }
  }

  /// Reads a key without quotes.
  private mutating func key() -> String? {
    let start = position
    while let byte = next, !"{}[](),:\n".utf8.contains(byte) {
      if isPrefixed(since: start) { return string(after: text[start]) }
      position += 1
    }
    let key = LabelLine.trimmed(String(decoding: text[start..<position], as: UTF8.self))
    return key.isEmpty ? nil : key
  }

  /// Reads an unquoted value: a number, a word, or a Python call, whose brackets are skipped.
  private mutating func word(depth: Int) -> Literal? {
    let start = position
    while let byte = next, !",]})".utf8.contains(byte), byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "("), position > start {
        return list(until: ")", depth: depth + 1).map { _ in .other }
      }
      if isPrefixed(since: start) { return string(after: text[start]).map { .text($0) } }
      position += 1
    }
    let word = LabelLine.trimmed(String(decoding: text[start..<position], as: UTF8.self))
    return word.isEmpty ? nil : .word(word)
  }

  /// Returns whether a word that starts at `start` is the prefix of a string: Python's `u'…'` and `b'…'`, not
  /// `d'or`.
  private func isPrefixed(since start: Int) -> Bool {
    isQuote(next) && position == start + 1 && "uUbBrR".utf8.contains(text[start])
  }

  /// Reads the string that starts here, in single or double quotes; inside single quotes, two single quotes
  /// stand for one, as in YAML, but not in source code.
  ///
  /// After the prefix of Python's `b'…'`, a number after a backslash is a byte, not a code point; in `r'…'`,
  /// a backslash is a character.
  mutating func string(after prefix: UInt8? = nil) -> String? {
    let isOfBytes = prefix.map { "bB".utf8.contains($0) } ?? false
    let isRaw = prefix.map { "rR".utf8.contains($0) } ?? false
    guard let quote = next, isQuote(quote) else { return nil }
    position += 1
    var bytes: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == quote {
        guard quote == UInt8(ascii: "'"), next == quote, !isCode else {
          return String(validating: bytes, as: UTF8.self)
        }
        position += 1
        bytes.append(quote)
        continue
      }
      if isCode, byte == UInt8(ascii: "\n") { return nil }
      guard byte == UInt8(ascii: "\\"), !isRaw, let escaped = next else {
        bytes.append(byte)
        continue
      }
      position += 1
      guard append(escape: escaped, to: &bytes, asByte: isOfBytes) else { return nil }
    }
    return nil
  }

  /// Appends an escape: `n`, `t`, `351`, `xe9`, `u00e9`, `ud83d\ude00`, `U0001f600`; else the character
  /// itself.
  ///
  /// A number is a code point, as in Python. In the text format of protocol buffers it is a byte, see
  /// `TextFormatString`.
  private mutating func append(escape: UInt8, to bytes: inout [UInt8], asByte: Bool) -> Bool {
    if let control = TextFormatString.controls[escape] {
      bytes.append(control)
      return true
    }
    switch escape {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      let code = octal()
      LiteralReader.append(code, to: &bytes, asByte: asByte)
    case UInt8(ascii: "x") where asByte:
      guard let code = hexadecimal(2) else { return false }
      LiteralReader.append(code, to: &bytes, asByte: true)
    case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
      let count = escape == UInt8(ascii: "x") ? 2 : escape == UInt8(ascii: "u") ? 4 : 8
      guard var code = hexadecimal(count) else { return false }
      // JSON writes code points above 16 bits as two surrogates.
      if (0xD800..<0xDC00).contains(code), position + 1 < text.count, next == UInt8(ascii: "\\"),
        text[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        guard let low = hexadecimal(4), (0xDC00..<0xE000).contains(low) else { return false }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return false }
      bytes.append(contentsOf: Array(String(scalar).utf8))
    default:
      // Python and JavaScript differ about others, such as `\N{DOG}` and `\d`.
      guard !isCode || (0x21...0x7E).contains(escape) && !escape.isASCIILetterOrDigit else { return false }
      bytes.append(escape)
    }
    return true
  }

  /// Reads up to three octal digits, the first of which is already consumed.
  private mutating func octal() -> UInt32 {
    let zero = UInt8(ascii: "0")
    var code = UInt32(text[position - 1] - zero)
    let end = position + 2
    while position < end, let digit = next, (zero...UInt8(ascii: "7")).contains(digit) {
      code = code * 8 + UInt32(digit - zero)
      position += 1
    }
    return code
  }

  private static func append(_ code: UInt32, to bytes: inout [UInt8], asByte: Bool) {
    if asByte {
      bytes.append(UInt8(truncatingIfNeeded: code))
    } else if let scalar = Unicode.Scalar(code) {
      bytes.append(contentsOf: Array(String(scalar).utf8))
    }
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard count <= text.count - position else { return nil }
    let digits = text[position..<position + count]
    position += count
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  /// Skips white space and comments.
  private mutating func skipSpace() {
    while let byte = next {
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        position += 1
      } else if byte == UInt8(ascii: "#") || text[position...].starts(with: [0x2f, 0x2f]) {
        while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
      } else {
        return
      }
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }
}
