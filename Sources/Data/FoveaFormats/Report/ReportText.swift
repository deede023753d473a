// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Escapes text from any source for the text and the quoted attributes of an HTML page.
package enum ReportText {
  /// The maximum number of Unicode scalars to keep: a hostile name may be megabytes long.
  package static let maxScalars = 1_000

  /// Escapes markup, and writes out everything that is invisible or changes the reading direction.
  ///
  /// A file name must not be able to open a tag, leave an attribute or pose as another name.
  package static func escaped(_ text: String, limit: Int = maxScalars) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case let scalar where isInvisible(scalar):
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result += PageWriter.entity(of: scalar) ?? String(scalar)
      }
    }
    if text.unicodeScalars.dropFirst(limit).first != nil { result += "…" }
    return result
  }

  /// Shortens text for the JSON data of a page to the length that `escaped` keeps.
  package static func shortened(_ text: String) -> String {
    guard text.utf8.count > maxScalars else { return text }
    return String(text.unicodeScalars.prefix(maxScalars + 1))
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1
    case 0x61C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true  // direction, no width
    case 0x2028, 0x2029: true  // line and paragraph separator
    default: scalar.properties.isNoncharacterCodePoint
    }
  }
}

/// Formats numbers for reports.
package enum ReportNumber {
  /// Returns a number with exactly `places` decimals, at most 6; "–" if it is not finite.
  package static func fixed(_ value: Double, _ places: Int) -> String {
    value.isFinite ? DecimalText.fixed(value, places: places) : "–"
  }

  /// Returns a fraction as "85.2 %" with a no-break space; "–" if it is missing or not finite.
  package static func percent(_ value: Double?, places: Int = 1) -> String {
    guard let value, (value * 100).isFinite else { return "–" }
    return fixed(value * 100, places) + "\u{A0}%"
  }

  /// Returns a whole number with commas between thousands.
  package static func grouped(_ value: Int) -> String { DecimalText.grouped(value) }

  /// Returns a duration with its unit: "0.4 ms", "320 ms", "12.5 s".
  package static func duration(milliseconds: Double) -> String {
    if milliseconds < 99.95 { return fixed(milliseconds, 1) + " ms" }
    if milliseconds < 9_999.5 { return fixed(milliseconds, 0) + " ms" }
    return fixed(milliseconds / 1_000, 1) + " s"
  }

  /// Returns "1 image", "2 images".
  package static func counted(_ count: Int, _ one: String) -> String {
    DecimalText.counted(count, one, one + "s")
  }
}
