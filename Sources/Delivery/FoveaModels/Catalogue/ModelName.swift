// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The rules for model names, which are safe as folder names everywhere.
enum ModelName {
  static let maxLength = 64

  /// Returns whether `text` has 1 to 64 ASCII letters, digits, `.`, `_` and `-`, begins with a letter or
  /// digit, and has no two dots in a row.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetterOrDigit, text.utf8.count <= maxLength else {
      return false
    }
    return isFileName(text)
  }

  /// Returns whether `text` is a safe path component: as above, but up to 255 bytes long and with any first
  /// character except a dot.
  static func isFileName(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else { return false }
    guard !text.contains("..") else { return false }
    return text.isASCIIWord(with: "-._")
  }
}
