// SPDX-License-Identifier: Apache-2.0

/// Lines that start with the class number: `0 tshirt`, `1: trousers`, `16) cat`, `[16] cat`, `016  cat`.
///
/// **Source:** Teachable Machine's export for TensorFlow Lite, `labels.txt`; `coco_labels.txt` of Coral's
/// models.
enum NumberedLines {
  /// Returns the labels by number.
  ///
  /// All lines must have a unique number and a string after it, and nearly all strings must be unique: `1
  /// euro`, `2 euro` are names. Number and text are separated by spaces or tabs, or by a sign such as a colon
  /// with optional spaces.
  /// - Parameter lines: The lines with their line numbers, without blank ones.
  /// - Returns: nil if a line breaks this rule.
  static func labels(_ lines: [LabelLine]) -> NumberedLabels? {
    var entries: [NumberedLabels.Entry] = []
    entries.reserveCapacity(lines.count)
    for line in lines {
      guard let (number, text) = parts(line.text) else { return nil }
      entries.append(.init(number: number, text: text, line: line.number))
    }
    let whole = LabelLine.withoutCommas(entries.map(\.text))
    for index in entries.indices where whole[index] != entries[index].text {
      entries[index].text = LabelLine.unquoted(whole[index])
    }
    guard LabelLine.areNames(entries.map(\.text).filter { $0 != LabelReading.placeholder }) else {
      return nil
    }
    return NumberedLabels(entries)
  }

  /// Returns the first number shared by two lines, and their indices; nil if a line has no number, or many
  /// share theirs.
  static func twin(among lines: [String]) -> (number: Int, first: Int, second: Int)? {
    var places: [Int: Int] = [:]
    var twin: (number: Int, first: Int, second: Int)?
    for (place, line) in lines.enumerated() where !line.isEmpty {
      guard let (number, _) = parts(line) else { return nil }
      if let other = places[number] {
        twin = twin ?? (number: number, first: other, second: place)
      } else {
        places[number] = place
      }
    }
    return places.count * 10 >= lines.count * 9 ? twin : nil
  }

  /// Returns whether a line has a number before its text.
  static func isNumbered(_ line: String) -> Bool { parts(line) != nil }

  /// The signs that may follow a number directly.
  private static let signs = Set(":,;)|=".utf8)
  /// The signs that need a space after them: `1.5 litres` and `2-door` are names.
  private static let looseSigns = Set(".-".utf8)

  /// Returns the number at the start of a line and the text after it; nil if either is missing.
  private static func parts(_ line: String) -> (number: Int, text: String)? {
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
    guard let sign = rest.first else { return nil }
    let behind = rest.dropFirst()
    if signs.contains(sign) || looseSigns.contains(sign) && behind.first.map(isBlank) == true {
      rest = behind[behind.prefix(while: isBlank).endIndex...]
    } else if blanks.isEmpty, !isBracketed {
      return nil
    }
    guard !rest.isEmpty, let text = String(rest) else { return nil }
    return (number, LabelLine.unquoted(text))
  }
}
