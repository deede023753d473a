// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The three standard descriptors.
enum StandardDescriptors {
  /// Reopens the descriptors that the parent has closed (`>&-`).
  ///
  /// Otherwise the next opened file would get their number, and results or messages would be written into it.
  /// The placeholders are open in the wrong direction, so that reading or writing them fails as with a closed
  /// descriptor.
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

  /// Returns standard output or standard error if the path refers to it, such as "/dev/stdout"; else nil.
  static func output(at path: String) -> Int32? {
    guard let identity = FileStatus(FilePath(path))?.identity else { return nil }
    return [STDOUT_FILENO, STDERR_FILENO].first { FileStatus(descriptor: $0)?.identity == identity }
  }
}

/// Properties of the terminal behind a descriptor.
enum Terminal {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the columns of the terminal, or 80 if it does not report them.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether to use colour: on a terminal that supports it, without `NO_COLOR` (no-color.org).
  static func wantsColor(_ descriptor: Int32) -> Bool {
    guard isTerminal(descriptor) else { return false }
    return Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
  }
}
