// SPDX-License-Identifier: Apache-2.0

/// Lines that start with the class number: `0 tshirt`, `1: trousers`, `16) cat`, `[16] cat`, `016  cat`,
/// `16 => cat`, `"16": "cat"`, `id=16 name=cat`, `0x10 cat`; or end with it: `cat 16`.
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
    var entries = entries(lines, parts)
    guard !entries.isEmpty else { return nil }
    // Of `+`, `-`, `*`, the dash is a label.
    if entries.allSatisfy({ $0.text.contains(where: \.isLetter) || isDash($0.text) || $0.text.isEmpty }) {
      for index in entries.indices where isDash(entries[index].text) {
        entries[index].text = LabelReading.placeholder
      }
    }
    if entries.allSatisfy(\.isLocant) { return nil }
    let nameless = entries.count { $0.text.isEmpty }
    guard nameless == 0 || isList(entries, nameless: nameless),
      LabelLine.areNames(entries.map(\.text).filter { $0 != LabelReading.placeholder }),
      let labels = NumberedLabels(entries)
    else { return nil }
    return nameless == 0 || labels.isNumbering ? labels : nil
  }

  /// Returns whether a text is in place of a label.
  private static func isDash(_ text: String) -> Bool { ["-", "–", "—"].contains(text) }

  /// Returns whether lines number classes although some of them have no text.
  ///
  /// `0`, `1`, `2 or more` are names: unless signs separate the texts from their numbers, there must be more
  /// texts than lines without one, and each must begin with another word.
  private static func isList(_ entries: [NumberedLabels.Entry], nameless: Int) -> Bool {
    let named = entries.filter { !$0.text.isEmpty }
    if named.count > max(2, nameless) { return true }
    guard !named.isEmpty, named.allSatisfy({ $0.text.first?.isLetter == true }),
      let labels = NumberedLabels(entries), labels.isWhole,
      labels.isSorted || named.allSatisfy(\.isMarked)
    else { return false }
    let words = Set(named.map { $0.text.prefix { !$0.isWhitespace }.lowercased() })
    return entries.allSatisfy(\.isMarked)
      || named.count >= nameless
        && (named.allSatisfy(\.isMarked) || named.count > 1 && words.count == named.count)
  }

  /// Returns two lines with one number among lines that otherwise number classes; nil if there are none, or
  /// if the numbers may belong to the labels.
  static func twins(_ lines: [LabelLine]) -> (first: NumberedLabels.Entry, second: NumberedLabels.Entry)? {
    if let twins = NumberedLabels.twins(entries(lines, parts)) { return twins }
    let ends = entries(lines, endParts)
    // `opus 1` and `sonata 1` are names.
    let isLong = ends.count >= 10 && ends.contains { $0.number != ends[0].number }
    let startsAtZero =
      ends.count > 2 && ends.contains { $0.number == 0 } && LabelLine.areNames(ends.map(\.text))
    return isLong || startsAtZero || ends.allSatisfy(\.isMarked) ? NumberedLabels.twins(ends) : nil
  }

  /// Returns the numbers and texts of lines; empty if a line has none.
  private static func entries(
    _ lines: [LabelLine], _ parts: (String) -> Parts?
  ) -> [NumberedLabels.Entry] {
    var entries: [NumberedLabels.Entry] = []
    for line in lines {
      guard let parts = parts(line.text) else { return [] }
      entries.append(
        .init(
          number: parts.number, text: parts.text, line: line.number, isMarked: parts.isMarked,
          isHexadecimal: parts.isHexadecimal, isColumn: parts.isColumn,
          isLocant: parts.isLocant))
    }
    return entries
  }

  /// Returns whether a line has a number before its text.
  static func isNumbered(_ line: String) -> Bool { parts(line)?.text.isEmpty == false }

  /// Returns the number at the start of a line, such as `16 => cat`, and the text behind the sign that marks
  /// it; nil for a line without them, and if the text is in quotes.
  static func numberBeforeSign(_ line: String) -> (number: Int, text: String)? {
    guard let parts = parts(line), parts.isMarked,
      line.utf8.suffix(parts.text.utf8.count).elementsEqual(parts.text.utf8)
    else { return nil }
    return (parts.number, parts.text)
  }

  /// Returns whether a line has a hexadecimal number before its text: `0xf cat`.
  static func isHexadecimal(_ line: String) -> Bool {
    guard let parts = parts(line) else { return false }
    return parts.isHexadecimal && !parts.text.isEmpty
  }

  /// Returns the labels of lines that end with their class number, such as `cat 16`, `cat=16` and `cat (16)`.
  ///
  /// `boeing 737` and `limit 30` are names: the numbers of three lines or more must be those of classes, and
  /// of 20 or more, they may leave out fewer than half. Those of two lines must follow ids.
  /// - Returns: nil if the numbers may belong to the names.
  static func endLabels(_ lines: [LabelLine]) -> NumberedLabels? {
    let entries = entries(lines, endParts)
    guard entries.count > 2 || entries.count == 2 && entries.allSatisfy({ PublicIDs.isWhole($0.text) }),
      LabelLine.areNames(entries.map(\.text)),
      entries.contains(where: { $0.text.contains(where: \.isLetter) }), !entries.allSatisfy(isRange),
      let labels = NumberedLabels(entries)
    else { return nil }
    return labels.isWhole || labels.isDense && entries.count >= 20 ? labels : nil
  }

  /// Returns whether the number of an entry ends a range: `age 0 - 2`.
  private static func isRange(_ entry: NumberedLabels.Entry) -> Bool {
    let start = entry.text.split(separator: " ").last.flatMap { Int($0) }
    return entry.isMarked && start.map { $0 < entry.number } == true
  }

  /// The signs that may follow a number directly, those that begin with another one before it.
  private static let signs = ["=>", "->", ":=", "::", "→", "⇒", ":", ",", ";", ")", "|", "="]
    .map { Array($0.unicodeScalars) }
  /// The signs between a number in quotes, or at the end, and its label; commas separate the columns of a
  /// table.
  private static let mapSigns = ["=>", "->", ":=", "::", "→", "⇒", ":", "="].map { Array($0.unicodeScalars) }
  /// The signs that need a space after them, and before them behind a label: `1.5 litres`, `2-door` and `3–9`
  /// are names.
  private static let looseSigns = [".", "-", "–", "—"].map { Array($0.unicodeScalars) }
  /// The brackets and quotes around a number.
  private static let enclosures: [Unicode.Scalar: Unicode.Scalar] = [
    "[": "]", "(": ")", "\"": "\"", "'": "'",
  ]

  /// A line with a number at its start or end.
  private struct Parts {
    var number: Int
    /// The text before or after the number; empty if there is none.
    var text: String
    /// Whether the number is certainly not a part of the text: a sign, a tab or several spaces separate it,
    /// or it has zeros before it.
    var isMarked: Bool
    /// The number is written as `0xf`.
    var isHexadecimal = false
    /// A comma, a semicolon or a tab separates the number from a text that begins with a letter, or a dash.
    var isColumn = false
    /// The text may continue the number, as in `1,4-dioxane`.
    var isLocant = false
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Returns the number at the start of a line and the text after it; nil for a line without a number.
  private static func parts(_ line: String) -> Parts? {
    if let parts = keyedParts(line) { return parts }
    var rest = line.unicodeScalars[...]
    let closing = rest.first.flatMap { enclosures[$0] }
    if closing != nil { rest = rest.dropFirst() }
    let isHexadecimal = rest.starts(with: ["0", "x"]) || rest.starts(with: ["0", "X"])
    let digits =
      isHexadecimal
      ? rest.prefix(18).prefix { $0.properties.isASCIIHexDigit || $0 == "x" || $0 == "X" }
      : rest.prefix(10).prefix(while: isDigit)
    let isNumber = isHexadecimal || (1...9).contains(digits.count)
    guard isNumber, let number = LabelColumns.whole(String(digits)) else { return nil }
    rest = rest[digits.endIndex...]
    if let closing {
      guard rest.first == closing else { return nil }
      rest = rest.dropFirst()
    }
    let isQuoted = closing == "\"" || closing == "'"
    let blanks = rest.prefix(while: LabelLine.isBlank)
    rest = rest[blanks.endIndex...]
    var isMarked = closing != nil || blanks.count > 1 || blanks.first == "\t"
    let isSeparated = rest.first == "," || rest.first == ";" || blanks.contains("\t")
    if let behind = behindSign(rest, isQuoted: isQuoted) {
      isMarked = true
      rest = behind.drop(while: LabelLine.isBlank)
    } else if isQuoted || blanks.isEmpty && closing == nil && !rest.isEmpty {
      return nil
    }
    if digits.count > 1, digits.first == "0" { isMarked = true }
    let text = LabelLine.unquoted(String(rest))
    return Parts(
      number: number, text: text, isMarked: isMarked, isHexadecimal: isHexadecimal,
      isColumn: isSeparated && (text.first?.isLetter == true || isDash(text)),
      isLocant: number > 0 && isLocant(line.unicodeScalars[digits.endIndex...]))
  }

  /// Returns whether the text after a number continues it as those of chemical names do: `,4-dioxane`.
  ///
  /// **Source:** IUPAC, Nomenclature of Organic Chemistry 2013, P-14.3 and P-16.3.2: locants, from 1, between
  /// commas, and a hyphen.
  private static func isLocant(_ text: Substring.UnicodeScalarView) -> Bool {
    guard text.first == "," else { return false }
    let locants = text.dropFirst().prefix { isDigit($0) || $0 == "," || $0 == "'" }
    return locants.first.map(isDigit) == true && text[locants.endIndex...].first == "-"
  }

  /// Returns the text after the sign at its start; nil if there is none.
  private static func behindSign(
    _ text: Substring.UnicodeScalarView, isQuoted: Bool
  ) -> Substring.UnicodeScalarView? {
    if let sign = (isQuoted ? mapSigns : signs).first(where: { text.starts(with: $0) }) {
      return text.dropFirst(sign.count)
    }
    guard !isQuoted, let sign = looseSigns.first(where: { text.starts(with: $0) }) else { return nil }
    let behind = text.dropFirst(sign.count)
    return behind.first.map(LabelLine.isBlank) == false ? nil : behind
  }

  /// Returns the number at the end of a line and the text before it; nil for a line without a number.
  private static func endParts(_ line: String) -> Parts? {
    var head = line.unicodeScalars[...]
    let closing = head.last.flatMap { $0 == ")" || $0 == "]" ? $0 : nil }
    if closing != nil { head = head.dropLast() }
    let digits = String(
      String.UnicodeScalarView(head.reversed().prefix(10).prefix(while: isDigit).reversed()))
    head = head.dropLast(digits.utf8.count)
    guard (1...9).contains(digits.utf8.count), let number = Int(digits) else { return nil }
    if let closing {
      guard head.last == (closing == ")" ? "(" : "[") else { return nil }
      head = head.dropLast()
    }
    let body = head
    head = withoutBlanks(head)
    var isMarked = closing != nil
    // Of `limit, 30`, the number belongs to the label.
    let isColumn =
      (closing != nil || head.endIndex == body.endIndex) && (head.last == "," || head.last == ";")
    if isColumn { head = withoutBlanks(head.dropLast()) }
    let isEnd: ([Unicode.Scalar]) -> Bool = { head.reversed().starts(with: $0.reversed()) }
    if let sign = mapSigns.first(where: isEnd) {
      isMarked = true
      head = withoutBlanks(head.dropLast(sign.count))
    } else if head.endIndex < body.endIndex, let sign = looseSigns.first(where: isEnd),
      head.dropLast(sign.count).last.map(LabelLine.isBlank) == true
    {
      isMarked = true
      head = withoutBlanks(head.dropLast(sign.count))
    }
    let text = LabelLine.unquoted(String(head))
    guard isMarked || isColumn || head.endIndex < body.endIndex,
      head.contains(where: \.properties.isAlphabetic) || !head.isEmpty && BackgroundName.isFiller(text)
    else { return nil }
    return Parts(number: number, text: text, isMarked: isMarked)
  }

  private static func withoutBlanks(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
    var text = text
    while text.last.map(LabelLine.isBlank) == true { text = text.dropLast() }
    return text
  }

  /// Returns the number and the name of `id=16 name=cat` or `name: cat, id: 16`; nil for other lines.
  private static func keyedParts(_ line: String) -> Parts? {
    // No such line is longer, and a damaged file may have a line of megabytes.
    guard line.utf8.count <= 1024, line.unicodeScalars.first?.properties.isAlphabetic == true else {
      return nil
    }
    let scalars = line.unicodeScalars[...]
    let isSign: (Unicode.Scalar) -> Bool = { $0 == "=" || $0 == ":" }
    guard let first = scalars.firstIndex(where: isSign), let last = scalars.lastIndex(where: isSign),
      first < last
    else { return nil }
    let isEdge: (Unicode.Scalar) -> Bool = { LabelLine.isBlank($0) || $0 == "," || $0 == ";" }
    let key = LabelLine.letters(String(scalars[..<first]))
    let rest = scalars[scalars.index(after: first)...].drop(while: LabelLine.isBlank)
    if LabelTable.numberColumns.contains(key) {
      let digits = rest.prefix(10).prefix(while: isDigit)
      let behind = rest[digits.endIndex...]
      let second = behind.drop(while: isEdge)
      guard digits.count < 10, let number = Int(String(digits)), second.startIndex > behind.startIndex,
        let sign = second.firstIndex(where: isSign),
        LabelTable.nameColumns.contains(LabelLine.letters(String(second[..<sign])))
      else { return nil }
      let text = second[second.index(after: sign)...].drop(while: LabelLine.isBlank)
      return Parts(number: number, text: LabelLine.unquoted(String(text)), isMarked: true)
    }
    guard LabelTable.nameColumns.contains(key), rest.startIndex < last else { return nil }
    let digits = scalars[scalars.index(after: last)...].drop(while: LabelLine.isBlank)
    let head = withoutBlanks(rest[..<last])
    let word = head.reversed().prefix { !isEdge($0) }
    guard (1...9).contains(digits.count), digits.allSatisfy(isDigit), let number = Int(String(digits)),
      LabelTable.numberColumns.contains(
        LabelLine.letters(String(String.UnicodeScalarView(word.reversed()))))
    else { return nil }
    var text = head.dropLast(word.count)
    guard text.last.map(isEdge) == true else { return nil }
    while text.last.map(isEdge) == true { text = text.dropLast() }
    return Parts(number: number, text: LabelLine.unquoted(String(text)), isMarked: true)
  }
}
