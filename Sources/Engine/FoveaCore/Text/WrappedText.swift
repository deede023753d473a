// SPDX-License-Identifier: Apache-2.0

/// Text in lines of a terminal's width.
package enum WrappedText {
  /// The widest line.
  private static let columns = 110

  /// Breaks a text between words; a longer word gets its own line.
  /// - Parameters:
  ///   - text: The text, without control characters.
  ///   - first: What stands before the first line.
  ///   - indent: How many blanks stand before the others.
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
