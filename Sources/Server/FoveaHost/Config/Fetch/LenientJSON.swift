// SPDX-License-Identifier: Apache-2.0
#if Server
/// Reads what Google's clients send to fetch: JSON, or Apple's text that is nearly JSON.
///
/// Apple's client writes names without quotes and texts in single quotes, and escapes nothing: an apostrophe within
/// a text ends it only where what follows looks like the end of a value.
struct LenientJSON {
  /// Why a text cannot be read.
  struct Failure: Error, Equatable {
    /// Without a final stop.
    let reason: String
  }

  private let bytes: [UInt8]
  private var index = 0
  private var members = 0

  private static let deepest = 8
  private static let mostMembers = 1_000

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an object.
  static func object(_ bytes: [UInt8]) throws(Failure) -> [ConfigJSON.Member] {
    var reader = LenientJSON(bytes)
    reader.skipBlanks()
    guard reader.next == UInt8(ascii: "{") else { throw reader.failure("an object is expected") }
    guard case .object(let members) = try reader.value(depth: 0) else {
      throw reader.failure("an object is expected")
    }
    reader.skipBlanks()
    guard reader.next == nil else { throw reader.failure("the text goes on after its end") }
    return members
  }

  private func failure(_ reason: String) -> Failure { Failure(reason: "\(reason) at byte \(index)") }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let next, next == 0x20 || (0x09...0x0D).contains(next) { index += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> ConfigJSON {
    guard depth < LenientJSON.deepest else { throw failure("values nest too deep") }
    skipBlanks()
    switch next {
    case nil: throw failure("the text ends")
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try text())
    default:
      let word = bareWord()
      switch word {
      case "true": return .boolean(true)
      case "false": return .boolean(false)
      case "null", "nil": return .null
      case "": throw failure("a value is expected")
      default: return ConfigTerm.number(word) == nil ? .string(word) : .number(word)
      }
    }
  }

  private mutating func count() throws(Failure) {
    members += 1
    guard members <= LenientJSON.mostMembers else {
      throw failure("there are more than \(LenientJSON.mostMembers) values")
    }
  }

  private mutating func object(_ depth: Int) throws(Failure) -> ConfigJSON {
    index += 1
    var found: [ConfigJSON.Member] = []
    while !take(UInt8(ascii: "}")) {
      if !found.isEmpty, !take(UInt8(ascii: ",")) { throw failure("a comma is expected") }
      // A comma before the end is no fault.
      if take(UInt8(ascii: "}")) { break }
      skipBlanks()
      let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
      let key = isQuoted ? try text() : bareWord()
      guard !key.isEmpty, take(UInt8(ascii: ":")) else { throw failure("a name and a colon are expected") }
      try count()
      found.append(.init(key, try value(depth: depth + 1)))
    }
    return .object(found)
  }

  private mutating func array(_ depth: Int) throws(Failure) -> ConfigJSON {
    index += 1
    var values: [ConfigJSON] = []
    while !take(UInt8(ascii: "]")) {
      if !values.isEmpty, !take(UInt8(ascii: ",")) { throw failure("a comma is expected") }
      if take(UInt8(ascii: "]")) { break }
      try count()
      values.append(try value(depth: depth + 1))
    }
    return .array(values)
  }

  /// Letters, digits and the signs of numbers.
  private mutating func bareWord() -> String {
    let start = index
    while let next, !",:{}[]'\"".utf8.contains(next), next > 0x20 { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// A text in either kind of quotes.
  private mutating func text() throws(Failure) -> String {
    let quote = bytes[index]
    let isSingle = quote == UInt8(ascii: "'")
    index += 1
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      if byte == quote {
        guard isSingle, !endsValue(at: index) else { return String(decoding: text, as: UTF8.self) }
        text.append(byte)
      } else if byte == UInt8(ascii: "\\"), !isSingle || next == quote {
        try escape(into: &text)
      } else {
        text.append(byte)
      }
    }
    throw failure("a text has no end")
  }

  /// Whether a quote before this place closes its text: the end of a value, or a colon, follows.
  private func endsValue(at place: Int) -> Bool {
    var place = skippingBlanks(from: place)
    guard place < bytes.count else { return true }
    switch bytes[place] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"): return true
    case UInt8(ascii: ","): break
    default: return false
    }
    // Behind the comma stands the next value, or the next name with its colon.
    place = skippingBlanks(from: place + 1)
    guard place < bytes.count else { return true }
    if "'\"{[}]".utf8.contains(bytes[place]) { return true }
    let limit = min(bytes.count, place + 100)
    while place < limit, PatternSet.words.contains(Unicode.Scalar(bytes[place])) { place += 1 }
    place = skippingBlanks(from: place)
    return place < bytes.count && ":,]".utf8.contains(bytes[place])
  }

  private func skippingBlanks(from place: Int) -> Int {
    var place = place
    while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0D).contains(bytes[place]) { place += 1 }
    return place
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure("a text has no end") }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
    default: text.append(byte)
    }
  }

  /// What `\uXXXX` stands for, with a second one where it is half of a pair; half a pair is U+FFFD.
  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    index += 2
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    guard index + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { throw failure("'\\u' is followed by four hexadecimal digits") }
    index += 4
    return value
  }
}
#endif
