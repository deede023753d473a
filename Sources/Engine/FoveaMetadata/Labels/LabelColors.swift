// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The colours next to labels, in files for segmentation.
///
/// Lines in quotes have none. Numbers behind a label are colours only in columns of their own: those of
/// `tile 10 20 5` belong to the label.
///
/// **Source:** `labelmap.txt` as CVAT exports it in the form of Pascal VOC, `cat:128,0,0::`;
/// `label_colors.txt` of CamVid, `64 128 64 Animal`; tables of ADE20K, `1,120,120,120,wall`.
enum LabelColors {
  /// Returns the readings of a file in which each line has a label and its colour, without the colours.
  /// - Returns: nil if a line has another form, or the labels without the numbers would not differ.
  /// - Throws: `badLabels` for colours in columns whose meaning is open.
  static func readings(_ lines: [LabelLine], source: String) throws(MetadataError) -> [LabelReading]? {
    let content = lines.filter { !$0.text.isEmpty && !$0.isComment }
    let rest = content.filter { !$0.beginsAsComment }
    for rows in [content, rest, Array(rest.dropFirst())] where rows.count > 1 {
      guard let found = try labels(rows, source: source) else { continue }
      var readings =
        switch found {
        case .numbered(let labels): labels.readings(.numberedLines)
        case .inOrder(let labels): LineReadings(among(lines, labels)).readings
        }
      for index in readings.indices { readings[index].remarks.append("without the colours of the labels") }
      return readings
    }
    return nil
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
    let lines = zip(lines, LabelLine.withoutCommas(lines.map(\.text))).map {
      LabelLine(number: $0.number, text: $1)
    }
    if let names = all(lines, { withColons($0.text) }) { return found(lines, names) }
    guard let rows = all(lines, { ColorRow($0.text) }), let count = rows.first?.head.count,
      rows.allSatisfy({ $0.head.count == count })
    else { return nil }
    if count > 2 {
      // Numbers behind the label may be anything if there are some before it.
      let isOpen = rows.allSatisfy { $0.endsInColumn }
      let names = rows.map { LabelLine.unquoted($0.text) }
      return try found(
        lines, names, rows.map(\.head), isOpen: isOpen, isNumbered: rows.allSatisfy(\.isNumbered),
        source: source)
    }
    let least = rows.map(\.tail.count).min() ?? 0
    guard least > 2 else { return nil }
    let names = rows.map { LabelLine.unquoted($0.label) }
    let isTable = rows.allSatisfy { $0.isTable && $0.tail.count == least }
    // `tile 10 20 5` is a label, but `tile 0 10 20 5`, `brick 1 20 30 5` and `tile 0 0 0`, `brick 1 1 1` may
    // have class numbers.
    if count == 0, rows.allSatisfy(\.isSpaced) {
      let numbers = rows.compactMap { least > 3 ? $0.tail.suffix(4).first : $0.tail.last }
      guard isCounting(numbers) else { return nil }
    }
    let columns = rows.map { isTable ? $0.head + $0.tail : Array($0.tail.suffix(3)) }
    return try found(lines, names, columns, isOpen: !isTable || count == 2, source: source)
  }

  /// Returns the labels next to columns of numbers; nil if no columns are colours.
  ///
  /// It is an error if the numbers may be colours and others, or if they may be anything (`isOpen`). The
  /// first numbers may be known to be those of classes (`isNumbered`).
  private static func found(
    _ lines: [LabelLine], _ names: [String], _ rows: [[Int]], isOpen: Bool, isNumbered: Bool = false,
    source: String
  ) throws(MetadataError) -> Found? {
    let columns = (rows.first ?? []).indices.map { place in rows.map { $0[place] } }
    let areShades = columns.map { $0.allSatisfy { $0 <= 255 } }
    func isColor(at place: Int) -> Bool {
      place + 3 <= columns.count && areShades[place..<place + 3].allSatisfy(\.self)
    }
    guard LabelLine.areNames(names),
      names.allSatisfy({ $0.first?.isLetter == true || $0 == LabelReading.placeholder }),
      columns.indices.contains(where: isColor)
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
      let isOpaque =
        !isNumbered && columns.count == 4 && isColor(at: 0) && Set(columns[3]).count == 1
      if isOpaque, !columns.contains(where: isShuffled) { return found(lines, names) }
    }
    let line = lines[0]
    throw MetadataError(
      .badLabels,
      "\(source) looks like a table of colours: line \(line.number) is"
        + " '\(String(line.text.prefix(40)).printable)'",
      remedy: "Give the names without the numbers, one per line, or in quotes if the numbers belong to them")
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

  /// Returns the label of `label:r,g,b:parts:actions`.
  private static func withColons(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].first?.isLetter == true else { return nil }
    let color = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    guard color.count == 3, color.allSatisfy({ UInt8($0) != nil && $0.first?.isNumber == true }) else {
      return nil
    }
    return LabelLine.trimmed(parts[0])
  }
}
