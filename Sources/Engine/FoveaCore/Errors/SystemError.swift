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

  /// Whether a file would be larger than the process's limit (`ulimit -f`) or the file system allows.
  package var isTooLarge: Bool { number == EFBIG }

  /// The first step towards a file that can be written whole; nil if neither space nor a limit is the reason.
  package var spaceRemedy: String? {
    if isFull { return "Free some space" }
    return isTooLarge ? "Raise the limit on the size of files (ulimit -f)" : nil
  }
}

/// The system's words for an error number.
package func systemMessage(_ number: Int32) -> String {
  // strerror may use a static buffer in theory; glibc's is per thread.
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
