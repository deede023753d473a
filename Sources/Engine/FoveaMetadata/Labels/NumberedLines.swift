// SPDX-License-Identifier: Apache-2.0

/// Lines that start with the class number: `0 tshirt`, `1: trousers`, `16) cat`, `[16] cat`, `016  cat`,
/// `16 => cat`.
///
/// **Source:** Teachable Machine's export for TensorFlow Lite, `labels.txt`; `coco_labels.txt` of Coral's
/// models.
enum NumberedLines {
  /// Returns the labels by number.
  ///
  /// All lines must have a unique number and a string after it, and nearly all strings must be unique: `1
  /// euro`, `2 euro` are names. Number and text are separated by spaces or tabs, or by a sign such as a colon
  /// with optional spaces. Among several labels, some of the lines may have only a number.
  /// - Parameter lines: The lines with their line numbers, without blank ones.
  /// - Returns: nil if a line breaks this rule.
  static func labels(_ lines: [LabelLine]) -> NumberedLabels? {
    var entries: [NumberedLabels.Entry] = []
    entries.reserveCapacity(lines.count)
    for line in lines {
      guard let parts = parts(line.text) else { return nil }
      entries.append(
        .init(number: parts.number, text: parts.text, line: line.number, isMarked: parts.isMarked))
    }
    let whole = LabelLine.withoutCommas(entries.map(\.text))
    for index in entries.indices where whole[index] != entries[index].text {
      entries[index].text = LabelLine.unquoted(whole[index])
    }
    let nameless = entries.count { $0.text.isEmpty }
    let isList = nameless == 0 || entries.count - nameless > max(2, nameless)
    guard isList, LabelLine.areNames(entries.map(\.text).filter { $0 != LabelReading.placeholder }),
      let labels = NumberedLabels(entries)
    else { return nil }
    return nameless == 0 || labels.isNumbering ? labels : nil
  }

  /// Returns the first number shared by two lines, and their indices; nil if a line has no number, or many
  /// share theirs.
  static func twin(among lines: [String]) -> (number: Int, first: Int, second: Int)? {
    var places: [Int: Int] = [:]
    var twin: (number: Int, first: Int, second: Int)?
    for (place, line) in lines.enumerated() where !line.isEmpty {
      guard let number = parts(line)?.number, isNumbered(line) else { return nil }
      if let other = places[number] {
        twin = twin ?? (number: number, first: other, second: place)
      } else {
        places[number] = place
      }
    }
    return places.count * 10 >= lines.count * 9 ? twin : nil
  }

  /// Returns whether a line has a number before its text.
  static func isNumbered(_ line: String) -> Bool { parts(line)?.text.isEmpty == false }

  /// The signs that may follow a number directly, those that begin with another one before it.
  private static let signs = ["=>", "->", ":=", "::", "→", "⇒", ":", ",", ";", ")", "|", "="]
    .map { Array($0.utf8) }
  /// The signs that need a space after them: `1.5 litres`, `2-door` and `3–9` are names.
  private static let looseSigns = [".", "-", "–", "—"].map { Array($0.utf8) }

  /// A line with a number at its start.
  private struct Parts {
    var number: Int
    /// The text after the number; empty if there is none.
    var text: String
    /// Whether the number is certainly not a part of the text: a sign, a tab or several spaces follow it, or
    /// it has zeros before it.
    var isMarked: Bool
  }

  /// Returns the number at the start of a line and the text after it; nil for a line without a number.
  private static func parts(_ line: String) -> Parts? {
    var bytes = line.utf8[...]
    let isBracketed = bytes.first == UInt8(ascii: "[")
    if isBracketed { bytes = bytes.dropFirst() }
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count), let number = Int(String(digits) ?? "") else { return nil }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = bytes[digits.endIndex...]
    if isBracketed {
      guard rest.first == UInt8(ascii: "]") else { return nil }
      rest = rest.dropFirst()
    }
    let blanks = rest.prefix(while: isBlank)
    rest = rest[blanks.endIndex...]
    var isMarked = isBracketed || blanks.count > 1 || blanks.first == UInt8(ascii: "\t")
    if let behind = behindSign(rest, isBlank) {
      isMarked = true
      rest = behind[behind.prefix(while: isBlank).endIndex...]
    } else if blanks.isEmpty, !isBracketed, !rest.isEmpty {
      return nil
    }
    if digits.count > 1, digits.first == UInt8(ascii: "0") { isMarked = true }
    guard let text = String(rest) else { return nil }
    return Parts(number: number, text: LabelLine.unquoted(text), isMarked: isMarked)
  }

  /// Returns the text after the sign at its start; nil if there is none.
  private static func behindSign(
    _ text: Substring.UTF8View, _ isBlank: (UInt8) -> Bool
  ) -> Substring.UTF8View? {
    if let sign = signs.first(where: { text.starts(with: $0) }) { return text.dropFirst(sign.count) }
    guard let sign = looseSigns.first(where: { text.starts(with: $0) }) else { return nil }
    let behind = text.dropFirst(sign.count)
    return behind.first.map(isBlank) == false ? nil : behind
  }
}
