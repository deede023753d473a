// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// The file that a reader's bytes come from.
final class ByteSource {
  private let descriptor: Int32

  /// A file, a pipe, or whatever else can be opened and read.
  /// - Throws: `unreadable` with the system's reason.
  init(path: String) throws(EvaluationError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ByteSource.unreadable("'\(path)'", errno) }
  }

  deinit { close(descriptor) }

  /// Fills `bytes` from `start` on; `name` is what errors call the file, in its quotes.
  /// - Returns: How many bytes came, 0 at the end.
  func read(into bytes: inout [UInt8], from start: Int, name: String) throws(EvaluationError) -> Int {
    while true {
      // SAFETY: `start` is at most the count; the call writes at most the bytes behind it.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        return unsafe systemRead(descriptor, rest)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw ByteSource.unreadable(name, errno) }
    }
  }

  private static func unreadable(_ name: String, _ number: Int32) -> EvaluationError {
    let reason = systemMessage(number)
    return EvaluationError(
      .unreadable, "\(name) cannot be read: \(reason)", remedy: "Check the path and its permissions")
  }
}

// Outside of the class, whose own `read` would hide the system's.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
