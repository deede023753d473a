// SPDX-License-Identifier: Apache-2.0

/// The file that a reader's bytes come from.
package final class ByteSource {
  private let descriptor: Int32

  /// Opens a file, a pipe, or anything else that can be read.
  /// - Throws: The system's reason.
  package init(path: String) throws(SystemError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  deinit { close(descriptor) }

  /// Fills `bytes` from `start`.
  /// - Returns: The number of bytes read, 0 at the end.
  package func read(into bytes: inout [UInt8], from start: Int) throws(SystemError) -> Int {
    while true {
      // SAFETY: `start` is at most the count; the call writes at most the bytes after it.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        return unsafe systemRead(descriptor, rest)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw SystemError(errno) }
    }
  }
}

// Outside the class, whose own `read` would hide the system's.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
