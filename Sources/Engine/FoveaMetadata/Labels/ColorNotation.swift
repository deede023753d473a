// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A colour that is written as nothing else is: `#800000`, `0x800000`, `rgb(128, 0, 0)`.
///
/// **Source:** CSS Color Module Level 4, sections 5.1, 5.2, 7 and 15; three digits may also be a number, as
/// in `room #101`.
struct ColorNotation {
  /// The text before the colour.
  let before: String
  /// The text behind it.
  let after: String
  /// False if it may also be a number.
  let isCertain: Bool

  /// The maximum size of a line with a colour; a damaged file may have a line of megabytes.
  private static let maximumBytes = 1024
  private static let functions: Set<String> = ["rgb", "rgba", "bgr", "hsl", "hsla", "hsv"]
  private static let enclosures: [UInt8: UInt8] = [
    UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
  ]

  /// Finds the first colour of a line, with quotes or brackets around it; nil if there is none, or the whole
  /// line is in quotes.
  init?(in line: String) {
    guard line.utf8.count <= ColorNotation.maximumBytes,
      line.utf8.contains(where: { "#(xX".utf8.contains($0) }),
      !LabelLine.isQuoted(line)
    else { return nil }
    let bytes = Array(line.utf8)
    for start in bytes.indices where start == 0 || ColorNotation.mayFollow(bytes[start - 1], bytes[start]) {
      guard let length = ColorNotation.length(bytes[start...]) else { continue }
      // At the start of a line, it is a class number that is too high.
      guard start > 0 || bytes[0] != UInt8(ascii: "0") else { continue }
      var (first, end) = (start, start + length)
      guard end == bytes.count || !ColorNotation.isWord(bytes[end]) else { continue }
      isCertain = length > 5 || bytes[start..<end].contains(where: ColorNotation.isLetter)
      while first > 0, end < bytes.count, ColorNotation.enclosures[bytes[first - 1]] == bytes[end] {
        (first, end) = (first - 1, end + 1)
      }
      before = String(decoding: bytes[..<first], as: UTF8.self)
      after = String(decoding: bytes[end...], as: UTF8.self)
      return
    }
    return nil
  }

  /// The line without the colour; nil if there is text on both sides, other than the class number before it,
  /// or another column.
  var label: String? {
    let (start, startSign) = ColorNotation.parted(ColorNotation.reversed(before))
    let (label, endSign) = ColorNotation.parted(after)
    let text = ColorNotation.withoutKey(ColorNotation.reversed(start), before: before)
    let number = ColorNotation.classNumber(text)
    if label.isEmpty { return number != nil ? "" : ColorNotation.isColumn(text, startSign) ? text : nil }
    guard ColorNotation.isColumn(label, endSign) else { return nil }
    if text.isEmpty { return label }
    return number.map { "\($0): \(label)" }
  }

  /// Returns the class number that a text is, as `0`, `[0]` and `"0"` are; nil for other text.
  private static func classNumber(_ text: String) -> Int? {
    Int(text.filter { !"[]()\"'.".contains($0) })
  }

  /// Returns a text without the separators at its start, and the one of a table among these.
  private static func parted(_ text: String) -> (String, Unicode.Scalar?) {
    let scalars = text.unicodeScalars
    let signs = scalars.prefix {
      ColorRow.isSign($0) || ColorRow.isLooseSign($0) || LabelLine.isBlank($0)
    }
    return (LabelLine.trimmed(text[signs.endIndex...]), signs.first(where: ColorRow.isSign))
  }

  /// Returns a text without the word for a colour at its end: `cat color=`, `0: cat rgb:`.
  private static func withoutKey(_ text: String, before: String) -> String {
    let sign = before.unicodeScalars.last { !LabelLine.isBlank($0) && $0 != "\"" && $0 != "'" }
    let word = reversed(String(reversed(text).prefix { $0.isLetter }))
    guard sign == "=" || sign == ":", ["color", "colour", "rgb", "rgba", "hex"].contains(word.lowercased())
    else { return text }
    return reversed(parted(reversed(String(text.dropLast(word.count)))).0)
  }

  private static func reversed(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
  }

  /// Returns whether a text between signs is only a label, or one and its class number.
  private static func isColumn(_ text: String, _ sign: Unicode.Scalar?) -> Bool {
    guard let byte = sign.flatMap({ String($0).utf8.first }) else { return true }
    let fields = CSVFields.split(Array(text.utf8)[...], separator: byte)
    return fields.count < 2 || fields.count == 2 && fields.contains { Int(LabelLine.trimmed($0)) != nil }
  }

  /// Returns whether a text is a colour and nothing else.
  static func isColor(_ text: String) -> Bool {
    ColorNotation(in: text).map { $0.isCertain && $0.before.isEmpty && $0.after.isEmpty } ?? false
  }

  /// Returns the size of the colour at the start of a text; nil if there is none.
  private static func length(_ text: ArraySlice<UInt8>) -> Int? {
    if text.first == UInt8(ascii: "#") {
      let count = text.dropFirst().prefix(9).prefix(while: isHexadecimal).count
      return [3, 4, 6, 8].contains(count) ? 1 + count : nil
    }
    if text.starts(with: [0x30, 0x78]) || text.starts(with: [0x30, 0x58]) {
      let count = text.dropFirst(2).prefix(9).prefix(while: isHexadecimal).count
      return count == 6 || count == 8 ? 2 + count : nil
    }
    let name = text.prefix(5).prefix(while: isLetter)
    guard functions.contains(String(decoding: name, as: UTF8.self).lowercased()) else { return nil }
    let open = text[name.endIndex...].drop { $0 == 0x20 }
    guard open.first == UInt8(ascii: "(") else { return nil }
    let inner = open.dropFirst().prefix { isDigit($0) || " .,%/".utf8.contains($0) }
    guard inner.contains(where: isDigit), inner.endIndex < text.endIndex,
      text[inner.endIndex] == UInt8(ascii: ")")
    else { return nil }
    return inner.endIndex + 1 - text.startIndex
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isHexDigit
  }

  private static func isLetter(_ byte: UInt8) -> Bool { !isDigit(byte) && byte.isASCIILetterOrDigit }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "#")
  }

  /// Returns whether a colour may begin behind a byte: not inside a word, but a sharp sign also follows one.
  private static func mayFollow(_ byte: UInt8, _ first: UInt8) -> Bool {
    let sharp = UInt8(ascii: "#")
    return !isWord(byte) || first == sharp && byte != sharp
  }
}
