// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// The output of an earlier run, which is read once and then prepared for appending.
struct ResumeFile {
  let path: String
  let scan: ResumeScan

  /// The maximum length of a result line: 64 MiB.
  private static let maximumLine = 1 << 26

  /// Reads the file; a missing file counts as empty.
  init(path: String, reader: some ResumeReader) throws(FoveaError) {
    self.path = path
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 && errno == ENOENT {
      scan = ResumeScan()
      return
    }
    guard descriptor >= 0 else { throw ResumeFile.failure(path, SystemError(errno)) }
    defer { close(descriptor) }
    guard FileStatus(descriptor: descriptor)?.kind == .file else {
      throw FoveaError(
        .resumeNotAFile, "'\(path.printable)' is not a file",
        remedy: "Name a file with --output")
    }
    var reader = reader
    scan = try ResumeFile.read(descriptor, path: path, into: &reader)
    // A file without a single result was probably named by mistake and must not be cut.
    if scan.done.isEmpty && scan.failed == 0 && scan.unreadable > 0 {
      throw FoveaError(
        .resumeNotResults,
        "'\(path.printable)' holds no results of this command and format",
        remedy: "Name the file of the earlier run, or leave --resume out to replace it")
    }
  }

  private static func read(_ descriptor: Int32, path: String, into reader: inout some ResumeReader)
    throws(FoveaError) -> ResumeScan
  {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var line: [UInt8] = []
    var lineStart = 0
    var position = 0
    var isQuoted = false
    while true {
      let count = Descriptor.read(descriptor, into: &chunk)
      guard count >= 0 else { throw failure(path, SystemError(Int32(-count))) }
      guard count > 0 else { break }
      var start = 0
      for index in 0..<count {
        let byte = chunk[index]
        if byte == 0x22 && reader.honorsQuotes { isQuoted.toggle() }
        guard byte == 0x0A, !isQuoted else { continue }
        if line.count < maximumLine { line += chunk[start...index] }
        let end = position + index + 1
        reader.take(line[...], at: lineStart..<end)
        line.removeAll(keepingCapacity: line.count < 1 << 20)
        lineStart = end
        start = index + 1
      }
      if line.count < maximumLine { line += chunk[start..<count] }
      position += count
    }
    return reader.finish(whole: lineStart, length: position)
  }

  /// Removes incomplete lines and results that will be written again.
  ///
  /// An incomplete last line is cut off in place. Other changes are made in a copy that then replaces the
  /// file: a kill at any moment leaves either the old or the new file.
  /// - Parameter output: The open file that results are appended to; it switches to the copy.
  /// - Throws: `resume-failed`, `output-in-use`.
  func prepare(for output: OutputFile? = nil) throws(FoveaError) {
    if let cut = scan.cut {
      guard cut < scan.length else { return }
      guard unsafe truncate(path, cut) == 0 else { throw ResumeFile.failure(path, SystemError(errno)) }
      return
    }
    try rewrite(for: output)
  }

  private func rewrite(for output: OutputFile?) throws(FoveaError) {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw ResumeFile.failure(path, SystemError(errno)) }
    defer { close(source) }
    do throws(SystemError) {
      let copy = try ReplacedFile(path, isLocked: output != nil)
      do throws(SystemError) {
        for range in kept { try ResumeFile.copy(range, from: source, to: copy) }
        guard let output else { return try copy.commit() }
        output.adopt(try copy.commitKeepingLock())
      } catch {
        copy.discard()
        throw error
      }
    } catch {
      if error.isInUse { throw .outputInUse(path, option: "output") }
      throw ResumeFile.failure(path, error)
    }
  }

  /// The byte ranges of the file to keep.
  private var kept: [Range<Int>] {
    var kept: [Range<Int>] = []
    var start = 0
    for range in scan.dropped {
      kept.append(start..<range.lowerBound)
      start = range.upperBound
    }
    return kept + [start..<scan.length]
  }

  private static func copy(
    _ range: Range<Int>, from source: Int32, to target: ReplacedFile
  ) throws(SystemError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var position = range.lowerBound
    while position < range.upperBound {
      let count = unsafe pread(source, &chunk, min(chunk.count, range.upperBound - position), position)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError(count < 0 ? errno : EIO) }
      try target.write(chunk[..<count])
      position += count
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> FoveaError {
    FoveaError(
      .resumeFailed,
      "'\(path.printable)' cannot be resumed: \(error.message)",
      remedy: "Check the file and the free space, or leave --resume out to start over")
  }
}
