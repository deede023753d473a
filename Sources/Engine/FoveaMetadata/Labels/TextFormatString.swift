// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A string in protocol buffers' text format: consecutive quoted pieces, with C's escapes.
///
/// An escape such as `\303` is one byte, so `caf\303\251` is "café". In Python's literals, which
/// `LiteralReader` reads, it is a code point.
///
/// **Source:** Protocol Buffers, Text Format Language Specification, "String Literals".
struct TextFormatString {
  /// The problem with a piece that cannot be read.
  struct Problem: Error {
    /// The problem in words, following "a string": "has no closing quote".
    let words: String

    static let unclosed = Problem(words: "has no closing quote")
  }

  /// Reads the piece whose opening quote is at `position`, and moves `position` after its end.
  static func piece(of text: [UInt8], at position: inout Int) throws(Problem) -> [UInt8] {
    var reader = TextFormatString(text: text, position: position + 1)
    let bytes = try reader.bytes(until: text[position])
    position = reader.position
    return bytes
  }

  /// Returns whether a byte opens a piece.
  static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  /// The control characters behind a backslash and a letter, which Python and JSON know too.
  static let controls = Dictionary(
    uniqueKeysWithValues: zip("abfnrtv".utf8, [7, 8, 12, 10, 13, 9, 11] as [UInt8]))

  private let text: [UInt8]
  private var position: Int

  private init(text: [UInt8], position: Int) { (self.text, self.position) = (text, position) }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  private mutating func bytes(until quote: UInt8) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    // A string ends on its line.
    while let byte = next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      position += 1
      if byte == quote { return bytes }
      if byte == UInt8(ascii: "\\") { try appendEscape(to: &bytes) } else { bytes.append(byte) }
    }
    throw .unclosed
  }

  /// Reads an escape, whose backslash is already consumed.
  private mutating func appendEscape(to bytes: inout [UInt8]) throws(Problem) {
    guard let sign = next, sign != UInt8(ascii: "\n"), sign != UInt8(ascii: "\r") else { throw .unclosed }
    let start = position
    position += 1
    if let control = Self.controls[sign] { return bytes.append(control) }
    switch sign {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"): bytes.append(sign)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      position = start
      guard let byte = number(atMost: 3, radix: 8).flatMap({ UInt8(exactly: $0) }) else {
        throw unknown(from: start)
      }
      bytes.append(byte)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard let byte = number(atMost: 2, radix: 16).flatMap({ UInt8(exactly: $0) }) else {
        throw unknown(from: start)
      }
      bytes.append(byte)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      bytes.append(contentsOf: Array(String(try scalar(from: start)).utf8))
    default: throw unknown(from: start)
    }
  }

  /// Reads the digits of `u00e9` or `U0001f600`, whose letter is at `start`; two surrogates form one
  /// character.
  private mutating func scalar(from start: Int) throws(Problem) -> Unicode.Scalar {
    guard var code = codeUnit(text[start]) else { throw unknown(from: start) }
    if (0xD800..<0xDC00).contains(code), position + 1 < text.count, next == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      guard let low = codeUnit(UInt8(ascii: "u")), (0xDC00..<0xE000).contains(low) else {
        throw unknown(from: start)
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw unknown(from: start) }
    return scalar
  }

  private mutating func codeUnit(_ letter: UInt8) -> UInt32? {
    let (start, count) = (position, letter == UInt8(ascii: "u") ? 4 : 8)
    guard let code = number(atMost: count, radix: 16), position - start == count else { return nil }
    return code
  }

  /// Reads at most `count` digits; nil if there are none.
  private mutating func number(atMost count: Int, radix: UInt32) -> UInt32? {
    let start = position
    var number: UInt32 = 0
    while position - start < count, let digit = next.flatMap(Self.digit), digit < radix {
      // Eight hexadecimal digits are 32 bits.
      number = number * radix + digit
      position += 1
    }
    return position == start ? nil : number
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt32($0) }
  }

  private func unknown(from start: Int) -> Problem {
    // The position is after the digits; at least the sign itself is shown.
    let shown = String(decoding: text[start..<min(max(position, start + 4), text.count)], as: UTF8.self)
    let end = max(position - start, 1)
    return Problem(words: "has the unknown escape '\\\(String(shown.prefix(end)).printable)'")
  }
}
