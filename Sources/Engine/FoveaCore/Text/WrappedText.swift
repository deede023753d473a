// SPDX-License-Identifier: Apache-2.0

/// Wraps text to a terminal's width.
package enum WrappedText {
  /// The maximum width of a line.
  private static let columns = 110

  /// Breaks text between words; a longer word gets its own line.
  /// - Parameters:
  ///   - text: The text, without control characters.
  ///   - first: The start of the first line.
  ///   - indent: The number of spaces at the start of the other lines.
  /// - Returns: Lines, each with its end.
  package static func lines(_ text: String, first: String, indent: Int) -> String {
    var result = ""
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columns {
        result += line + "\n"
        line = String(repeating: " ", count: indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return result + line + "\n"
  }
}
