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
    let labels = PublicIDs.labels(LabelLine.withoutCommas(rest.map(\.text)))
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
    var labels = NumberedLines.labels(content)
    var hasHeader = false
    // Above several numbered lines, a line without a number is a header, regardless of its words.
    if labels == nil, let first = content.first, first.mayBeHeader || content.count > 2,
      !NumberedLines.isNumbered(first.text)
    {
      labels = NumberedLines.labels(Array(content.dropFirst()))
      // Of `car`, `0 wheeler`, `2 seater`, the first may be a label.
      if !first.mayBeHeader, labels?.isNumbering != true { labels = nil }
      hasHeader = labels != nil
    }
    if labels == nil {
      labels = NumberedLines.endLabels(content)
      if labels == nil, content.first?.mayBeHeader == true {
        labels = NumberedLines.endLabels(Array(content.dropFirst()))
        hasHeader = labels != nil
      }
    }
    guard let labels else { return ([], false, false) }
    var readings = labels.readings(.numberedLines)
    // A numbered list of this length is not a coincidence, even if the model omits the same classes.
    if labels.isNumbering, labels.isSorted, labels.count >= 20 || labels.isHexadecimal {
      readings.append(labels.closed(.numberedLines))
    }
    let removed = remarks(header: hasHeader, comments: comments, blanks: lines.count - filled.count)
    for index in readings.indices { readings[index].remarks += removed }
    // Folders numbered without leading zeros, `1 a`, `10 b`, `2 c`, become classes in this order.
    let isOrder = labels.isWhole && labels.isInTextOrder && !labels.startsAtZero
    // In order, they are numbered even if no class has 0 or 1.
    let isColumn =
      labels.isColumn && (labels.isNumbering && !hasHeader || labels.isSorted && labels.least > 1)
    return (readings, labels.isNumbering && !isOrder || isColumn, labels.isHexadecimal || isColumn)
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
          let behindIDs = PublicIDs.labels(LabelLine.withoutCommas(kept.map(\.text)))
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

  /// Returns labels without the commas of a list, and without quotes around most labels, or around one that
  /// needs them for a comma or a quote.
  private func texts(_ lines: [LabelLine]) -> [String] {
    let texts = LabelLine.withoutCommas(lines.map(\.text))
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
