// SPDX-License-Identifier: Apache-2.0

/// Prepares untrusted text for one line of a chip.
enum CaptionText {
  /// The maximum number of Unicode scalars read: no chip shows more, and a label may be megabytes long.
  static let maxScalars = 256

  /// Returns the text on one line, without characters that cannot or must not be drawn.
  ///
  /// Control characters and line breaks become spaces, runs of spaces one space. Marks that reverse the
  /// writing direction are removed: they could make a label look like another one. Noncharacters, which Cairo
  /// refuses as invalid text, become U+FFFD.
  static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var needsSpace = false
    for scalar in text.unicodeScalars.prefix(maxScalars) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        needsSpace = !result.isEmpty
        continue
      default: break
      }
      if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) { continue }
      if needsSpace { result.append(" ") }
      needsSpace = false
      result.append(scalar.properties.isNoncharacterCodePoint ? "\u{FFFD}" : scalar)
    }
    if text.unicodeScalars.dropFirst(maxScalars).first != nil { result.append("…") }
    return String(result)
  }

  /// Returns the text, shortened with an ellipsis if it is too wide.
  ///
  /// - Parameters:
  ///   - text: The cleaned text.
  ///   - width: The maximum width of the result, in pixels.
  ///   - measure: Returns the width of text in pixels.
  /// - Returns: `nil` if not even one character and the ellipsis fit.
  /// - Throws: The errors of `measure`.
  static func fitted(
    _ text: String, width: Double, measure: (String) throws(RenderError) -> Double
  ) throws(RenderError) -> String? {
    guard try measure(text) > width else { return text }
    let characters = Array(text)
    // The longest prefix that fits lies in low…high - 1; widths grow with the number of characters.
    var low = 0
    var high = characters.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if try measure(elided(characters.prefix(middle))) <= width { low = middle } else { high = middle }
    }
    return low == 0 ? nil : elided(characters.prefix(low))
  }

  private static func elided(_ characters: ArraySlice<Character>) -> String {
    var kept = characters
    while kept.last == " " || kept.last == "…" { kept.removeLast() }
    return String(kept) + "…"
  }
}
