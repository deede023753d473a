// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The reader of all label files: from options, folders, metadata and servers.
enum LabelText {
  /// Returns the possible readings of a file, the likeliest first.
  ///
  /// The form follows from the content, never from the file name: a label map, JSON, YAML, a table, numbered
  /// lines, lines. Lines can have several readings, as a blank line may be a nameless class or nothing; no
  /// two readings have the same number of labels.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for errors.
  /// - Returns: Readings with at least one label each; empty for a file without labels.
  /// - Throws: `badLabels` for text that is not UTF-8, or starts like a form but is invalid; `tooLarge`.
  static func readings(_ bytes: [UInt8], source: String) throws(MetadataError) -> [LabelReading] {
    let lines = try LabelLine.split(bytes, source: source)
    guard lines.contains(where: { !$0.text.isEmpty }) else { return [] }
    let content = bytes.first == 0xEF ? Array(TextLines.withoutMarks(bytes)) : bytes
    var readings = try structured(content, lines, source: source)
    if readings == nil { readings = try plain(lines, source: source) }
    let error = readings?.first.flatMap { UnreadNumbers.error(inComments: lines, of: $0, source: source) }
    if let error { throw error }
    return distinct(readings ?? [])
  }

  /// Returns the first reading for each number of labels.
  private static func distinct(_ readings: [LabelReading]) -> [LabelReading] {
    var counts: Set<Int> = []
    return readings.filter { reading in
      reading.names.contains { !$0.isEmpty } && counts.insert(reading.names.count).inserted
    }
  }

  /// Reads forms that are recognised by their start; nil for lines.
  private static func structured(
    _ bytes: [UInt8], _ lines: [LabelLine], source: String
  ) throws(MetadataError) -> [LabelReading]? {
    if LabelMapItems.begins(bytes) { return try LabelMapItems.readings(bytes, source: source) }
    let first = lines.first { !$0.text.isEmpty && !$0.isComment }?.text ?? ""
    if let error = markupError(lines, source: source) { throw error }
    // **Source:** the Git LFS specification, version 1.
    guard !first.hasPrefix("version https://git-lfs.github.com/spec/v1") else {
      throw MetadataError(
        .badLabels, "\(source) is a Git LFS pointer, not the labels themselves",
        remedy: "Run 'git lfs pull' in its repository, or download the file from the repository's page")
    }
    if let place = conflict(lines) {
      throw MetadataError(
        .badLabels, "\(source) has the marks of a merge conflict in git, the first in line \(place)",
        remedy: "Keep one of the two versions of these lines, and remove the marks")
    }
    if let readings = try SourceCodeLabels.readings(lines, source: source) { return readings }
    if first.hasPrefix("{") || first.hasPrefix("[") {
      var reader = LiteralReader(bytes)
      let value = reader.whole()
      if let value {
        if let twins = reader.twins { throw twinKeys(twins, source: source) }
        if let readings = try LiteralLabels.readings(value, .json, source: source) { return readings }
      }
      // `[PAD]` on its own line is a label, and so are `[0] person` and `[128, 0, 0] cat`.
      let isLabel =
        first.hasPrefix("[") && first.hasSuffix("]") && !first.contains("\"") && lines.count > 1
        || NumberedLines.isNumbered(first) || value == nil && ColorRow(first)?.color != nil
      guard isLabel else {
        throw MetadataError(
          .badLabels, "\(source) begins as JSON, but is not a list or map of labels",
          remedy: "Write a list of labels, or a map of numbers and labels, or one label per line")
      }
    } else if lines.contains(where: { YAMLLabels.mayBegin($0.text) }),
      let readings = try YAMLLabels.readings(texts(bytes), source: source)
    {
      return readings
    }
    try SourceCodeLabels.refuse(lines, source: source)
    return nil
  }

  /// Returns the error for a page of HTML or a document of XML; nil for other files, and for labels such as
  /// `<unk>`.
  private static func markupError(_ lines: [LabelLine], source: String) -> MetadataError? {
    let tags = lines.lazy.filter { $0.text.hasPrefix("<") }.map { $0.text.prefix(16).lowercased() }
    if tags.contains(where: { tag in
      ["<!doctype html", "<html", "</html", "<head>", "<body", "</body"].contains { tag.hasPrefix($0) }
    }) {
      return MetadataError(
        .badLabels, "\(source) is an HTML page, not a list of labels",
        remedy: "Download the file itself, not the page that shows it")
    }
    let first = lines.first { !$0.text.isEmpty }?.text ?? ""
    guard first.hasPrefix("<") else { return nil }
    let name = first.dropFirst().prefix { $0.isLetter || $0.isNumber || "_:-".contains($0) }
    let isTag = name.first?.isLetter == true
    // A damaged file may begin with a line of megabytes.
    let end = "</\(name.prefix(64))"
    let isMarkup =
      first.hasPrefix("<?xml") || first.hasPrefix("<!") || isTag && first.contains(part: "</")
      || isTag && first.hasSuffix("/>")
      || isTag && (2...64).contains(name.utf8.count) && lines.contains { $0.text.contains(part: end) }
    guard isMarkup else { return nil }
    return MetadataError(
      .badLabels, "\(source) is XML, not a list of labels", remedy: "Write one label per line, without tags")
  }

  /// Returns the line of the first mark of a merge conflict; nil if there is none.
  private static func conflict(_ lines: [LabelLine]) -> Int? {
    guard let start = lines.firstIndex(where: { $0.text.hasPrefix("<<<<<<< ") }),
      let middle = lines[start...].firstIndex(where: { $0.text == "=======" }),
      lines[middle...].contains(where: { $0.text.hasPrefix(">>>>>>> ") })
    else { return nil }
    return lines[start].number
  }

  /// Returns the error of a map that has a key twice.
  static func twinKeys(
    _ twins: (key: String, first: Int, second: Int), source: String
  ) -> MetadataError {
    MetadataError(
      .badLabels,
      "\(source) has the key '\(String(twins.key.prefix(40)).printable)' twice, in "
        + (twins.first == twins.second
          ? "line \(twins.first)" : "lines \(twins.first) and \(twins.second)"),
      remedy: "Remove one of the two, or correct its key")
  }

  private static func texts(_ bytes: [UInt8]) -> [String] {
    TextLines.slices(bytes[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func plain(_ all: [LabelLine], source: String) throws(MetadataError) -> [LabelReading] {
    let lines = LabelLine.withoutCommas(withoutRule(all))
    if let error = UnreadNumbers.excess(lines, source: source) { throw error }
    if let table = try LabelTable(lines, source: source) {
      let readings = table.readings
      if let first = readings.first {
        let labels = first.isNumbered ? [] : first.names
        if let error = UnreadNumbers.error(inOrder: labels, .table, source: source) { throw error }
        return readings
      }
    }
    if let rest = PublicIDs.removed(from: lines), var readings = try colored(rest, source: source) {
      for index in readings.indices { readings[index].remarks.append(PublicIDs.remark) }
      return readings
    }
    if let readings = try colored(lines, source: source) { return readings }
    if let readings = try YAMLLabels.numbers(lines, source: source) { return readings }
    let content = lines.filter { !$0.text.isEmpty && !$0.beginsAsComment }
    let rows = content.first?.mayBeHeader == true ? Array(content.dropFirst()) : content
    if let twins = NumberedLines.twins(content) ?? NumberedLines.twins(rows) {
      throw twinNumbers(twins, source: source)
    }
    let readings = LineReadings(lines).readings
    if readings.first?.form == .lines,
      let line = content.first(where: { NumberedLines.isHexadecimal($0.text) })
    {
      throw MetadataError(
        .badLabels,
        "\(source) has the label '\(String(line.text.prefix(40)).printable)' in line \(line.number), which"
          + " begins with a hexadecimal number, but not all lines have a class number of their own",
        remedy: "Write a class number from 0 or 1 before each label, or such labels in quotes")
    }
    if let error = unreadError(readings, lines, source: source) { throw error }
    return readings
  }

  /// Returns lines without the signs below the header of a table: `== ====`.
  private static func withoutRule(_ lines: [LabelLine]) -> [LabelLine] {
    let heads = lines.lazy.filter { !$0.text.isEmpty && !$0.isComment }.prefix(2)
    guard let rule = heads.last, heads.count == 2, rule.isRule, heads.first?.mayBeTableHeader == true else {
      return lines
    }
    return lines.filter { $0.number != rule.number }
  }

  /// Reads labels next to colours, without these; nil for other lines.
  private static func colored(
    _ lines: [LabelLine], source: String
  ) throws(MetadataError) -> [LabelReading]? {
    guard let rest = try LabelColors.withoutNotations(lines, source: source) else {
      return try LabelColors.readings(lines, source: source)
    }
    var readings = try plain(rest, source: source)
    for index in readings.indices { readings[index].remarks.append(LabelColors.remark) }
    return readings
  }

  /// Returns the error for numbers of classes or colours that are left in labels; nil if there are none.
  private static func unreadError(
    _ readings: [LabelReading], _ lines: [LabelLine], source: String
  ) -> MetadataError? {
    let content = lines.filter { !$0.text.isEmpty && !$0.isComment }
    guard let reading = readings.first, reading.form != .lines else {
      return UnreadNumbers.error(content, source: source)
    }
    guard !content.contains(where: { $0.text.hasSuffix("\"") }) else { return nil }
    let labels = zip(reading.lines, reading.names).map { LabelLine(number: $0, text: $1) }
      .filter { $0.number > 0 && !BackgroundName.isFiller($0.text) }
    if UnreadNumbers.areColored(labels) { return LabelColors.open(content[0], source: source) }
    return UnreadNumbers.error(columnsOf: labels, in: content, source: source)
      ?? UnreadNumbers.error(betweenNumbersAnd: labels, of: content, source: source)
  }

  /// Returns the error of two lines with one class number.
  static func twinNumbers(
    _ twins: (first: NumberedLabels.Entry, second: NumberedLabels.Entry), source: String
  ) -> MetadataError {
    MetadataError(
      .badLabels,
      "\(source) has the class number \(twins.first.number) twice, in lines \(twins.first.line) and "
        + "\(twins.second.line)",
      remedy: "Write another number for each class, or labels that begin or end with a number in quotes")
  }
}
