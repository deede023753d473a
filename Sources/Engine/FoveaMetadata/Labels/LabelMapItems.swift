// SPDX-License-Identifier: Apache-2.0

/// A label map of the Object Detection API: `item { id: 1 name: 'person' }` in the text format of protocol
/// buffers.
///
/// **Source:** TensorFlow Models, `object_detection/protos/string_int_label_map.proto`: ids count from 1, as
/// 0 is the background; `display_name` is for display.
struct LabelMapItems {
  private struct Item {
    var id: Int?
    var name: String?
    var displayName: String?
    var line: Int
  }

  private let text: [UInt8]
  private var position = 0
  private var line = 1
  /// The line of a string that could not be read, and the reason.
  private var problem: (line: Int, words: String)?

  private init(_ text: [UInt8]) { self.text = text }

  /// Returns whether a file starts like a label map.
  static func begins(_ text: [UInt8]) -> Bool {
    var reader = LabelMapItems(text)
    guard reader.word() == "item" else { return false }
    _ = reader.take(":")
    return reader.take("{") || reader.take("<")
  }

  /// Returns the possible readings of a label map.
  /// - Throws: `badLabels` with the invalid line.
  static func readings(_ text: [UInt8], source: String) throws(MetadataError) -> [LabelReading] {
    var reader = LabelMapItems(text)
    guard let items = reader.items(), !items.isEmpty else {
      if let problem = reader.problem {
        throw MetadataError(
          .badLabels,
          "\(source) begins as a label map (pbtxt), but a string in its line \(problem.line) "
            + problem.words,
          remedy: "Write names in quotes, as UTF-8 or with escapes of C, such as \\303\\251 or \\u00e9")
      }
      throw MetadataError(
        .badLabels, "\(source) begins as a label map (pbtxt), but its line \(reader.line) is invalid",
        remedy: "Write an item { id: 1 name: 'cat' } for each class")
    }
    let hasDisplayNames = items.allSatisfy { $0.displayName?.isEmpty == false }
    let names = items.map { (hasDisplayNames ? $0.displayName : $0.name ?? $0.displayName) ?? "" }
    let entries = try entries(items, names, source: source)
    guard let labels = NumberedLabels(entries) else { return [] }
    return labels.readings(.labelMap) + [labels.closed(.labelMap)]
  }

  /// Returns items with their ids.
  /// - Throws: `badLabels` for a missing id, one that is not a class number, and one that two items have.
  private static func entries(
    _ items: [Item], _ names: [String], source: String
  ) throws(MetadataError) -> [NumberedLabels.Entry] {
    func unusable(_ reason: String) -> MetadataError {
      MetadataError(.badLabels, "\(source) has \(reason)", remedy: "Use a unique id for each item, from 1")
    }
    var lines: [Int: Int] = [:]
    var entries: [NumberedLabels.Entry] = []
    for (item, name) in zip(items, names) {
      guard let id = item.id else { throw unusable("an item without an id in line \(item.line)") }
      guard NumberedLabels.range.contains(id) else {
        throw unusable("the id \(id) in line \(item.line), which is not a class number")
      }
      if let other = lines.updateValue(item.line, forKey: id) {
        throw unusable(
          "two items with the id \(id), in "
            + (other == item.line ? "line \(other)" : "lines \(other) and \(item.line)"))
      }
      entries.append(.init(number: id, text: name, line: item.line))
    }
    return entries
  }

  private mutating func items() -> [Item]? {
    var items: [Item] = []
    while true {
      skipSpace()
      guard position < text.count else { return items }
      let start = line
      guard let name = word() else { return nil }
      guard name == "item" else {
        guard skipValue(depth: 0) else { return nil }
        continue
      }
      _ = take(":")
      guard take("{") || take("<"), var item = fields() else { return nil }
      item.line = start
      items.append(item)
      _ = take(",") || take(";")
    }
  }

  private mutating func fields() -> Item? {
    var item = Item(line: line)
    while !(take("}") || take(">")) {
      guard let name = word() else { return nil }
      switch name {
      case "id", "name", "display_name":
        guard take(":") else { return nil }
        if name == "id" {
          guard item.id == nil, let digits = word(), let number = Int(digits) else { return nil }
          item.id = number
        } else {
          guard (name == "name" ? item.name : item.displayName) == nil, let value = string() else {
            return nil
          }
          if name == "name" { item.name = value } else { item.displayName = value }
        }
      default: guard skipValue(depth: 0) else { return nil }
      }
      _ = take(",") || take(";")
    }
    return item
  }

  /// Skips the value of an unused field: a number, a string, a list or a message.
  private mutating func skipValue(depth: Int) -> Bool {
    _ = take(":")
    guard depth < 32 else { return false }
    for (open, close) in [("{", "}"), ("<", ">"), ("[", "]")] where take(open) {
      while !take(close) {
        skipSpace()
        guard position < text.count,
          bytes() != nil || word() != nil || skipValue(depth: depth + 1) || take(",") || take(":")
        else { return false }
      }
      return true
    }
    return bytes() != nil || word() != nil
  }

  /// Reads a name or a number.
  private mutating func word() -> String? {
    skipSpace()
    let start = position
    while position < text.count, isWord(text[position]) { position += 1 }
    return start == position ? nil : String(decoding: text[start..<position], as: UTF8.self)
  }

  private func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "_-.+".utf8.contains(byte)
  }

  private mutating func string() -> String? {
    skipSpace()
    let start = line
    guard let bytes = bytes() else { return nil }
    let text = String(validating: bytes, as: UTF8.self)
    if text == nil { problem = (start, "is not UTF-8") }
    return text
  }

  /// Reads the bytes of a string, which may have several pieces: `"a" 'b'` is "ab".
  private mutating func bytes() -> [UInt8]? {
    skipSpace()
    guard position < text.count, TextFormatString.isQuote(text[position]) else { return nil }
    var bytes: [UInt8] = []
    while position < text.count, TextFormatString.isQuote(text[position]) {
      do throws(TextFormatString.Problem) {
        bytes += try TextFormatString.piece(of: text, at: &position)
      } catch {
        problem = (line, error.words)
        return nil
      }
      skipSpace()
    }
    return bytes
  }

  private mutating func take(_ sign: Character) -> Bool {
    skipSpace()
    guard position < text.count, text[position] == sign.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func take(_ sign: String) -> Bool { sign.first.map { take($0) } ?? false }

  private mutating func skipSpace() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "#"):
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
      default: return
      }
    }
  }
}
