// SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal digits, two for each, in lower case.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the digits of bytes.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the digits of random bytes from the system's generator.
  package static func random(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return encode((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Returns the bytes of a string of lower-case digits; nil for any other string.
  package static func decode(_ text: String) -> [UInt8]? {
    let values = text.utf8.map { digit in digits.firstIndex(of: digit) }
    guard values.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
