// SPDX-License-Identifier: Apache-2.0

/// What the operating system refused.
package struct SystemError: Error, Sendable, Equatable {
  /// The number that `errno` had.
  package let number: Int32

  /// The error with a number of `errno`.
  package init(_ number: Int32) { self.number = number }

  /// The system's words for it.
  package var message: String { systemMessage(number) }

  /// Whether another process has the file's lock.
  package var isInUse: Bool { number == EWOULDBLOCK }

  /// Whether the disk, or the user's share of it, is full.
  package var isFull: Bool { number == ENOSPC || number == EDQUOT }
}

/// The system's words for an error number.
package func systemMessage(_ number: Int32) -> String {
  // strerror may use a static buffer in theory; glibc's is per thread.
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
