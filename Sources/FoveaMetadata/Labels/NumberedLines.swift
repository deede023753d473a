// SPDX-License-Identifier: Apache-2.0

/// Lines that each begin with their own number, as Teachable Machine writes them: `0 tshirt`, `1 trousers`.
enum NumberedLines {
  /// The lines without their numbers.
  ///
  /// They lose them only if all have one, counted from 0 or from 1 in their order, with a text behind it, and if no two
  /// texts are equal then: `1 euro`, `2 euro` are names. Between number and text stand blanks or a tab, a colon or a
  /// comma, with blanks around them.
  ///
  /// **Source:** Teachable Machine's export for TensorFlow Lite, `labels.txt`.
  /// - Parameter lines: The labels as a file has them.
  /// - Returns: As many lines; the same where one breaks the rule.
  static func stripped(_ lines: [String]) -> [String] {
    guard let first = lines.first.flatMap(parts), first.number <= 1 else { return lines }
    var texts: [String] = []
    texts.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      guard let (number, text) = parts(line), number == first.number + index else { return lines }
      texts.append(text)
    }
    return Set(texts).count == texts.count ? texts : lines
  }

  /// The number that a line begins with, and the text behind it; nil where one of them is missing.
  private static func parts(_ line: String) -> (number: Int, text: String)? {
    let bytes = line.utf8
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count), let number = Int(String(digits) ?? "") else { return nil }
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = bytes[digits.endIndex...]
    let blanks = rest.prefix(while: isBlank)
    rest = rest[blanks.endIndex...]
    if rest.first == UInt8(ascii: ":") || rest.first == UInt8(ascii: ",") {
      rest = rest.dropFirst()
      rest = rest[rest.prefix(while: isBlank).endIndex...]
    } else if blanks.isEmpty {
      return nil
    }
    guard !rest.isEmpty, let text = String(rest) else { return nil }
    return (number, text)
  }
}
