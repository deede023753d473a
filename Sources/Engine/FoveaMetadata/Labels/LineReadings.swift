// SPDX-License-Identifier: Apache-2.0

/// The possible readings of a file of lines; the number of the model's classes decides which lines are
/// labels.
struct LineReadings {
  private(set) var readings: [LabelReading] = []
  /// The lines, without those that are certainly comments.
  private let lines: [LabelLine]
  private let commentCount: Int

  init(_ all: [LabelLine]) {
    var rest = all.filter { !$0.isComment }
    if !rest.contains(where: { !$0.text.isEmpty }) { rest = all }
    commentCount = all.count - rest.count
    // The class number may be behind an id, `n02119789 1 kit fox`, or before it.
    let labels = PublicIDs.labels(rest.map(\.text))
    if let labels {
      for (place, label) in zip(rest.indices, labels) { rest[place].text = label }
    }
    lines = rest
    let numbered = numberedReadings()
    let plain = numbered.isOnly ? [] : plainReadings()
    let behindIDs = numbered.readings.map(PublicIDs.removed)
    readings = numbered.isFirst ? behindIDs + plain : plain + behindIDs
    guard labels != nil else { return }
    for place in readings.indices { readings[place].remarks.append(PublicIDs.remark) }
  }

  // MARK: Numbers

  private func numberedReadings() -> (readings: [LabelReading], isFirst: Bool, isOnly: Bool) {
    let filled = lines.filter { !$0.text.isEmpty }
    var content = filled.filter { !$0.beginsAsComment }
    // Among more labels than comments: `#1 seed`, `0 a` may be two labels.
    if content.count <= filled.count - content.count { content = filled }
    let comments = filled.count - content.count
    var found = LineReadings.numbered(content)
    let background = found == nil ? content.last : nil
    if background != nil { found = LineReadings.numbered(aboveBackground: content) }
    guard let (labels, hasHeader) = found else { return ([], false, false) }
    var readings = labels.readings(.numberedLines)
    // A numbered list of this length is not a coincidence, even if the model omits the same classes.
    if labels.isNumbering, labels.isSorted, labels.count >= 20 || labels.isHexadecimal {
      readings.append(labels.closed(.numberedLines))
    }
    let first = hasHeader ? content.first.flatMap { BackgroundName.isOne($0.text) ? $0 : nil } : nil
    if let line = background ?? first {
      var whole = readings[0]
      let end = first == nil ? whole.names.count : 0
      whole.names.insert(line.text, at: end)
      whole.lines.insert(line.number, at: end)
      for index in readings.indices { readings[index].remarks.append("without the background") }
      // Of numbers from 1, the background may be class 0.
      if labels.startsAtZero, first == nil || labels.isWhole && labels.isSorted {
        readings.insert(whole, at: first == nil ? 0 : 1)
      }
    }
    let removed = remarks(
      header: hasHeader && first == nil, comments: comments, blanks: lines.count - filled.count)
    for index in readings.indices { readings[index].remarks += removed }
    // Folders numbered without leading zeros, `1 a`, `10 b`, `2 c`, become classes in this order.
    let isOrder = labels.isWhole && labels.isInTextOrder && !labels.startsAtZero
    // In order, they are numbered even if no class has 0 or 1.
    let isColumn =
      labels.isColumn && (labels.isNumbering && !hasHeader || labels.isSorted && labels.least > 1)
    let isFirst = labels.isNumbering && !isOrder || isColumn || labels.isShuffled
    let isOnly = labels.isHexadecimal || isColumn || isFirst && labels.isCertainInAnyOrder
    return (readings, isFirst, isOnly)
  }

  /// Returns the labels of numbered lines, and whether a header is above them; nil for other lines.
  private static func numbered(_ content: [LabelLine]) -> (labels: NumberedLabels, hasHeader: Bool)? {
    if let labels = NumberedLines.labels(content) { return (labels, false) }
    let rest = Array(content.dropFirst())
    // Above several numbered lines, a line without a number is a header, regardless of its words.
    if let first = content.first, first.mayBeHeader || content.count > 2,
      !NumberedLines.isNumbered(first.text), !NumberRow(first).beginsWithNumber,
      let labels = NumberedLines.labels(rest),
      // Of `car`, `0 wheeler`, `2 seater`, the first may be a label.
      first.mayBeHeader || labels.isNumbering
    {
      return (labels, true)
    }
    if let labels = NumberedLines.endLabels(content) { return (labels, false) }
    guard let first = content.first else { return nil }
    let isBackground = BackgroundName.isOne(first.text)
    guard first.mayBeHeader || isBackground, let labels = NumberedLines.endLabels(rest) else { return nil }
    return first.mayBeHeader || labels.isWhole && labels.isSorted ? (labels, true) : nil
  }

  /// Returns the labels of lines that begin or end with 0, 1, 2, … or 1, 2, 3, … in this order, above a line
  /// without a number that names no object; nil for other lines.
  private static func numbered(
    aboveBackground content: [LabelLine]
  ) -> (labels: NumberedLabels, hasHeader: Bool)? {
    guard content.count > 2, let last = content.last?.text, BackgroundName.isOne(last),
      let found = numbered(content.dropLast()), found.labels.isWhole, found.labels.isSorted,
      found.labels.count > 1
    else { return nil }
    // Of `1 egg`, `2 eggs`, `none`, the numbers belong to the labels.
    let isCertain = BackgroundName.isCertain(last) || !last.contains(where: \.isLetter)
    return isCertain || found.labels.startsAtZero && found.labels.count > 2 ? found : nil
  }

  // MARK: Lines

  /// Returns the readings of plain lines, those with the fewest removed lines first.
  private func plainReadings() -> [LabelReading] {
    var readings: [LabelReading] = []
    let trailing = lines.count - (lines.lastIndex { !$0.text.isEmpty } ?? -1) - 1
    for dropsHeader in [false, true]
    where !dropsHeader || lines.first(where: { !$0.text.isEmpty })?.mayBeHeader == true {
      for dropsComments in [false, true] {
        for blanks in [Blanks.trailing, .none, .all] {
          let kept = kept(dropsHeader, dropsComments, blanks, trailing: trailing)
          guard !kept.isEmpty, !readings.contains(where: { $0.names.count == kept.count }) else { continue }
          let comments = dropsComments ? lines.count { $0.mayBeComment } : 0
          let behindIDs = PublicIDs.labels(kept.map(\.text))
          var reading = LabelReading(
            names: behindIDs ?? texts(kept), form: .lines, lines: kept.map(\.number))
          reading.remarks = remarks(
            header: dropsHeader, comments: comments,
            blanks: lines.count - kept.count - comments - (dropsHeader ? 1 : 0))
          if behindIDs != nil { reading.remarks.append(PublicIDs.remark) }
          readings.append(reading)
        }
      }
    }
    return readings
  }

  private enum Blanks { case none, trailing, all }

  private func kept(
    _ dropsHeader: Bool, _ dropsComments: Bool, _ blanks: Blanks, trailing: Int
  ) -> [LabelLine] {
    var kept = lines
    if blanks == .trailing { kept.removeLast(trailing) }
    if blanks == .all { kept.removeAll { $0.text.isEmpty } }
    if dropsHeader, let place = kept.firstIndex(where: { !$0.text.isEmpty }) { kept.remove(at: place) }
    if dropsComments { kept.removeAll { $0.mayBeComment } }
    return kept
  }

  /// Returns labels without quotes around most of them, or around one that needs them for a comma or a quote.
  private func texts(_ lines: [LabelLine]) -> [String] {
    let texts = lines.map(\.text)
    let quoted = texts.filter(LabelLine.isQuoted)
    let isList =
      quoted.contains { $0.hasPrefix("\"") && ($0.contains(",") || $0.dropFirst().dropLast().contains("\"")) }
      || 2 * quoted.count > texts.count { !$0.isEmpty }
    return isList ? texts.map(LabelLine.unquoted) : texts
  }

  private func remarks(header: Bool, comments: Int = 0, blanks: Int) -> [String] {
    let comments = comments + commentCount
    var parts: [String] = []
    if header { parts.append("a header") }
    if comments > 0 { parts.append(comments == 1 ? "a comment" : "\(comments) comments") }
    if blanks > 0 { parts.append(blanks == 1 ? "a blank line" : "\(blanks) blank lines") }
    return parts.isEmpty ? [] : ["without " + parts.joined(separator: ", ")]
  }
}
