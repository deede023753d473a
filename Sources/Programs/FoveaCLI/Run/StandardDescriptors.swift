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

/// What the process's own descriptors are connected to.
enum Terminal {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal, 80 where it does not report them.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether colour is wanted: a terminal that knows it, and no `NO_COLOR` (no-color.org).
  static func wantsColor(_ descriptor: Int32) -> Bool {
    guard isTerminal(descriptor) else { return false }
    return Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
  }
}
