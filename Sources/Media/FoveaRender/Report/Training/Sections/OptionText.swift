// SPDX-License-Identifier: Apache-2.0

/// Sentences and commands that name options.
enum OptionText {
  /// The text made safe, in which no option and no percentage is broken into two lines.
  static func html(_ text: String) -> String {
    let safe = ReportText.escaped(text).replacing(" %", with: "\u{A0}%")
    return safe.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.hasPrefix("--") else { return String(word) }
      let option = word.prefix { $0 == "-" || $0.isLetter }
      guard option.count < 40 else { return String(word) }
      return "<span class=\"option\">\(option)</span>\(word.dropFirst(option.count))"
    }.joined(separator: " ")
  }
}
