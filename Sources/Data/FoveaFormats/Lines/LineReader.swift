// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Reads text line by line in constant memory.
struct LineReader: ~Copyable {
  /// The name of the text in messages: a file's name in quotes.
  let name: String
  /// The number of the line that `next` returned last, from 1.
  private(set) var line = 0
  /// The part of the text that is in memory.
  private(set) var bytes: [UInt8]
  private let source: ByteSource?
  private var at = 0
  private var end: Int
  private var isAtEnd: Bool

  /// The maximum length of a line; supported formats stay below it, but another file may be a single line.
  static let maximumLength = 1 << 16
  private static let chunk = 1 << 18

  private init(source: ByteSource?, bytes: [UInt8], end: Int, name: String) {
    self.name = name
    self.source = source
    self.bytes = bytes
    self.end = end
    isAtEnd = source == nil
  }

  /// Creates a reader of text in memory.
  init(bytes: [UInt8], name: String) { self.init(source: nil, bytes: bytes, end: bytes.count, name: name) }

  /// Returns a reader of a file, a pipe, or anything else that can be opened and read.
  static func file(_ path: String) throws(EvaluationError) -> LineReader {
    let name = "'\(path)'"
    let source: ByteSource
    do throws(SystemError) { source = try ByteSource(path: path) } catch {
      throw EvaluationError(JSONFailure(name, error))
    }
    return LineReader(source: source, bytes: [UInt8](repeating: 0, count: chunk), end: 0, name: name)
  }

  /// Creates a reader of a pipe whose first bytes are already read.
  init(_ source: ByteSource, start: [UInt8], name: String) {
    let room = max(LineReader.chunk, start.count) - start.count
    self.init(source: source, bytes: start + [UInt8](repeating: 0, count: room), end: start.count, name: name)
  }

  /// Returns the range of the next line in `bytes`, without its end (`\n` or `\r\n`) and without a byte order
  /// mark; nil at the end of the text.
  /// - Throws: `unreadable`; `invalidLine` if a line is too long.
  mutating func next() throws(EvaluationError) -> Range<Int>? {
    var searched = at
    while true {
      while searched < end, bytes[searched] != 0x0A { searched += 1 }
      if searched < end || isAtEnd { break }
      let length = searched - at
      guard length <= LineReader.maximumLength else { throw tooLong() }
      try fill()
      searched = at + length
    }
    guard at < end else { return nil }
    guard searched - at <= LineReader.maximumLength else { throw tooLong() }
    line += 1
    var range = at..<searched
    at = min(searched + 1, end)
    if let last = range.last, bytes[last] == 0x0D { range = range.lowerBound..<last }
    if line == 1 {
      if let refusal = ByteOrderMark.refusal(of: bytes[range]) {
        throw failure(refusal.reason, remedy: refusal.remedy)
      }
      range = withoutByteOrderMark(range)
    }
    return range
  }

  /// Returns an error about the last line read, or about `line`.
  func failure(_ reason: String, line: Int? = nil, remedy: Advice) -> EvaluationError {
    EvaluationError(.invalidLine, "\(name) line \(line ?? self.line): \(reason)", remedy: remedy)
  }

  private func tooLong() -> EvaluationError {
    failure(
      "more than \(LineReader.maximumLength) bytes without a line end", line: line + 1,
      remedy: "Use a text file with one box per line")
  }

  private func withoutByteOrderMark(_ range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound
    guard range.count >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF else {
      return range
    }
    return (start + 3)..<range.upperBound
  }

  @inline(never)
  private mutating func fill() throws(EvaluationError) {
    let rest = end - at
    for index in 0..<rest { bytes[index] = bytes[at + index] }
    at = 0
    end = rest
    let read: Int
    do throws(SystemError) { read = try source?.read(into: &bytes, from: end) ?? 0 } catch {
      throw EvaluationError(JSONFailure(name, error))
    }
    if read == 0 { isAtEnd = true }
    end += read
  }
}
