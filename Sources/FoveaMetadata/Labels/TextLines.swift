// SPDX-License-Identifier: Apache-2.0

/// The lines of a small text file: UTF-8, LF, CRLF or CR, with or without a byte order mark.
enum TextLines {
  /// The largest text file that is read, 16 MiB.
  static let maxBytes = 16 << 20

  /// Splits `bytes`; a text that ends with a line end has an empty last line.
  static func split(
    _ bytes: [UInt8], source: String, code: MetadataCode
  ) throws(MetadataError) -> [String] {
    guard bytes.count <= maxBytes else {
      throw MetadataError(
        .tooLarge, "\(source) has \(bytes.count) bytes; at most \(maxBytes) are read",
        remedy: "Give a file of labels: lines, pbtxt, CSV, JSON or YAML")
    }
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    var lines: [String] = []
    for line in content.split(separator: separator(of: content), omittingEmptySubsequences: false) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let text = String(validating: line, as: UTF8.self)
      // Zeros are UTF-16 without its mark, or no text at all.
      guard let text, !line.contains(0) else {
        throw MetadataError(
          code, "Line \(lines.count + 1) of \(source) \(text == nil ? "is not UTF-8" : "has a NUL byte")",
          remedy: "Save the file as UTF-8 text")
      }
      lines.append(text)
    }
    return lines
  }
  /// What ends the lines of a text: LF, or CR where it has no LF.
  static func separator(of content: some Collection<UInt8>) -> UInt8 {
    let feed = UInt8(ascii: "\n")
    return content.contains(feed) || !content.contains(UInt8(ascii: "\r")) ? feed : UInt8(ascii: "\r")
  }
}
