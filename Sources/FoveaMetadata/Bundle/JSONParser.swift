// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) and one thing more: a comma after the last element, as Google's own AutoML sample
/// has it.
///
/// Foundation's decoder does not say where a text breaks the format; this one names line and column.
struct JSONParser {
  /// Why a text is not JSON, and where.
  struct Failure: Error {
    let reason: String
    let line: Int
    let column: Int
  }

  /// How deep lists and objects may be nested; deeper texts are refused rather than parsed recursively.
  private static let maxDepth = 64
  private let bytes: [UInt8]
  private var position = 0

  static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
    var parser = JSONParser(bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else { throw parser.failure("there is more after the end") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String) -> Failure {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Failure(reason: reason, line: line, column: position - start + 1)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < Self.maxDepth else { throw failure("the nesting is deeper than \(Self.maxDepth)") }
    skipSpace()
    switch next {
    case nil: throw failure("the text ends where a value is expected")
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    while !take("}") {
      guard next == UInt8(ascii: "\"") else { throw failure("expected a key in quotes or }") }
      let key = try string()
      guard take(":") else { throw failure("expected : after the key '\(key)'") }
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw failure("the key '\(key)' stands twice")
      }
      if take(",") { continue }
      guard take("}") else { throw failure("expected , or }") }
      break
    }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    while !take("]") {
      elements.append(try value(depth: depth + 1))
      if take(",") { continue }
      guard take("]") else { throw failure("expected , or ]") }
      break
    }
    return .array(elements)
  }

  private mutating func word() throws(Failure) -> JSONValue {
    let start = position
    while let byte = next, !", ]}:\t\r\n\"[{".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      let digits = text.first == "-" ? text.dropFirst() : text[...]
      if digits.first?.isASCII == true, digits.first?.isNumber == true, !digits.contains("x"),
        let number = Double(text), number.isFinite
      {
        return .number(number)
      }
      position = start
      throw failure("expected a value")
    }
  }

  private mutating func string() throws(Failure) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw failure("the text is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): content += try escape()
      case 0..<0x20: throw failure("a line end or control character stands in a text")
      default: content.append(byte)
      }
    }
    throw failure("the text has no closing quote")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw failure("the text has no closing quote") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      let first = try hexadecimal()
      guard (0xD800..<0xDC00).contains(first) else { return try utf8(first) }
      guard next == UInt8(ascii: "\\") else { throw failure("half of a surrogate pair is missing") }
      position += 1
      guard next == UInt8(ascii: "u") else { throw failure("half of a surrogate pair is missing") }
      position += 1
      let second = try hexadecimal()
      guard (0xDC00..<0xE000).contains(second) else { throw failure("half of a surrogate pair is missing") }
      return try utf8(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    default: throw failure("an unknown character follows \\")
    }
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy({ $0 != UInt8(ascii: "+") }),
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits after \\u") }
    position += 4
    return value
  }

  private func utf8(_ value: UInt32) throws(Failure) -> [UInt8] {
    guard let scalar = Unicode.Scalar(value) else { throw failure("half of a surrogate pair is missing") }
    return Array(String(Character(scalar)).utf8)
  }
}
