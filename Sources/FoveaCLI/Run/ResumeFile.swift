// SPDX-License-Identifier: Apache-2.0

import Fovea

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The output of an earlier run: read once, then brought into a state that can be appended to.
struct ResumeFile {
  let path: String
  let scan: ResumeScan

  /// Longer lines are no results: 64 MiB.
  private static let maximumLine = 1 << 26

  /// Reads what is there; a missing file is an empty one.
  init(path: String, reader: some ResumeReader) throws(FoveaError) {
    self.path = path
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 && errno == ENOENT {
      scan = ResumeScan()
      return
    }
    guard descriptor >= 0 else { throw ResumeFile.failure(path, errno) }
    defer { close(descriptor) }
    guard FileStatus(descriptor: descriptor)?.kind == .file else {
      throw FoveaError(
        code: .init(rawValue: "resume-not-a-file"), message: "'\(path.printable)' is not a file",
        remedy: "Name a file with --output")
    }
    var reader = reader
    scan = try ResumeFile.read(descriptor, path: path, into: &reader)
    // A file without a single result is something else, named by mistake: it must not be cut.
    if scan.done.isEmpty && scan.failed == 0 && scan.unreadable > 0 {
      throw FoveaError(
        code: .init(rawValue: "resume-not-results"),
        message: "'\(path.printable)' holds no results of this command and format",
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
      guard count >= 0 else { throw failure(path, Int32(-count)) }
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

  /// Removes what must go, so that the file ends with a whole line and holds nothing that will come again.
  ///
  /// A torn end is cut off in place. Everything else is done on a copy that replaces the file at the end: a kill at
  /// any moment leaves the old file or the new one.
  /// - Parameter output: The open file that results will be appended to; it follows the copy.
  /// - Throws: `resume-failed`, `output-in-use`.
  func prepare(for output: OutputFile? = nil) throws(FoveaError) {
    if let cut = scan.cut {
      guard cut < scan.length else { return }
      guard unsafe truncate(path, cut) == 0 else { throw ResumeFile.failure(path, errno) }
      return
    }
    try rewrite(for: output)
  }

  private func rewrite(for output: OutputFile?) throws(FoveaError) {
    // Of a symbolic link the target is replaced.
    let path = (try? WholeFile.target(of: path)) ?? path
    let partial = PartialPath.beside(path)
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw ResumeFile.failure(path, errno) }
    defer { close(source) }
    let target: Int32
    do throws(WholeFile.Failure) { (target, _) = try FileLock.open(partial) } catch {
      if error.number == EWOULDBLOCK { throw FileLock.inUse(path, option: "--output") }
      throw ResumeFile.failure(partial, error.number)
    }
    var kept: [Range<Int>] = []
    var start = 0
    for range in scan.dropped {
      kept.append(start..<range.lowerBound)
      start = range.upperBound
    }
    kept.append(start..<scan.length)
    // Left by a process that was killed.
    var number: Int32 = ftruncate(target, 0) == 0 ? 0 : errno
    for range in kept where number == 0 { number = ResumeFile.copy(range, from: source, to: target) }
    if number == 0 { number = Descriptor.flush(target) }
    if number == 0, unsafe rename(partial, path) != 0 { number = errno }
    guard number == 0 else {
      unsafe unlink(partial)
      close(target)
      throw ResumeFile.failure(path, number)
    }
    if let output { output.adopt(target) } else { close(target) }
  }

  /// Copies bytes between files; 0 or the error number.
  private static func copy(_ range: Range<Int>, from source: Int32, to target: Int32) -> Int32 {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var position = range.lowerBound
    while position < range.upperBound {
      let count = unsafe pread(source, &chunk, min(chunk.count, range.upperBound - position), position)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      if let error = Descriptor.write(chunk[..<count], to: target).error { return error }
      position += count
    }
    return 0
  }

  private static func failure(_ path: String, _ number: Int32) -> FoveaError {
    FoveaError(
      code: .init(rawValue: "resume-failed"),
      message: "'\(path.printable)' cannot be resumed: \(systemMessage(number))",
      remedy: "Check the file and the free space, or leave --resume out to begin anew")
  }
}
