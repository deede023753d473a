// SPDX-License-Identifier: Apache-2.0

/// Reads text from Apple's client of Remote Config, which is nearly JSON: names have no quotes, values have
/// single quotes.
///
/// Nothing is escaped: an apostrophe ends its text only if the following characters look like the end of a
/// value.
extension JSONReader {
  /// Reads a value that is not an object, an array or double-quoted; without quotes, a number is also text.
  mutating func appleValue() throws(JSONFailure) -> JSONValue {
    if try appleText() { return .string(lastKey) }
    switch lastKey {
    case "": throw try unexpected("a value is expected")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null", "nil": return .null
    case let word: return .string(word)
    }
  }

  /// Reads a name or a string, in single quotes or without, and stores it in `text`.
  /// - Returns: Whether it was in quotes.
  mutating func appleText() throws(JSONFailure) -> Bool {
    let quote = UInt8(ascii: "'")
    text.removeAll(keepingCapacity: true)
    guard try take(quote) else {
      while at < end, bytes[at] > 0x20, !",:{}[]'\"".utf8.contains(bytes[at]) {
        text.append(bytes[at])
        at += 1
      }
      return false
    }
    while at < end {
      let byte = bytes[at]
      at += 1
      if byte == quote, endsText() { return true }
      guard byte == UInt8(ascii: "\\"), at < end, bytes[at] == quote else {
        text.append(byte)
        continue
      }
      text.append(quote)
      at += 1
    }
    throw notJSON("a string is not terminated")
  }

  /// Returns whether the end of a value or a colon follows, or a comma and the next value or name.
  private func endsText() -> Bool {
    var place = afterBlanks(from: at)
    guard place < end else { return true }
    guard bytes[place] == UInt8(ascii: ",") else { return "}]:".utf8.contains(bytes[place]) }
    place = afterBlanks(from: place + 1)
    guard place < end, !"'\"{[}]".utf8.contains(bytes[place]) else { return true }
    let limit = min(end, place + 100)
    while place < limit, isOfWord(bytes[place]) { place += 1 }
    place = afterBlanks(from: place)
    return place < end && ":,]".utf8.contains(bytes[place])
  }

  private func afterBlanks(from start: Int) -> Int {
    bytes[start..<end].firstIndex { $0 > 0x20 } ?? end
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }
}
