// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
  /// Whether the byte is a digit, 0 to 9.
  package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether the byte is an unaccented letter or a digit.
  package var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

extension StringProtocol {
  /// Returns whether the text has only unaccented letters, digits and the characters of `marks`.
  package func isASCIIWord(with marks: String) -> Bool {
    utf8.allSatisfy { $0.isASCIILetterOrDigit || marks.utf8.contains($0) }
  }

  /// Whether the text is a SHA-256: 64 hexadecimal digits in lower case.
  package var isSHA256: Bool { isLowerHexadecimal(64) }

  /// Returns whether the text consists of exactly `count` lower-case hexadecimal digits.
  package func isLowerHexadecimal(_ count: Int) -> Bool {
    utf8.count == count && utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
  }

  /// The text without spaces and tabs at both ends.
  package var trimmingBlanks: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let rest = drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(rest[...last])
  }
}
