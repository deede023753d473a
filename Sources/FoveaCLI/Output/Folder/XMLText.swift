// SPDX-License-Identifier: Apache-2.0

/// Text of any origin as the content of an XML element.
enum XMLText {
  /// The text with markup and line ends escaped; characters that XML 1.0 cannot hold become U+FFFD.
  ///
  /// **Source:** W3C, Extensible Markup Language 1.0, production 2 and sections 2.4 and 2.11.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // Readers would make one kind of line end of all, and some trim white space.
      case "\t", "\n", "\r", "\u{7F}"..."\u{9F}": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
