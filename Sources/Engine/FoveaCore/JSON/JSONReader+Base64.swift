// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Decodes a base64 string without an intermediate text, because an image is megabytes.
  ///
  /// Both alphabets of RFC 4648 are accepted, with or without padding; white space is ignored, and so is the
  /// text before the comma of a `data:` URL.
  package mutating func base64Value(_ what: String) throws(JSONFailure) -> [UInt8] {
    guard try peek() == UInt8(ascii: "\"") else { throw mismatch("\(what) is not text", "base64 is needed") }
    at += 1
    try skipDataPrefix()
    var decoded: [UInt8] = []
    var group: UInt32 = 0
    var letters = 0
    var padding = 0
    while let byte = try base64Letter() {
      let value = JSONReader.base64Digits[Int(byte)]
      if value < 64 {
        guard padding == 0 else { throw mismatch("\(what) continues after its padding") }
        group = group << 6 | UInt32(value)
        if letters & 3 > 0 {
          decoded.append(UInt8(truncatingIfNeeded: group >> UInt32(6 - 2 * (letters & 3))))
        }
        letters += 1
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if byte > 0x20 {
        throw mismatch("\(what) has a character that is not base64")
      }
    }
    guard letters & 3 != 1, padding == 0 || padding <= 2 && (letters + padding) & 3 == 0 else {
      throw mismatch("\(what) is incomplete base64")
    }
    return decoded
  }

  /// Returns the next character of the string, with escapes decoded; nil at its end.
  private mutating func base64Letter() throws(JSONFailure) -> UInt8? {
    if at == end { try need(1) }
    guard at < end else { throw notJSON("a string is not terminated") }
    let byte = bytes[at]
    guard byte == UInt8(ascii: "\\") else {
      at += 1
      return byte == UInt8(ascii: "\"") ? nil : byte
    }
    try need(6)
    guard end - at >= 2 else { throw notJSON("a string is not terminated") }
    switch bytes[at + 1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
      return 0x20
    case UInt8(ascii: "/"):
      at += 2
      return UInt8(ascii: "/")
    case UInt8(ascii: "u"):
      // Writers of JSON for web pages write \u002B instead of `+`.
      guard let letter = UInt8(exactly: try codeUnit()), letter < 0x80 else {
        throw mismatch("base64 has an escape of a character that is not base64")
      }
      return letter
    default: throw mismatch("base64 has an escape that JSON does not define")
    }
  }

  /// Returns whether the next value is a string that begins with `prefix`, without consuming it.
  package mutating func isText(beginningWith prefix: String) throws(JSONFailure) -> Bool {
    guard try peek() == UInt8(ascii: "\"") else { return false }
    try need(1 + prefix.utf8.count)
    return bytes[(at + 1)..<end].starts(with: prefix.utf8)
  }

  private mutating func skipDataPrefix() throws(JSONFailure) {
    try need(5)
    guard end - at >= 5, bytes[at..<(at + 5)].elementsEqual("data:".utf8) else { return }
    var count = 0
    while let byte = try base64Letter() {
      if byte == UInt8(ascii: ",") { return }
      count += 1
      guard count < 200 else { break }
    }
    throw mismatch("a 'data:' URL has no comma")
  }

  /// The value of each byte as a base64 digit; 64 for bytes that are not digits.
  private static let base64Digits: [UInt8] = {
    var digits = [UInt8](repeating: 64, count: 256)
    for (value, byte) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated()
    {
      digits[Int(byte)] = UInt8(value)
    }
    digits[Int(UInt8(ascii: "-"))] = 62
    digits[Int(UInt8(ascii: "_"))] = 63
    return digits
  }()
}
