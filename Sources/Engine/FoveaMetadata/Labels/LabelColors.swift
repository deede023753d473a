// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The colours next to labels, in files for segmentation.
///
/// Lines in quotes have none. All lines together decide whether numbers behind labels are colours: those of
/// `tile 10 20 5` are sizes, which belong to the label.
///
/// **Source:** `labelmap.txt` as CVAT exports it in the form of Pascal VOC, `cat:128,0,0::`;
/// `label_colors.txt` of CamVid, `64 128 64 Animal`; tables of ADE20K, `1,120,120,120,wall`.
enum LabelColors {
  /// Returns the readings of a file in which each line has a label and its colour, without the colours.
  /// - Returns: nil if a line has another form, or the labels without the numbers would not differ.
  /// - Throws: `badLabels` for colours in columns whose meaning is open, or next to only some labels.
  static func readings(_ lines: [LabelLine], source: String) throws(MetadataError) -> [LabelReading]? {
    let content = lines.filter { !$0.text.isEmpty && !$0.isComment }
    let rest = content.filter { !$0.beginsAsComment }
    let forms = (rest.count < content.count ? [content] : []) + [rest, Array(rest.dropFirst())]
    for rows in forms
    where rows.count > 1 || rows.first.map({ isColorBefore($0.text) }) == true {
      guard let found = try labels(rows, source: source) else { continue }
      if rows.count < rest.count, !rest[0].mayBeColorHeader {
        // Without a line that has a colour too, the labels may only seem to differ.
        guard ColorRow(rest[0].text)?.color == nil else { continue }
        throw colorless(rest[0], source: source)
      }
      var readings =
        switch found {
        case .numbered(let labels): labels.readings(.numberedLines)
        case .inOrder(let labels): LineReadings(among(lines, labels)).readings
        }
      if case .inOrder(let labels) = found, let error = UnreadNumbers.error(labels, source: source) {
        throw error
      }
      for index in readings.indices { readings[index].remarks.append(remark) }
      return readings
    }
    if let error = error(amongFew: rest, source: source) { throw error }
    return nil
  }

  /// Returns whether a line, which may be the only one, begins with what is hardly part of a label.
  private static func isColorBefore(_ line: String) -> Bool {
    guard let row = ColorRow(line), row.head.count > 2, let color = row.color else { return false }
    return isOfShades(color)
  }

  /// Returns the error for a line without a colour among lines of which most have one, or for colours with
  /// fractions; nil for others.
  private static func error(amongFew lines: [LabelLine], source: String) -> MetadataError? {
    if lines.count > 1, let words = all(lines, { ColorRow.fractions($0.text) })?.flatMap(\.self),
      words.contains(where: { $0.utf8.contains(UInt8(ascii: ".")) }),
      let greatest = words.compactMap({ Double($0) }).max(), greatest <= 1 || greatest >= Double(leastShade)
    {
      return open(lines[0], source: source)
    }
    guard lines.count > 2 else { return nil }
    let rows = lines.map { ColorRow($0.text) }
    let colored = rows.compactMap { $0?.color == nil ? nil : $0 }
    let names = colored.map { $0.head.count > 2 ? $0.text : $0.label }
    guard colored.count * 2 > lines.count, isOfShades(colored.compactMap(\.color).flatMap(\.self)) else {
      return nil
    }
    guard let place = rows.firstIndex(where: { $0?.color == nil }) else {
      return colored.allSatisfy { $0.head.count > 2 } ? twins(lines, names, source: source) : nil
    }
    guard LabelLine.areNames(names) else { return nil }
    return rows[place] == nil ? colorless(lines[place], source: source) : open(lines[place], source: source)
  }

  /// Returns the error for one label behind two colours, if not all have it; nil if all differ.
  private static func twins(_ lines: [LabelLine], _ names: [String], source: String) -> MetadataError? {
    guard Set(names).count > 1 else { return nil }
    var known: [String: Int] = [:]
    for (line, name) in zip(lines, names) {
      guard let other = known.updateValue(line.number, forKey: name) else { continue }
      return MetadataError(
        .badLabels,
        "\(source) has the label '\(String(name.prefix(40)).printable)' behind two colours, in lines"
          + " \(other) and \(line.number)",
        remedy: "Give each class another label, or remove the colours")
    }
    return nil
  }

  /// Returns whether numbers are those of colours, and not sizes: some is zero, which no size is.
  static func isOfShades(_ numbers: [Int]) -> Bool {
    numbers.contains(0) && numbers.contains { $0 >= leastShade }
  }

  /// The remark on labels without their colours.
  static let remark = "without the colours of the labels"

  /// Returns the lines without the colours in the notations of ``ColorNotation``, which all of them have:
  /// `#800000 cat`, `0: cat rgb(128, 0, 0)`.
  /// - Returns: nil if few lines have one, or the labels would not differ without them.
  /// - Throws: `badLabels` for a line without a colour among lines that have one, and for other columns.
  static func withoutNotations(
    _ lines: [LabelLine], source: String
  ) throws(MetadataError) -> [LabelLine]? {
    let found = lines.map { ColorNotation(in: $0.text) }
    guard found.contains(where: { $0?.isCertain == true }) else { return nil }
    var places = lines.indices.filter {
      !lines[$0].text.isEmpty && !lines[$0].isComment && (found[$0] != nil || !lines[$0].beginsAsComment)
    }
    if let first = places.first, found[first] == nil, lines[first].mayBeColorHeader { places.removeFirst() }
    guard places.count(where: { found[$0] != nil }) * 2 > places.count else { return nil }
    var result = lines
    for place in places {
      guard let color = found[place] else { throw colorless(lines[place], source: source) }
      guard let text = color.label else { throw open(lines[place], source: source, "colours") }
      result[place].text = text
    }
    let labels = places.map { result[$0].text }
    if labels.allSatisfy(\.isEmpty) || !LabelLine.areNames(labels) { return nil }
    if let place = places.first(where: { result[$0].text.isEmpty }) {
      throw open(lines[place], source: source, "colours")
    }
    let kept = Set(places)
    return lines.indices.filter { kept.contains($0) || lines[$0].text.isEmpty }.map { result[$0] }
  }

  /// Labels without their colours.
  private enum Found {
    case numbered(NumberedLabels)
    case inOrder([LabelLine])
  }

  /// Returns the blank lines of a file and its labels, in quotes, which no reader takes for a number.
  private static func among(_ lines: [LabelLine], _ labels: [LabelLine]) -> [LabelLine] {
    let texts = Dictionary(uniqueKeysWithValues: labels.map { ($0.number, LabelLines.quoted($0.text)) })
    return lines.compactMap { line in
      line.text.isEmpty ? line : texts[line.number].map { LabelLine(number: line.number, text: $0) }
    }
  }

  private static func labels(_ lines: [LabelLine], source: String) throws(MetadataError) -> Found? {
    if let names = all(lines, { withColons($0.text) }), names.contains(where: { $0.first?.isLetter == true })
    {
      // Of `cat::id:2`, the parts and actions would hide the numbers.
      let isPlain = lines.allSatisfy { $0.text.drop { $0 != ":" }.hasPrefix("::") }
      if isPlain, let error = UnreadNumbers.error(lines, source: source) { throw error }
      return found(lines, names)
    }
    guard let rows = ColorRow.rows(lines.map(\.text)), let count = rows.first?.head.count else {
      return nil
    }
    if count > 2 {
      // `1-2-3 block` is a label.
      if rows.contains(where: \.isLoose), rows.allSatisfy({ ($0.head.max() ?? 0) < leastShade }) {
        return nil
      }
      // Numbers behind the label may be anything if there are some before it.
      let isOpen = rows.allSatisfy { $0.endsInColumn }
      let names = rows.map { LabelLine.unquoted($0.text) }
      return try found(
        lines, names, rows.map(\.head), isOpen: isOpen, isNumbered: rows.allSatisfy(\.isNumbered),
        isTogether: !rows.contains(where: \.isLoose), source: source)
    }
    let least = rows.map(\.tail.count).min() ?? 0
    guard least > 2 else { return nil }
    let names = rows.map { LabelLine.unquoted($0.label) }
    let isTable = rows.allSatisfy { $0.isTable && $0.tail.count == least }
    let isOpaque = least == 4 && rows.count > 1 && Set(rows.compactMap(\.tail.last)).count == 1
    if !isTable, count < 2, least == 3 || isOpaque, rows.allSatisfy({ $0.tail.count == least }) {
      let shades = rows.flatMap { $0.tail.prefix(3) }
      if (shades.max() ?? 0) < leastShade {
        // Sizes belong to their labels, also behind a sign: `0: tile 10 20 5`.
        if rows.contains(where: { $0.isNumbered || $0.hasLooseTail }) { return nil }
      } else if isOfShades(shades) {
        return try found(
          lines, names, rows.map { $0.head + $0.tail }, isOpen: false,
          isNumbered: rows.allSatisfy(\.isNumbered), isTogether: count == 0, source: source)
      } else if count == 0 {
        return try found(lines, names, rows.map(\.tail), isOpen: true, source: source)
      }
    }
    // `tile 10 20 5` is a label, but `tile 0 10 20 5`, `brick 1 20 30 5` and `tile 0 0 0`, `brick 1 1 1` may
    // have class numbers.
    if count == 0, rows.allSatisfy(\.isSpaced) {
      let numbers = rows.compactMap { least > 3 ? $0.tail.suffix(4).first : $0.tail.last }
      guard isCounting(numbers) else { return nil }
    }
    let columns = rows.map { isTable ? $0.head + $0.tail : Array($0.tail.suffix(3)) }
    return try found(
      lines, names, columns, isOpen: !isTable || count == 2, isTogether: count == 0,
      source: source)
  }

  /// Returns the labels next to columns of numbers; nil if no columns are colours.
  ///
  /// It is an error if the numbers may be colours and others, or if they may be anything (`isOpen`). The
  /// first numbers may be known to be those of classes (`isNumbered`). All numbers are before the label, or
  /// behind it, if `isTogether`.
  private static func found(
    _ lines: [LabelLine], _ names: [String], _ rows: [[Int]], isOpen: Bool, isNumbered: Bool = false,
    isTogether: Bool = true, source: String
  ) throws(MetadataError) -> Found? {
    let columns = (rows.first ?? []).indices.map { place in rows.map { $0[place] } }
    let areShades = columns.map { $0.allSatisfy { $0 <= 255 } }
    func isColor(at place: Int) -> Bool {
      place + 3 <= columns.count && areShades[place..<place + 3].allSatisfy(\.self)
    }
    guard LabelLine.areNames(names), !names.contains(""), columns.indices.contains(where: isColor)
    else { return nil }
    if !isOpen {
      if columns.count == 3, !columns.contains(where: isShuffled) { return found(lines, names) }
      // The class numbers are before the colours, or behind them.
      let place =
        columns.count > 3 && isColor(at: 1) && (isNumbered || isCounting(columns[0]))
        ? 0 : columns.count > 3 && isColor(at: 0) && isCounting(columns.last ?? []) ? columns.count - 1 : nil
      if let place, isTable(columns, besides: place) {
        let entries = lines.indices.map {
          NumberedLabels.Entry(number: columns[place][$0], text: names[$0], line: lines[$0].number)
        }
        return NumberedLabels(entries).map { .numbered($0) }
      }
      // Of `7,cat,128,0,0`, the first number is not a shade.
      let isOpaque =
        !isNumbered && isTogether && columns.count == 4 && isColor(at: 0) && Set(columns[3]).count == 1
      if isOpaque, !columns.contains(where: isShuffled) { return found(lines, names) }
    }
    throw open(lines[0], source: source)
  }

  /// The least of the greatest numbers of a table of colours; smaller ones are sizes, as in `tile 10 20 5`.
  private static let leastShade = 64

  /// Returns the error for a line whose columns may be anything: `what` are the columns besides the label.
  static func open(
    _ line: LabelLine, source: String, _ what: String = "numbers"
  ) -> MetadataError {
    MetadataError(
      .badLabels,
      "\(source) looks like a table of colours: line \(line.number) is"
        + " '\(String(line.text.prefix(40)).printable)'",
      remedy: "Give the names without the \(what), one per line, or in quotes if the \(what) belong to them")
  }

  private static func colorless(_ line: LabelLine, source: String) -> MetadataError {
    MetadataError(
      .badLabels,
      "\(source) has a colour next to other labels, but none in line \(line.number):"
        + " '\(String(line.text.prefix(40)).printable)'",
      remedy: "Write a colour in this line too, or remove the colours, or the line if it is a header")
  }

  /// Returns whether columns have a class number and a colour, and nothing else but an equal alpha, or the
  /// alpha and the two switches of ITK-SNAP's label descriptions behind the colour.
  private static func isTable(_ columns: [[Int]], besides place: Int) -> Bool {
    switch columns.count {
    case 4: true
    case 5: Set(columns[place == 0 ? 4 : 3]).count == 1
    case 7: place == 0 && columns[4...].joined().allSatisfy { $0 <= 1 }
    default: false
    }
  }

  private static func found(_ lines: [LabelLine], _ names: [String]) -> Found? {
    guard LabelLine.areNames(names) else { return nil }
    return .inOrder(zip(lines, names).map { LabelLine(number: $0.number, text: $1) })
  }

  /// Returns whether numbers are 0, 1, 2, … or 1, 2, 3, … in this order.
  private static func isCounting(_ numbers: [Int]) -> Bool {
    guard let first = numbers.first, first <= 1 else { return false }
    return numbers == Array(first..<first + numbers.count)
  }

  /// Returns whether numbers may be those of classes in another order than the lines.
  private static func isShuffled(_ numbers: [Int]) -> Bool {
    let labels = NumberedLabels(numbers.map { .init(number: $0, text: "") })
    return numbers.count > 2 && labels?.isWhole == true && labels?.isSorted == false
  }

  /// Returns the results for all lines; nil if one has none.
  private static func all<T>(_ lines: [LabelLine], _ read: (LabelLine) -> T?) -> [T]? {
    var results: [T] = []
    for line in lines {
      guard let result = read(line) else { return nil }
      results.append(result)
    }
    return results
  }

  /// Returns the label of `label:r,g,b:parts:actions`, or of `label::parts:actions`, which has no colour.
  private static func withColons(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, !LabelLine.isQuoted(text) else { return nil }
    if parts[1].isEmpty { return LabelLine.trimmed(parts[0]) }
    let color = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    guard color.count == 3, color.allSatisfy({ UInt8($0) != nil && $0.first?.isNumber == true }) else {
      return nil
    }
    return LabelLine.trimmed(parts[0])
  }
}
