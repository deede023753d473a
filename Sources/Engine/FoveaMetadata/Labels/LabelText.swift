// SPDX-License-Identifier: Apache-2.0

/// The one reader of label files: of options, folders, metadata and servers.
enum LabelText {
  /// The ways to read a file, the likeliest first.
  ///
  /// What a file is decides its content, never its name: a label map, JSON, YAML, a table, lines with numbers, lines. Of
  /// lines there can be several readings, as a blank line may be a class without a name or nothing at all; no two have the
  /// same number of labels.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for error texts.
  /// - Returns: Readings with one label at least each; none for a file without a label.
  /// - Throws: `badLabels` for text that is not UTF-8, or begins as a form that it then is not; `tooLarge`.
  static func readings(_ bytes: [UInt8], source: String) throws(MetadataError) -> [LabelReading] {
    let lines = try LabelLine.split(bytes, source: source)
    guard lines.contains(where: { !$0.text.isEmpty }) else { return [] }
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    return distinct(try structured(content, lines, source: source) ?? plain(lines))
  }

  /// The first reading of each number of labels.
  private static func distinct(_ readings: [LabelReading]) -> [LabelReading] {
    var counts: Set<Int> = []
    return readings.filter { reading in
      reading.names.contains { !$0.isEmpty } && counts.insert(reading.names.count).inserted
    }
  }

  /// Forms that show in their first signs; nil for lines.
  private static func structured(
    _ bytes: [UInt8], _ lines: [LabelLine], source: String
  ) throws(MetadataError) -> [LabelReading]? {
    if LabelMapItems.begins(bytes) { return try LabelMapItems.readings(bytes, source: source) }
    let first = lines.first { !$0.text.isEmpty }?.text ?? ""
    let tag = first.prefix(16).lowercased()
    guard !tag.hasPrefix("<!doctype"), !tag.hasPrefix("<html") else {
      throw MetadataError(
        .badLabels, "\(source) is an HTML page, and no list of labels",
        remedy: "Download the file itself, not the page that shows it")
    }
    if first.hasPrefix("{") || first.hasPrefix("[") {
      var reader = LiteralReader(bytes)
      if let value = reader.whole(), let readings = LiteralLabels.readings(value, .json) { return readings }
      // `[PAD]` on a line of its own is a label, and so is `[0] person`.
      let isLabel =
        first.hasPrefix("[") && first.hasSuffix("]") && !first.contains("\"") && lines.count > 1
        || NumberedLines.isNumbered(first)
      guard isLabel else {
        throw MetadataError(
          .badLabels, "\(source) begins as JSON, but is no list or map of labels",
          remedy: "Write a list of labels, or a map of numbers and labels, or one label per line")
      }
      return nil
    }
    // Most files are plain lines.
    guard lines.contains(where: { YAMLLabels.mayBegin($0.text) }) else { return nil }
    return try YAMLLabels.readings(texts(bytes), source: source)
  }

  private static func texts(_ bytes: [UInt8]) -> [String] {
    TextLines.slices(bytes[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func plain(_ lines: [LabelLine]) -> [LabelReading] {
    if let table = LabelTable(lines) {
      let readings = table.readings
      if !readings.isEmpty { return readings }
    }
    if let readings = YAMLLabels.numbers(lines) { return readings }
    return LineReadings(lines).readings
  }
}
