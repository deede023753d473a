// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text from front to back, in memory that does not grow with it.
///
/// Strict: what RFC 8259 does not allow is an error with line, column and offset. Beyond it, nesting is limited to
/// 512 levels, a number to 400 characters and a string that is kept to 64 KiB. Results of a million boxes are 100 MB
/// of text, which Foundation's decoder would turn into gigabytes of values first.
package struct JSONReader: ~Copyable {
  /// What messages call the text.
  package let name: String
  private let source: ByteSource?
  /// The part of the text that is in memory: from `at` to `end` are the bytes that are not read yet.
  var bytes: [UInt8]
  var at = 0
  var end: Int
  private var isAtEnd: Bool
  /// The offset of `bytes[0]` in the text, and the lines before it.
  private var base = 0
  private var linesBefore = 0
  private var lineStart = 0
  /// The last key or kept string.
  var text: [UInt8] = []
  /// The most bytes of a string that is kept.
  package var longestString = 1 << 16
  /// Whether half of a surrogate pair, which no text can have, is kept as U+FFFD; else it is an error.
  ///
  /// True by default: files of results have it where a writer has cut a name.
  package var takesHalfPairs = true
  /// Whether a comma may follow the last element or member, as in Google's own AutoML sample.
  package var takesLastComma = false
  /// Whether names need no quotes, and values may have single ones, as in what Apple's client of Remote Config sends; the
  /// text is in memory then.
  package var takesAppleText = false
  /// Whether a member that an object has twice is an error, among those that ``nextKey(_:)`` gives; else both are taken.
  package var refusesTwins = false
  /// The members so far of each object that is open, where twins are refused.
  var members: [Set<String>] = []
  /// The most levels of arrays and objects in each other, with the value in them.
  package var maximumDepth = 512
  /// The most members and elements of all objects and arrays of a tree.
  package var maximumValues = Int.max
  /// How many values of a tree were begun.
  var valueCount = 0

  /// The most members of an object where twins are refused, which takes memory for each.
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

  /// A reader of a text that is in memory.
  package init(bytes: [UInt8], name: String) {
    self.init(source: nil, bytes: bytes, end: bytes.count, name: name)
    skipByteOrderMark()
  }

  /// A reader of a file, a pipe, or anything else that can be opened and read.
  package static func file(_ path: String) throws(JSONFailure) -> JSONReader {
    let name = "'\(path)'"
    let source: ByteSource
    do throws(SystemError) { source = try ByteSource(path: path) } catch { throw JSONFailure(name, error) }
    return try JSONReader(source, name: name)
  }

  /// A reader of a file that is open.
  package init(_ source: ByteSource, name: String) throws(JSONFailure) {
    self.init(source: source, bytes: [UInt8](repeating: 0, count: JSONReader.chunk), end: 0, name: name)
    try fill(4)
    skipByteOrderMark()
  }

  private mutating func skipByteOrderMark() {
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
  }

  /// Makes at least `count` bytes available, or all that are left.
  @inline(__always)
  package mutating func need(_ count: Int) throws(JSONFailure) {
    if end - at < count && !isAtEnd { try fill(count) }
  }

  @inline(never)
  private mutating func fill(_ count: Int) throws(JSONFailure) {
    for index in 0..<at where bytes[index] == 0x0A {
      linesBefore += 1
      lineStart = base + index + 1
    }
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

  /// The next byte that is no white space, which stays where it is; nil at the end of the text.
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

  /// Takes `byte` if it is the next one that is no white space.
  @inline(__always)
  package mutating func take(_ byte: UInt8) throws(JSONFailure) -> Bool {
    guard try peek() == byte else { return false }
    at += 1
    return true
  }

  /// Takes `byte`, or fails: with a mismatch where an object or an array is wanted and another value is there.
  package mutating func expect(_ byte: UInt8, _ what: String) throws(JSONFailure) {
    guard try !take(byte) else { return }
    var failure = try unexpected("\(what) is expected")
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), try isValueNext() { failure.kind = .mismatch }
    throw failure
  }

  /// Whether the next byte is the first of a value.
  private mutating func isValueNext() throws(JSONFailure) -> Bool {
    guard let byte = try peek() else { return false }
    return byte &- UInt8(ascii: "0") < 10 || "{[\"-tfn".utf8.contains(byte)
  }

  /// Fails unless only white space follows.
  package mutating func expectEnd() throws(JSONFailure) {
    guard try peek() == nil else { throw try unexpected("the text continues after its end") }
  }

  /// An error at the next byte: what is expected, and what is there.
  package mutating func unexpected(_ what: String) throws(JSONFailure) -> JSONFailure {
    guard let byte = try peek() else { return notJSON("\(what), but the text ends") }
    let shown =
      byte > 0x20 && byte < 0x7F
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16)
    return notJSON("\(what), \(shown) is there")
  }

  /// How many bytes were taken.
  package var offset: Int { base + at }

  /// Line and column, both from 1, and the offset in bytes of the next byte.
  package var place: String {
    var line = linesBefore + 1
    var start = lineStart
    for index in 0..<at where bytes[index] == 0x0A {
      line += 1
      start = base + index + 1
    }
    return "line \(line), column \(base + at - start + 1), byte \(base + at)"
  }

  package func notJSON(_ reason: String) -> JSONFailure {
    JSONFailure(base + end == 0 ? .empty : .notJSON, name, "\(reason) at \(place)")
  }
}
