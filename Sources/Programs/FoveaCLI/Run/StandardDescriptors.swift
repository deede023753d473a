// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The three descriptors that every program counts on.
enum StandardDescriptors {
  /// Occupies those that the parent has closed (`>&-`).
  ///
  /// The next file to be opened would get their number, and results or messages would be written into it. The place
  /// holders are open the wrong way round, so that using them fails as using a closed descriptor does.
  static func occupy() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      let opened = unsafe open("/dev/null", mode)
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }

  /// Standard output or standard error, where the path leads to it, as "/dev/stdout" does; nil elsewhere.
  static func output(at path: String) -> Int32? {
    guard let identity = FileStatus(FilePath(path))?.identity else { return nil }
    return [STDOUT_FILENO, STDERR_FILENO].first { FileStatus(descriptor: $0)?.identity == identity }
  }
}
