// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The lines of a small text file: UTF-8, LF, CRLF or CR, with or without a byte order mark.
enum TextLines {
  /// The maximum size of a text file, 16 MiB.
  static let maxBytes = 16 << 20

  /// Splits `bytes` into lines; a string that ends with a newline has an empty last line.
  static func split(_ bytes: [UInt8], source: String, code: MetadataCode) throws(MetadataError) -> [String] {
    guard bytes.count <= maxBytes else {
      throw MetadataError(
        .tooLarge, "\(source) has \(bytes.count) bytes; at most \(maxBytes) are read",
        remedy: "Use a label file: lines, pbtxt, CSV, JSON or YAML")
    }
    if let refusal = ByteOrderMark.refusal(of: bytes) {
      throw MetadataError(code, "\(source) is \(refusal.reason)", remedy: refusal.remedy)
    }
    let content = withoutMarks(bytes)
    var lines: [String] = []
    for line in slices(content) {
      let text = String(validating: line, as: UTF8.self)
      // Zeros mean UTF-16 without its mark, or not text at all.
      guard let text, !line.contains(0) else {
        throw MetadataError(
          code, "Line \(lines.count + 1) of \(source) \(text == nil ? "is not UTF-8" : "has a NUL byte")",
          remedy: "Save the file as UTF-8 text")
      }
      lines.append(text)
    }
    return lines
  }

  /// Returns the bytes behind a byte order mark, and behind a second one that a program has added.
  static func withoutMarks(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var content = bytes[...]
    while content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    return content
  }

  /// Returns the lines of a string without their ends; a string that ends with a newline has an empty last
  /// line.
  ///
  /// Lines end with LF or CRLF, or with CR if at most the last line ends with LF, as after an editor has
  /// added it to a file with CR.
  static func slices(_ content: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let feed = UInt8(ascii: "\n")
    let mark = UInt8(ascii: "\r")
    guard !content.dropLast().contains(feed), content.contains(mark) else {
      return content.split(separator: feed, omittingEmptySubsequences: false)
        .map { $0.last == mark ? $0.dropLast() : $0 }
    }
    guard content.last == feed else {
      return content.split(separator: mark, omittingEmptySubsequences: false)
    }
    let body = content.dropLast()
    let lines = body.split(separator: mark, omittingEmptySubsequences: false)
    return body.last == mark ? lines : lines + [ArraySlice()]
  }
}
