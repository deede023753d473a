// SPDX-License-Identifier: Apache-2.0

/// Which texts may name a model: what is safe as the name of a folder everywhere.
enum ModelName {
  static let maxLength = 64

  /// Whether `text` has 1 to 64 letters, digits, `.`, `_` and `-` of ASCII, a letter or digit first and no two points
  /// in a row.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= maxLength else {
      return false
    }
    return isFileName(text)
  }

  /// Whether `text` is one safe component of a path: as above, of any length up to 255 and with any first character
  /// but a point.
  static func isFileName(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else { return false }
    guard !text.contains("..") else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) }
  }

  /// Whether `text` is a SHA-256 as 64 lowercase hexadecimal digits.
  static func isChecksum(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
