// SPDX-License-Identifier: Apache-2.0

/// The fields of one CSV line.
package enum CSVFields {
  /// Returns the strings of the fields, without their quotes.
  /// - Parameters:
  ///   - line: The line, with or without its line break (`\n` or `\r\n`).
  ///   - separator: The byte between fields; a comma by default.
  /// - Returns: A string for each field.
  package static func split(_ line: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      index += 1
      switch byte {
      case 0x22 where isQuoted && index < line.endIndex && line[index] == 0x22:
        field.append(byte)
        index += 1
      case 0x22: isQuoted.toggle()
      case separator where !isQuoted:
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll()
      case 0x0A where !isQuoted: break
      case 0x0D where !isQuoted && (index == line.endIndex || line[index] == 0x0A): break
      default: field.append(byte)
      }
    }
    fields.append(String(decoding: field, as: UTF8.self))
    return fields
  }

  /// Returns one line; fields with a comma, a quote or a line break are quoted as in RFC 4180 section 2.
  package static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\n" }

  private static func quoted(_ field: String) -> String {
    guard field.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
      return field
    }
    // Bytes: "\r\n" is one character.
    var text: [UInt8] = [0x22]
    for byte in field.utf8 {
      if byte == 0x22 { text.append(byte) }
      text.append(byte)
    }
    text.append(0x22)
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether the fields of a line are separated by semicolons, as spreadsheets write them in languages with
  /// decimal commas: it has no comma between fields.
  package static func hasSemicolons(_ line: ArraySlice<UInt8>) -> Bool {
    split(line).count == 1 && split(line, separator: UInt8(ascii: ";")).count > 1
  }

  /// The problem of a file with such lines.
  package static let semicolonProblem = "the columns are separated by semicolons, not by commas"
}

/// The lines of a CSV text, each with its line break; a line break inside quotes belongs to its field.
///
/// A byte order mark, which spreadsheets write, is left out.
package struct CSVLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var place: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  package mutating func next() -> ArraySlice<UInt8>? {
    guard place < bytes.count else { return nil }
    let start = place
    var isQuoted = false
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0x22 { isQuoted.toggle() }
      if byte == 0x0A && !isQuoted { break }
    }
    return bytes[start..<place]
  }
}
