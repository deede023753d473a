// SPDX-License-Identifier: Apache-2.0

/// The class names in the description that Ultralytics' exporter writes where a label file belongs.
///
/// It is a dictionary as Python prints it, or JSON, with "names" among its keys:
/// `{'task': 'detect', 'names': {0: 'person', 1: 'bicycle'}}`.
///
/// **Source:** Ultralytics, `engine/exporter.py`, `_add_tflite_metadata` (8.0 to 8.3).
struct ExporterNames {
  private let text: [UInt8]
  private var position = 0

  private init(_ text: [UInt8]) { self.text = text }

  /// - Returns: The names by class index; nil where the text is no such dictionary, or its classes are not 0, 1, 2, ….
  static func parse(_ text: [UInt8]) -> [String]? {
    guard text.first == UInt8(ascii: "{") else { return nil }
    var parser = ExporterNames(text)
    return parser.names()
  }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// Goes through the outer dictionary until the value of the key "names".
  private mutating func names() -> [String]? {
    position = 1
    var depth = 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard let string = string() else { return nil }
        guard depth == 1, string == "names", skip(UInt8(ascii: ":")) else { continue }
        return skip(UInt8(ascii: "{")) ? dictionary() : skip(UInt8(ascii: "[")) ? list() : nil
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      default: break
      }
      position += 1
    }
    return nil
  }

  /// `0: 'person', 1: 'bicycle'}`; the numbers may stand in quotes.
  private mutating func dictionary() -> [String]? {
    var names: [String] = []
    while !skip(UInt8(ascii: "}")) {
      skipSpace()
      let isQuoted = next == UInt8(ascii: "'") || next == UInt8(ascii: "\"")
      guard let key = isQuoted ? string() : digits(), Int(key) == names.count, skip(UInt8(ascii: ":")) else {
        return nil
      }
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

  /// The string that begins here, in single or double quotes; a backslash keeps the character after it.
  private mutating func string() -> String? {
    guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
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
      bytes.append(escaped)
    }
    return nil
  }

  private mutating func digits() -> String? {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return start == position ? nil : String(decoding: text[start..<position], as: UTF8.self)
  }

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
