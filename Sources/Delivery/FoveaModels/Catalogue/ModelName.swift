// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Which texts may name a model: what is safe as the name of a folder everywhere.
enum ModelName {
  static let maxLength = 64

  /// Whether `text` has 1 to 64 letters, digits, `.`, `_` and `-` of ASCII, a letter or digit first and no two points
  /// in a row.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetterOrDigit, text.utf8.count <= maxLength else {
      return false
    }
    return isFileName(text)
  }

  /// Whether `text` is one safe component of a path: as above, of any length up to 255 and with any first character
  /// but a point.
  static func isFileName(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else { return false }
    guard !text.contains("..") else { return false }
    return text.isASCIIWord(with: "-._")
  }
}
