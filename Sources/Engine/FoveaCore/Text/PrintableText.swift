// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with all characters escaped that could move the cursor, start a new line or change the reading
  /// direction.
  ///
  /// File names are untrusted: a newline in one must not forge a result line, an escape sequence must not
  /// reach the terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case let scalar where scalar.isUnprintable:
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text as one word of a shell command, to type or copy.
  package var shellWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "="):
        true
      default: false
      }
    }
    if isPlain && !isEmpty { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The path as an argument of a shell command: a path that begins with `-` would be an option.
  package var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
    case 0x2028, 0x2029: true  // line and paragraph separator
    default: false
    }
  }
}
