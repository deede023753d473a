// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaHost
import FoveaCore
import Logging

/// The log of a server: JSON lines on standard error.
enum ServerLog {
  static func logger(_ label: String) -> Logger {
    Logger(label: label) { label in
      JSONLogHandler(label: label, now: { SystemClock.now().text }) { line in
        _ = Descriptor.write(Array(line.utf8), to: STDERR_FILENO)
      }
    }
  }
}
#endif
