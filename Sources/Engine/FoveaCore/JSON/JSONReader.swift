// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text from start to end, in constant memory.
///
/// Strict: violations of RFC 8259 are errors with line, column and offset. In addition, nesting is limited to
/// 512 levels, a number to 400 characters and a stored string to 64 KiB. Results of a million boxes are 100
/// MB of text, which Foundation's decoder would first turn into gigabytes of values.
package struct JSONReader: ~Copyable {
  /// The name of the text in messages.
  package let name: String
  private let source: ByteSource?
  /// The part of the text in memory: the bytes from `at` to `end` are still unread.
  var bytes: [UInt8]
  var at = 0
  var end: Int
  private var isAtEnd: Bool
  /// The offset of `bytes[0]` in the text.
  private var base = 0
  /// The index in `bytes` up to which lines are counted, their number, and the offset of the last one.
  private var counted = 0
  private var linesBefore = 0
  private var lineStart = 0
  /// The last key or stored string.
  var text: [UInt8] = []
  /// The maximum size of a stored string in bytes.
  package var longestString = 1 << 16
  /// Whether half of a surrogate pair, which is not valid in text, is read as U+FFFD; otherwise it is an
  /// error.
  ///
  /// True by default: result files contain it if a writer has cut a name.
  package var takesHalfPairs = true
  /// Whether a comma may follow the last element or member, as in Google's own AutoML sample.
  package var takesLastComma = false
  /// Whether names need no quotes, and values may have single ones, as in the output of Apple's Remote Config
  /// client; requires the text to be in memory.
  package var takesAppleText = false
  /// Whether a duplicate member among those that ``nextKey(_:)`` returns is an error; otherwise both are
  /// read.
  package var refusesTwins = false
  /// The members so far of each open object, if duplicates are refused.
  var members: [Set<String>] = []
  /// The maximum depth of nested arrays and objects, including the innermost value.
  package var maximumDepth = 512
  /// The maximum number of members and elements in all objects and arrays of a tree.
  package var maximumValues = Int.max
  /// The number of values of a tree read so far.
  var valueCount = 0

  /// The maximum number of members of an object if duplicates are refused, which needs memory for each.
  static let maximumMembers = 10_000
  static let maximumNumberLength = 400
  private static let chunk = 1 << 18

  private init(source: ByteSource?, bytes: [UInt8], end: Int, name: String) {
    self.name = name
    self.source = source
    self.bytes = bytes
    self.end = end
    isAtEnd = source == nil
  }

  /// Creates a reader of text in memory.
  package init(bytes: [UInt8], name: String) {
    self.init(source: nil, bytes: bytes, end: bytes.count, name: name)
    skipByteOrderMark()
  }

  /// Returns a reader of a file, a pipe, or anything else that can be opened and read.
  package static func file(_ path: String) throws(JSONFailure) -> JSONReader {
    let name = "'\(path)'"
    let source: ByteSource
    do throws(SystemError) { source = try ByteSource(path: path) } catch { throw JSONFailure(name, error) }
    return try JSONReader(source, name: name)
  }

  /// Creates a reader of an open file.
  package init(_ source: ByteSource, name: String) throws(JSONFailure) {
    self.init(source: source, bytes: [UInt8](repeating: 0, count: JSONReader.chunk), end: 0, name: name)
    try fill(4)
    skipByteOrderMark()
  }

  private mutating func skipByteOrderMark() {
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
  }

  /// Makes at least `count` bytes available, or all remaining ones.
  @inline(__always)
  package mutating func need(_ count: Int) throws(JSONFailure) {
    if end - at < count && !isAtEnd { try fill(count) }
  }

  @inline(never)
  private mutating func fill(_ count: Int) throws(JSONFailure) {
    _ = mark()
    counted -= at
    bytes.replaceSubrange(0..<(end - at), with: Array(bytes[at..<end]))
    base += at
    end -= at
    at = 0
    while end < count && !isAtEnd {
      let read: Int
      do throws(SystemError) { read = try source?.read(into: &bytes, from: end) ?? 0 } catch {
        throw JSONFailure(name, error)
      }
      if read == 0 { isAtEnd = true }
      end += read
    }
  }

  /// Returns the next byte that is not white space, without consuming it; nil at the end of the text.
  @inline(__always)
  package mutating func peek() throws(JSONFailure) -> UInt8? {
    while true {
      while at < end {
        let byte = bytes[at]
        guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
        at += 1
      }
      try need(1)
      if at == end { return nil }
    }
  }

  /// Consumes `byte` if it is the next one that is not white space.
  @inline(__always)
  package mutating func take(_ byte: UInt8) throws(JSONFailure) -> Bool {
    guard try peek() == byte else { return false }
    at += 1
    return true
  }

  /// Consumes `byte`, or throws: a mismatch if an object or an array is expected and another value follows.
  package mutating func expect(_ byte: UInt8, _ what: String) throws(JSONFailure) {
    guard try !take(byte) else { return }
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
      throw try unexpected("\(what) is expected")
    }
    throw try otherKind("expected \(what)")
  }

  /// Returns an error at the next value, which is of another kind than required: a mismatch that names it, or
  /// an error in the JSON if there is no value.
  package mutating func otherKind(_ what: String) throws(JSONFailure) -> JSONFailure {
    let kind: String
    switch try peek() ?? 0 {
    case UInt8(ascii: "{"): kind = "an object"
    case UInt8(ascii: "["): kind = "an array"
    case UInt8(ascii: "\""): kind = "a string"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = "a boolean"
    case UInt8(ascii: "n"): kind = "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = "a number"
    default: return try unexpected(what)
    }
    let failure = mismatch("\(what), got \(kind)")
    // A text that only begins like a value, such as `no JSON`, is not JSON.
    if kind != "an object", kind != "an array" { try skip() }
    return failure
  }

  /// Throws unless only white space follows.
  package mutating func expectEnd() throws(JSONFailure) {
    guard try peek() == nil else { throw try unexpected("there is text after the end of the value") }
  }

  /// Returns an error at the next byte: the expected text, and the actual one.
  package mutating func unexpected(_ what: String) throws(JSONFailure) -> JSONFailure {
    guard let byte = try peek() else { return notJSON("\(what), but the text ends") }
    let shown =
      byte > 0x20 && byte < 0x7F
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16)
    return notJSON("\(what), found \(shown)")
  }

  /// The number of bytes consumed.
  package var offset: Int { base + at }

  /// The place of the next byte in the text.
  package var place: JSONPlace {
    var line = linesBefore + 1
    var start = lineStart
    for index in counted..<max(counted, at) where bytes[index] == 0x0A {
      line += 1
      start = base + index + 1
    }
    return JSONPlace(line: line, column: base + at - start + 1, byte: base + at)
  }

  /// Returns the place of the next byte, and counts its lines for later places: unlike ``place``, it may be
  /// called for each value of a large text.
  package mutating func mark() -> JSONPlace {
    let place = place
    (linesBefore, lineStart, counted) = (place.line - 1, place.byte - place.column + 1, max(counted, at))
    return place
  }

  package func notJSON(_ reason: String) -> JSONFailure {
    let encoding = base == 0 ? ByteOrderMark.encoding(of: bytes[..<end]) : nil
    let reason =
      encoding.map { "it is \($0) text by its byte order mark, and UTF-8 is needed," } ?? reason
    return JSONFailure(base + end == 0 ? .empty : .notJSON, name, "\(reason) at \(place)")
  }
}

/// A place in a JSON text.
package struct JSONPlace: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package var line: Int
  /// The column in bytes, from 1.
  package var column: Int
  /// The offset in bytes.
  package var byte: Int

  /// Line, column and byte, as errors name them.
  package var description: String { "line \(line), column \(column), byte \(byte)" }
}
