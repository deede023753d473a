// SPDX-License-Identifier: Apache-2.0

/// Text from any source as the content of an XML element.
enum XMLText {
  /// Escapes markup and line breaks; characters that XML 1.0 does not allow become U+FFFD.
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
      // Readers normalize line breaks, and some trim white space.
      case "\t", "\n", "\r", "\u{7F}"..."\u{9F}": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Resolves the references in a string; leaves invalid references unchanged.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("&") else { return text }
    var result = ""
    var parts = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    result += parts.removeFirst()
    for part in parts {
      let end = part.firstIndex(of: ";")
      let name = end.map { part[..<$0] } ?? ""
      guard let end, let character = reference(String(name)) else {
        result += "&" + part
        continue
      }
      result.unicodeScalars.append(character)
      result += part[part.index(after: end)...]
    }
    return result
  }

  private static func reference(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
      name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
    }
  }
}
