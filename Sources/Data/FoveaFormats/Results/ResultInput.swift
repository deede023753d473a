// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// A file or folder of results with its kind.
///
/// A pipe can be read only once, so it is opened here, and its reader continues after the first bytes.
struct ResultInput {
  let path: String
  let kind: ResultKind
  /// The bytes read from a pipe: only the first ones if it contains lines, otherwise all; nil for a file or
  /// folder.
  private let bytes: [UInt8]?
  /// The rest of a pipe with lines.
  private let source: ByteSource?

  /// The name in messages.
  var name: String { "'\(path)'" }

  /// Detects the kind of a file, a folder or a pipe.
  /// - Throws: `unreadable`.
  init(path: String) throws(EvaluationError) {
    self.path = path
    if let known = FileStatus(FilePath(path))?.kind, known != .other {
      kind = try ResultKind(path: path)
      bytes = nil
      source = nil
      return
    }
    let pipe: ByteSource
    var content: [UInt8]
    let found: ResultKind
    do throws(SystemError) {
      pipe = try ByteSource(path: path)
      content = try ResultInput.start(of: pipe)
      found = ResultKind(start: content)
      if found != .other { try ResultInput.append(pipe, to: &content) }
    } catch {
      throw EvaluationError(JSONFailure("'\(path)'", error))
    }
    kind = found
    bytes = content
    source = found == .other ? pipe : nil
  }

  /// Returns a reader of the text as JSON, from the start.
  func json() throws(JSONFailure) -> JSONReader {
    if let bytes { return JSONReader(bytes: bytes, name: name) }
    return try JSONReader.file(path)
  }

  /// Returns the complete text of an input that does not hold lines.
  func text() throws(EvaluationError) -> [UInt8] {
    if let bytes { return bytes }
    return try RecordFile.bytes(path)
  }

  /// Returns a reader of the lines; a pipe can be read only once.
  func lines() throws(EvaluationError) -> LineReader {
    if let source, let bytes { return LineReader(source, start: bytes, name: name) }
    return try LineReader.file(path)
  }

  /// Reads the first bytes of a pipe, which arrive in pieces.
  private static func start(of pipe: ByteSource) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ResultKind.startLength)
    var count = 0
    while count < bytes.count {
      let read = try pipe.read(into: &bytes, from: count)
      guard read > 0 else { break }
      count += read
    }
    return Array(bytes[..<count])
  }

  /// Appends the rest of a pipe.
  private static func append(_ pipe: ByteSource, to bytes: inout [UInt8]) throws(SystemError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try pipe.read(into: &chunk, from: 0)
      guard count > 0 else { return }
      guard bytes.count + count <= ResultKind.limit else { throw SystemError(EFBIG) }
      bytes += chunk[..<count]
    }
  }
}
