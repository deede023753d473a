// SPDX-License-Identifier: Apache-2.0

/// Lines that each begin with the number of their class: `0 tshirt`, `1: trousers`, `16) cat`, `[16] cat`, `016  cat`.
///
/// **Source:** Teachable Machine's export for TensorFlow Lite, `labels.txt`; `coco_labels.txt` of Coral's models.
enum NumberedLines {
  /// The labels by their numbers.
  ///
  /// All lines have a number, no two the same, and a text behind it, and hardly two texts are equal then: `1 euro`, `2 euro`
  /// are names. Between number and text stand blanks or tabs, or a sign such as a colon with blanks around it.
  /// - Parameter lines: The lines with their places in the file, without blank ones.
  /// - Returns: nil where a line breaks the rule.
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

  /// The first number that two lines have, and their places; nil if a line has no number, or many lines share theirs.
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

  /// Whether a line has a number before its text.
  static func isNumbered(_ line: String) -> Bool { parts(line) != nil }

  /// Signs that may follow a number at once.
  private static let signs = Set(":,;)|=".utf8)
  /// Signs that need a blank behind them: `1.5 litres` and `2-door` are names.
  private static let looseSigns = Set(".-".utf8)

  /// The number that a line begins with, and the text behind it; nil where one of them is missing.
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
