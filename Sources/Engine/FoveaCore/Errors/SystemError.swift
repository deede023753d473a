// SPDX-License-Identifier: Apache-2.0

/// An error of the operating system.
package struct SystemError: Error, Sendable, Equatable {
  /// The value of `errno`.
  package let number: Int32

  /// Creates the error of an `errno` value.
  package init(_ number: Int32) { self.number = number }

  /// The system's description of the error.
  package var message: String { systemMessage(number) }

  /// Whether another process holds the file's lock.
  package var isInUse: Bool { number == EWOULDBLOCK }

  /// Whether the disk or the user's quota is full.
  package var isFull: Bool { number == ENOSPC || number == EDQUOT }

  /// Whether a file would exceed the process's limit (`ulimit -f`) or the file system's.
  package var isTooLarge: Bool { number == EFBIG }

  /// The first step towards writing the whole file; nil if neither space nor a limit is the reason.
  package var spaceRemedy: String? {
    if isFull { return "Free some space" }
    return isTooLarge ? "Raise the limit on the size of files (ulimit -f)" : nil
  }
}

/// Returns the system's description of an error number.
package func systemMessage(_ number: Int32) -> String {
  // strerror may use a static buffer in theory; glibc's is per thread.
  guard let text = unsafe strerror(number) else { return "error \(number)" }
  return unsafe String(cString: text)
}
