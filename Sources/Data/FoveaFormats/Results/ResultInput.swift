// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// A file or folder of results by what it is.
///
/// A pipe can be read once: it is opened here, and its reader goes on behind the bytes that show its form.
struct ResultInput {
  let path: String
  let kind: ResultKind
  /// What a pipe has given: the beginning of lines, all of another form; nil for a file or folder.
  private let bytes: [UInt8]?
  /// The rest of a pipe with lines.
  private let source: ByteSource?

  /// What messages call it.
  var name: String { "'\(path)'" }

  /// Finds out what a file, a folder or a pipe is.
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

  /// Its text as JSON, from the beginning.
  func json() throws(JSONFailure) -> JSONReader {
    if let bytes { return JSONReader(bytes: bytes, name: name) }
    return try JSONReader.file(path)
  }

  /// Its whole text, where it is no lines.
  func text() throws(EvaluationError) -> [UInt8] {
    if let bytes { return bytes }
    return try RecordFile.bytes(path)
  }

  /// Its lines; those of a pipe once.
  func lines() throws(EvaluationError) -> LineReader {
    if let source, let bytes { return LineReader(source, start: bytes, name: name) }
    return try LineReader.file(path)
  }

  /// The first bytes of a pipe, which come in pieces.
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

  /// Appends what a pipe has left.
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
