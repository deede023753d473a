// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The first line of a CSV text, as ``CSVWriter`` writes it, or as a spreadsheet has saved it again: with a byte order mark,
/// `\r\n`, or quotes.
enum CSVHeader {
  private static let semicolon = UInt8(ascii: ";")

  /// What the rows below a line hold; nil where it is no header of records.
  static func kind(_ line: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> AnswerKind? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let names = CSVFields.split(line.starts(with: mark) ? line.dropFirst(3) : line, separator: separator)
    return [AnswerKind.objects, .labels].first { CSVWriter.columnNames($0) == names }
  }

  /// Whether it would be one with commas: spreadsheets of some languages write semicolons, and commas into numbers.
  static func hasSemicolons(_ line: ArraySlice<UInt8>) -> Bool { kind(line, separator: semicolon) != nil }
}
