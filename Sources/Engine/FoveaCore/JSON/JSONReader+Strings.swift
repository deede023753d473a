// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads a string; with `keeping`, `text` then holds its content.
  ///
  /// Half of a surrogate pair becomes U+FFFD or is an error; see ``takesHalfPairs``.
  package mutating func string(keeping: Bool) throws(JSONFailure) {
    at += 1
    text.removeAll(keepingCapacity: true)
    while true {
      if at == end {
        try need(1)
        guard at < end else { throw notJSON("a string is not terminated") }
      }
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        return
      case UInt8(ascii: "\\"): try escape(keeping: keeping)
      case 0..<0x20: throw notJSON("a string has a control character, which must be escaped")
      case 0x80...: try multiByteScalar(keeping: keeping)
      default:
        at += 1
        if keeping { text.append(byte) }
      }
      guard text.count <= longestString else {
        throw notJSON("a string has more than \(DecimalText.grouped(longestString)) bytes")
      }
    }
  }

  /// Reads a string and returns it as text.
  package mutating func stringValue() throws(JSONFailure) -> String {
    try string(keeping: true)
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape(keeping: Bool) throws(JSONFailure) {
    try need(6)
    guard end - at >= 2 else { throw notJSON("a string is not terminated") }
    let character: UInt8
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = bytes[at + 1]
    case UInt8(ascii: "b"): character = 8
    case UInt8(ascii: "f"): character = 12
    case UInt8(ascii: "n"): character = 10
    case UInt8(ascii: "r"): character = 13
    case UInt8(ascii: "t"): character = 9
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      return try keepScalar(unit, keeping: keeping)
    default: throw notJSON("a string has an escape that JSON does not define")
    }
    at += 2
    if keeping { text.append(character) }
  }

  /// Reads `\uXXXX`, which starts at `at`.
  mutating func codeUnit() throws(JSONFailure) -> UInt32 {
    guard end - at >= 6 else { throw notJSON("\\u needs four hexadecimal digits") }
    var value: UInt32 = 0
    for index in (at + 2)..<(at + 6) {
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
        throw notJSON("\\u needs four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
    }
    at += 6
    return value
  }

  private mutating func keepScalar(_ unit: UInt32, keeping: Bool) throws(JSONFailure) {
    var value = unit
    if (0xD800..<0xDC00).contains(unit) {
      try need(6)
      if end - at >= 6, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") {
        let start = at
        let second = try codeUnit()
        if (0xDC00..<0xE000).contains(second) {
          value = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
        } else {
          at = start
        }
      }
    }
    let scalar = Unicode.Scalar(value)
    guard scalar != nil || takesHalfPairs else { throw notJSON("a string has half of a surrogate pair") }
    guard keeping else { return }
    text.append(contentsOf: Array(String(Character(scalar ?? "\u{FFFD}")).utf8))
  }

  /// Reads one scalar of two to four bytes, which must be the shortest form of an existing scalar.
  ///
  /// **Source:** the Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
  private mutating func multiByteScalar(keeping: Bool) throws(JSONFailure) {
    try need(4)
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[at] {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: count = 4
    default: throw notJSON("the text is not UTF-8")
    }
    guard end - at >= count, second.contains(bytes[at + 1]) else { throw notJSON("the text is not UTF-8") }
    for index in (at + 2)..<max(at + 2, at + count) where !(0x80...0xBF).contains(bytes[index]) {
      throw notJSON("the text is not UTF-8")
    }
    if keeping { text.append(contentsOf: bytes[at..<(at + count)]) }
    at += count
  }
}
