// SPDX-License-Identifier: Apache-2.0

/// The fields of one line, separated by commas, or by spaces and tabs if the line has no comma.
struct LineFields {
  private(set) var ranges: [Range<Int>] = []

  /// The number of fields.
  var count: Int { ranges.count }

  /// Splits a line into fields; ignores spaces around them and one comma after the last.
  mutating func split(_ bytes: [UInt8], _ line: Range<Int>) {
    ranges.removeAll(keepingCapacity: true)
    var start = line.lowerBound
    var hasComma = false
    for index in line where bytes[index] == UInt8(ascii: ",") {
      hasComma = true
      ranges.append(LineFields.trimmed(bytes, start..<index))
      start = index + 1
    }
    guard !hasComma else {
      let last = LineFields.trimmed(bytes, start..<line.upperBound)
      if !last.isEmpty { ranges.append(last) }
      return
    }
    splitAtSpaces(bytes, line)
  }

  /// Splits a line into fields separated by spaces or tabs.
  mutating func splitAtSpaces(_ bytes: [UInt8], _ line: Range<Int>) {
    ranges.removeAll(keepingCapacity: true)
    var start = line.lowerBound
    for index in line where LineFields.isSpace(bytes[index]) {
      if index > start { ranges.append(start..<index) }
      start = index + 1
    }
    if line.upperBound > start { ranges.append(start..<line.upperBound) }
  }

  /// Returns a field for messages: printable ASCII, other bytes as \xNN, cut at 20 characters.
  static func shown(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    var text = "'"
    for byte in bytes[range].prefix(20) {
      let isPrintable = byte >= 0x20 && byte < 0x7F
      text += isPrintable ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }
    return text + (range.count > 20 ? "…'" : "'")
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  @inline(__always)
  private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isSpace(bytes[start]) { start += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}
