// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Takes a string of base64 and gives its bytes, without a text in between: an image is megabytes.
  ///
  /// Both alphabets of RFC 4648 are taken, with or without padding; white space does not count, and what comes before the
  /// comma of a `data:` address is left out.
  package mutating func base64Value(_ what: String) throws(JSONFailure) -> [UInt8] {
    guard try peek() == UInt8(ascii: "\"") else { throw mismatch("\(what) is no text", "base64 is needed") }
    at += 1
    try skipDataPrefix()
    var decoded: [UInt8] = []
    var group: UInt32 = 0
    var letters = 0
    var padding = 0
    while let byte = try base64Letter() {
      let value = JSONReader.base64Digits[Int(byte)]
      if value < 64 {
        guard padding == 0 else { throw mismatch("\(what) goes on after its padding") }
        group = group << 6 | UInt32(value)
        if letters & 3 > 0 {
          decoded.append(UInt8(truncatingIfNeeded: group >> UInt32(6 - 2 * (letters & 3))))
        }
        letters += 1
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else if byte > 0x20 {
        throw mismatch("\(what) has a letter that is not base64")
      }
    }
    guard letters & 3 != 1, padding == 0 || padding <= 2 && (letters + padding) & 3 == 0 else {
      throw mismatch("\(what) is not whole base64")
    }
    return decoded
  }

  /// The next letter of the string, escapes undone; nil at its end.
  private mutating func base64Letter() throws(JSONFailure) -> UInt8? {
    if at == end { try need(1) }
    guard at < end else { throw notJSON("a string has no end") }
    let byte = bytes[at]
    guard byte == UInt8(ascii: "\\") else {
      at += 1
      return byte == UInt8(ascii: "\"") ? nil : byte
    }
    try need(6)
    guard end - at >= 2 else { throw notJSON("a string has no end") }
    switch bytes[at + 1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at += 2
      return 0x20
    case UInt8(ascii: "/"):
      at += 2
      return UInt8(ascii: "/")
    case UInt8(ascii: "u"):
      // Writers of JSON for web pages put \u002B in place of `+`.
      guard let letter = UInt8(exactly: try codeUnit()), letter < 0x80 else {
        throw mismatch("base64 has an escape of a letter that is not base64")
      }
      return letter
    default: throw mismatch("base64 has an escape that JSON does not know")
    }
  }

  /// Whether the next value is a text that begins with `prefix`, which stays where it is.
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
    throw mismatch("a 'data:' address has no comma")
  }

  /// The value of each byte as a digit of base64; 64 for those that are none.
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
