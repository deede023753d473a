// SPDX-License-Identifier: Apache-2.0

/// Reads JSON value by value from bytes, and skips what nobody asks for without taking memory for it.
///
/// Strict (RFC 8259) about structure and strings. Nesting is limited, so that hostile files cannot exhaust the
/// stack. Used for lines of an earlier run and for COCO's instances files, whose annotations are large and unneeded.
struct JSONReader {
  /// Where reading stopped, and why.
  struct Failure: Error, Equatable {
    var offset: Int
    var reason: String
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var depth = 0
  private static let maximumDepth = 64

  init(_ bytes: some Collection<UInt8>) {
    self.bytes = ArraySlice(bytes)
    position = self.bytes.startIndex
  }

  /// Reads an object; `member` gets each key and must read or skip its value.
  mutating func object(_ member: (inout JSONReader, String) throws(Failure) -> Void) throws(Failure) {
    try enter(0x7B)
    if next() == 0x7D { return leave() }
    while true {
      let key = try string()
      try expect(0x3A, "expected ':'")
      try member(&self, key)
      if next() == 0x7D { return leave() }
      try expect(0x2C, "expected ',' or '}'")
    }
  }

  /// Reads an array; `element` must read or skip each value.
  mutating func array(_ element: (inout JSONReader) throws(Failure) -> Void) throws(Failure) {
    try enter(0x5B)
    if next() == 0x5D { return leave() }
    while true {
      try element(&self)
      if next() == 0x5D { return leave() }
      try expect(0x2C, "expected ',' or ']'")
    }
  }

  /// Reads a whole number.
  mutating func integer() throws(Failure) -> Int {
    let text = try number()
    guard let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
      throw failure("expected a whole number")
    }
    return value
  }

  /// Reads a string with its escapes.
  mutating func string() throws(Failure) -> String {
    try expect(0x22, "expected a string")
    var text: [UInt8] = []
    while true {
      guard position < bytes.endIndex else { throw failure("the text ends inside a string") }
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x22: return String(decoding: text, as: UTF8.self)
      case 0x5C: try escape(into: &text)
      case 0..<0x20: throw failure("a control character stands inside a string")
      default: text.append(byte)
      }
    }
  }

  /// Passes over one value of any kind.
  mutating func skipValue() throws(Failure) {
    switch next() {
    case 0x7B: try object { (reader, _) throws(Failure) in try reader.skipValue() }
    case 0x5B: try array { reader throws(Failure) in try reader.skipValue() }
    case 0x22: _ = try string()
    case 0x74: try word("true")
    case 0x66: try word("false")
    case 0x6E: try word("null")
    default: _ = try number()
    }
  }

  /// Checks that nothing follows but white space.
  mutating func end() throws(Failure) {
    guard next() == nil else { throw failure("text follows the value") }
  }

  /// The next byte that is not white space, not consumed.
  private mutating func next() -> UInt8? {
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return bytes[position]
      }
    }
    return nil
  }

  private mutating func expect(_ byte: UInt8, _ reason: String) throws(Failure) {
    guard next() == byte else { throw failure(reason) }
    position += 1
  }

  private mutating func enter(_ byte: UInt8) throws(Failure) {
    try expect(byte, byte == 0x7B ? "expected an object" : "expected an array")
    guard depth < JSONReader.maximumDepth else { throw failure("more than 64 levels") }
    depth += 1
  }

  private mutating func leave() {
    position += 1
    depth -= 1
  }

  private mutating func word(_ text: String) throws(Failure) {
    guard bytes[position...].starts(with: text.utf8) else { throw failure("expected \(text)") }
    position += text.utf8.count
  }

  private mutating func number() throws(Failure) -> String {
    guard next() != nil else { throw failure("the text ends before a value") }
    let start = position
    while position < bytes.endIndex, JSONReader.isNumeric(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first), Double(text) != nil
    else {
      position = start
      throw failure("expected a value")
    }
    return text
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard position < bytes.endIndex else { throw failure("the text ends inside a string") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: text.append(byte)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0C)
    case 0x6E: text.append(0x0A)
    case 0x72: text.append(0x0D)
    case 0x74: text.append(0x09)
    case 0x75: try text.append(contentsOf: String(unicodeEscape()).utf8)
    default: throw failure("an unknown escape stands inside a string")
    }
  }

  /// The scalar of `\uXXXX`, or of two that make a surrogate pair; a lone surrogate becomes U+FFFD.
  private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let first = try hexDigits()
    guard (0xD800..<0xDC00).contains(first), bytes[position...].starts(with: [0x5C, 0x75]) else {
      return Unicode.Scalar(first) ?? replacement
    }
    position += 2
    let second = try hexDigits()
    guard (0xDC00..<0xE000).contains(second) else { return replacement }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
  }

  private mutating func hexDigits() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.endIndex,
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits") }
    position += 4
    return value
  }

  private func failure(_ reason: String) -> Failure {
    Failure(offset: position - bytes.startIndex, reason: reason)
  }
}
