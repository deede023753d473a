// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The labels of a YAML file: its member `names`, as in Ultralytics' `data.yaml`, or the whole file if it is
/// a list.
///
/// **Source:** YAML 1.2.2, chapters 7 and 8, as far as lists and maps of names need it.
struct YAMLLabels {
  private let lines: [(text: String, indent: Int)]
  private static let members = [
    "names", "labels", "classes", "class_names", "label_names", "categories", "label_map", "id2label",
  ]
  /// Returns the spellings of a member's name.
  private static func keys(_ name: String) -> [String] { [name, "'\(name)'", "\"\(name)\""] }
  private static let allKeys = members.flatMap(keys)

  /// Returns whether a trimmed line may show that a file is YAML.
  static func mayBegin(_ line: String) -> Bool {
    line.hasPrefix("- ") || line.hasSuffix(":")
      || line.hasSuffix("}") && line.utf8.contains(UInt8(ascii: "{"))
      || allKeys.contains { line.hasPrefix($0) }
  }

  private init(_ lines: [String]) {
    self.lines = lines.map { line in
      let text = LabelLine.parts(line, isYAML: true).text
      return (LabelLine.trimmed(text), line.prefix { $0 == " " }.count)
    }
  }

  /// Returns the possible readings of the lines of a file.
  /// - Returns: nil if the file is not such a file.
  /// - Throws: `badLabels` for a member or list item with labels that cannot be read.
  static func readings(_ lines: [String], source: String) throws(MetadataError) -> [LabelReading]? {
    let yaml = YAMLLabels(lines)
    if let (place, name, rest) = yaml.member() {
      let value = rest.isEmpty ? yaml.value(after: place) : yaml.flow(rest, from: place)
      guard let value, let readings = try LiteralLabels.readings(value, .yaml, source: source) else {
        throw MetadataError(
          .badLabels,
          "\(source) is YAML, but its '\(name)' (line \(place + 1)) is not a list or map of labels",
          remedy: "Write the labels as a list, or as a map of numbers and labels")
      }
      return readings
    }
    let places = yaml.lines.indices.filter { !["", "---"].contains(yaml.lines[$0].text) }
    if yaml.isOfObjects(places) {
      let found = objectMembers(places.map { yaml.lines[$0] })
      if let found, let readings = try LiteralLabels.readings(.map(found), .yaml, source: source) {
        return readings
      }
      throw YAMLLabels.unknown(source)
    }
    if let readings = try yaml.members(places, source: source) { return readings }
    if yaml.isOfItems(places) {
      let found = objects(places.map { yaml.lines[$0] })
      if let found, let readings = try LiteralLabels.readings(.list(found), .yaml, source: source) {
        return readings
      }
      throw MetadataError(
        .badLabels, "\(source) is a YAML list, but not one of labels: line \(places[0] + 1) begins an object",
        remedy: "Write the labels below 'names:' as a list, or as a map of numbers and labels")
    }
    guard let indent = places.first.map({ yaml.lines[$0].indent }),
      places.allSatisfy({ yaml.lines[$0].indent == indent && yaml.lines[$0].text.hasPrefix("- ") })
    else { return nil }
    var items: [Literal] = []
    for place in places {
      guard let item = YAMLLabels.scalar(String(yaml.lines[place].text.dropFirst(2))) else {
        throw MetadataError(
          .badLabels, "\(source) is a YAML list, but its line \(place + 1) is not a label",
          remedy: "Close the quotes and brackets of each label, or write one label per line")
      }
      items.append(item)
    }
    let readings = try LiteralLabels.readings(.list(items), .yaml, source: source)
    // `- 1: 1`, `- 1: 2` are names.
    if readings == nil, items.contains(where: isCollection) { throw YAMLLabels.unknown(source) }
    return readings
  }

  /// Returns whether an item is a list, or an object whose key is not a number.
  private static func isCollection(_ item: Literal) -> Bool {
    switch item {
    case .list: true
    case .map(let members): members.contains { LabelColumns.whole($0.key) == nil }
    case .text, .word, .other: false
    }
  }

  private static func unknown(_ source: String) -> MetadataError {
    MetadataError(
      .badLabels, "\(source) is YAML, but not a list or map of labels",
      remedy: "Write the labels below 'names:' as a list, or as a map of numbers and labels")
  }

  /// Reads lines with a label and its class number, such as `cat: 0`; nil for other lines.
  static func numbers(_ lines: [LabelLine], source: String) throws(MetadataError) -> [LabelReading]? {
    let content = lines.filter { !$0.text.isEmpty && !$0.isComment }
    // Most files are not maps, which the first line shows.
    guard content.count > 1, LabelLine.contains(":", " ", in: content[0].text) else { return nil }
    let pairs = content.compactMap { pair($0.text) }
    let entries = pairs.compactMap { pair in
      pair.value.number.map { NumberedLabels.Entry(number: $0, text: pair.key) }
    }
    guard entries.count == content.count, pairs.allSatisfy({ Int($0.key) == nil }),
      LabelLine.areNames(pairs.map(\.key)), let labels = NumberedLabels(entries),
      labels.isWhole || labels.isCertain, !pairs.allSatisfy({ $0.key.hasSuffix(":") })
    else { return nil }
    let keys = zip(content, pairs).map { LabelLine(number: $0.number, text: $1.key) }
    if let error = UnreadNumbers.error(betweenNumbersAnd: keys, of: content, source: source) { throw error }
    return try LiteralLabels.readings(.map(pairs), .yaml, source: source)
  }

  /// Returns whether lines are members of a map whose first member spans several lines.
  private func isOfObjects(_ places: [Int]) -> Bool {
    guard places.count > 1 else { return false }
    let (first, second) = (lines[places[0]], lines[places[1]])
    return first.indent == 0 && first.text.hasSuffix(":") && second.indent > 0
      && (second.text.hasPrefix("- ") || YAMLLabels.pair(second.text) != nil)
  }

  /// Returns whether lines are a list of objects, the first of which spans several lines: `- id: 0`, `  name:
  /// cat`.
  private func isOfItems(_ places: [Int]) -> Bool {
    guard places.count > 1 else { return false }
    let (first, second) = (lines[places[0]], lines[places[1]])
    return first.indent == 0 && first.text.hasPrefix("- ") && second.indent > 0
      && !second.text.hasPrefix("- ") && YAMLLabels.pair(String(first.text.dropFirst(2))) != nil
      && YAMLLabels.pair(second.text) != nil
  }

  /// Reads lines with a key and an object each: `0: {name: cat, color: red}`; nil for others.
  private func members(_ places: [Int], source: String) throws(MetadataError) -> [LabelReading]? {
    var members: [Literal.Member] = []
    for place in places {
      guard lines[place].indent == 0, !lines[place].text.hasPrefix("- "),
        let pair = YAMLLabels.pair(lines[place].text), case .map = pair.value
      else { return nil }
      members.append(pair)
    }
    guard !members.isEmpty else { return nil }
    if let readings = try LiteralLabels.readings(.map(members), .yaml, source: source) { return readings }
    throw YAMLLabels.unknown(source)
  }

  /// Returns the line of the member with the labels, its name, and the rest of that line.
  private func member() -> (place: Int, name: String, rest: String)? {
    for name in YAMLLabels.members {
      for (place, line) in lines.enumerated() where line.indent == 0 {
        for key in YAMLLabels.keys(name) where line.text.hasPrefix(key) {
          let rest = LabelLine.trimmed(line.text.dropFirst(key.count))
          if rest == ":" || rest.hasPrefix(": ") {
            return (place, name, YAMLLabels.content(rest.dropFirst()))
          }
        }
      }
    }
    return nil
  }

  /// Reads a value in brackets that starts on a line and may continue.
  private func flow(_ rest: String, from place: Int) -> Literal? {
    guard rest.hasPrefix("[") || rest.hasPrefix("{") else { return nil }
    let text = ([rest] + lines[(place + 1)...].map(\.text)).joined(separator: "\n")
    var reader = LiteralReader(Array(text.utf8))
    return reader.value()
  }

  /// Returns a value without surrounding spaces, and without the anchor or tags before it: `&names [a, b]`,
  /// `!!seq`.
  private static func content(_ text: Substring) -> String {
    var text = LabelLine.trimmed(text)
    while text.hasPrefix("&") || text.hasPrefix("!") {
      text = LabelLine.trimmed(text.drop { $0 != " " && $0 != "\t" })
    }
    return text
  }

  /// Reads the list or map on the lines after a member, in brackets or as a block.
  private func value(after place: Int) -> Literal? {
    let next = lines[(place + 1)...].firstIndex { !$0.text.isEmpty }
    if let next, lines[next].indent > 0, let value = flow(lines[next].text, from: next) { return value }
    return block(after: place)
  }

  /// Reads the list or map in a block of lines after a member.
  private func block(after place: Int) -> Literal? {
    var rows: [(text: String, indent: Int)] = []
    for line in lines[(place + 1)...] where !line.text.isEmpty {
      guard line.indent > 0 || line.text.hasPrefix("- ") else { break }
      rows.append(line)
    }
    guard let first = rows.first else { return nil }
    var items: [Literal] = []
    var members: [Literal.Member] = []
    for row in rows where row.indent == first.indent || items.isEmpty && members.isEmpty {
      if first.text.hasPrefix("- ") {
        guard row.text.hasPrefix("- "), let item = YAMLLabels.scalar(String(row.text.dropFirst(2))) else {
          return nil
        }
        items.append(item)
      } else {
        guard let pair = YAMLLabels.pair(row.text) else { return nil }
        members.append(pair)
      }
    }
    // More deeply indented lines belong to an item: `- id: 0`, `  name: cat`.
    let isFlat = rows.allSatisfy { $0.indent == first.indent }
    let maps = items.count { if case .map = $0 { true } else { false } }
    if isFlat, !items.isEmpty, maps == 0 || maps == items.count { return .list(items) }
    if isFlat, !members.isEmpty { return .map(members) }
    if first.text.hasPrefix("- ") { return YAMLLabels.objects(rows).map { .list($0) } }
    return YAMLLabels.objectMembers(rows).map { .map($0) }
  }

  /// Reads members of several lines each, such as `0:` and `  name: cat`; nil if a line cannot be read.
  private static func objectMembers(
    _ rows: [(text: String, indent: Int)]
  ) -> [Literal.Member]? {
    let outer = rows.first?.indent ?? 0
    let inner = rows.lazy.map(\.indent).filter { $0 > outer }.min() ?? outer
    var found: [(member: Literal.Member, fields: [Literal.Member])] = []
    // More deeply indented lines are not labels.
    for row in rows where row.indent <= inner {
      guard row.indent >= outer, !row.text.hasPrefix("- "), let field = pair(row.text) else { return nil }
      guard row.indent > outer, let last = found.indices.last else {
        found.append((field, []))
        continue
      }
      guard case .word("") = found[last].member.value else { return nil }
      found[last].fields.append(field)
    }
    return found.map { $0.fields.isEmpty ? $0.member : .init(key: $0.member.key, value: .map($0.fields)) }
  }

  /// Reads items of several lines each; nil if a line cannot be read.
  private static func objects(_ rows: [(text: String, indent: Int)]) -> [Literal]? {
    let outer = rows.first?.indent ?? 0
    let inner = rows.lazy.map(\.indent).filter { $0 > outer }.min() ?? outer
    var items: [[Literal.Member]] = []
    for row in rows {
      let isNew = row.text.hasPrefix("- ")
      guard let pair = pair(isNew ? String(row.text.dropFirst(2)) : row.text) else {
        // Lists and strings inside an item are not labels.
        guard isNew ? row.indent > outer : row.indent > inner else { return nil }
        continue
      }
      if isNew || items.isEmpty { items.append([]) }
      items[items.count - 1].append(pair)
    }
    return items.map { .map($0) }
  }

  /// Reads `key: value`; the key may be quoted.
  private static func pair(_ text: String) -> Literal.Member? {
    let bytes = Array(text.utf8)
    var literal = LiteralReader(bytes)
    var key: String?
    var end = 0
    if let quoted = literal.string() {
      (key, end) = (quoted, literal.position)
      while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
      guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else { return nil }
    } else {
      // A colon needs a space after it: `12:30` is a string.
      let colon = bytes.indices.first { index in
        bytes[index] == UInt8(ascii: ":")
          && (index + 1 == bytes.count || bytes[index + 1] == UInt8(ascii: " "))
      }
      guard let colon else { return nil }
      (key, end) = (LabelLine.trimmed(String(decoding: bytes[..<colon], as: UTF8.self)), colon)
    }
    let value = scalar(String(decoding: bytes[(end + 1)...], as: UTF8.self), isNested: true)
    return key.flatMap { key in value.map { .init(key: key, value: $0) } }
  }

  /// Reads the value of a line.
  private static func scalar(_ text: String, isNested: Bool = false) -> Literal? {
    let text = LabelLine.trimmed(text)
    if let first = text.first, "\"[{".contains(first) {
      var reader = LiteralReader(Array(text.utf8))
      if let value = reader.whole() { return value }
      // `- "cat": 2`
      return isNested || first != "\"" ? nil : pair(text).map { .map([$0]) }
    }
    if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") {
      return .text(text.dropFirst().dropLast().replacing(part: "''", with: "'"))
    }
    if !isNested, let pair = pair(text) { return .map([pair]) }
    return .word(text)
  }
}
