// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// Files and folders that only the host's user can read.
package enum PrivateFile {
  /// Creates a folder readable only by its owner, with missing parent folders.
  /// - Throws: The system's error; `ENOTEMPTY` if it exists and is not empty.
  package static func makeFolder(_ path: String) throws(SystemError) {
    try Folder.make(leadingTo: path)
    if unsafe mkdir(path, 0o700) != 0 {
      guard errno == EEXIST else { throw SystemError(errno) }
      var count = 0
      try Folder.forEach(in: FilePath(path)) { _, _ in count += 1 }
      guard count == 0 else { throw SystemError(ENOTEMPTY) }
      guard unsafe chmod(path, 0o700) == 0 else { throw SystemError(errno) }
    }
  }

  /// Hard-links a file, or copies it byte by byte if the link is not possible, for example to another file
  /// system.
  /// - Throws: The system's error.
  package static func link(_ source: String, to target: String) throws(SystemError) {
    if systemLink(source, target) == 0 { return }
    guard errno == EXDEV || errno == EPERM || errno == EMLINK || errno == ENOTSUP else {
      throw SystemError(errno)
    }
    try copy(source, to: target)
  }

  /// Copies a file byte by byte.
  /// - Returns: The size and sums of the copied bytes.
  /// - Throws: The system's error; no partial copy is left.
  @discardableResult
  package static func copy(_ source: String, to target: String) throws(SystemError) -> FinishedBlob {
    let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw SystemError(errno) }
    defer { close(input) }
    let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw SystemError(errno) }
    defer { close(output) }
    do throws(SystemError) {
      var sums = BlobSums()
      try Descriptor.forEachChunk(of: input, size: 1 << 18) { chunk throws(SystemError) in
        sums.update(chunk)
        if let number = Descriptor.write(chunk, to: output).error { throw SystemError(number) }
      }
      try Descriptor.sync(output)
      return sums.finished
    } catch {
      unsafe unlink(target)
      throw error
    }
  }
}

// Outside the enumeration, whose own `link` would hide the system's.
private func systemLink(_ source: String, _ target: String) -> Int32 { unsafe link(source, target) }
#endif
