// SPDX-License-Identifier: Apache-2.0

import FoveaCore

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
