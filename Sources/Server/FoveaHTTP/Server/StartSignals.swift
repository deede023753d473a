// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Signals that come before a server hears them: SIGTERM and SIGINT end it, SIGHUP is kept for later.
///
/// A server that does not listen yet has no requests under way, and what it writes at its start is whole at any moment.
package enum StartSignals {
  /// Global because a signal handler reaches nothing else.
  private static let hasHangUp = Atomic(false)

  /// Ends the process with exit code 0 at a signal from now on, until ``ServerSignals`` hear them.
  package static func install() {
    // The handler must not be what makes it.
    _ = hasHangUp.load(ordering: .relaxed)
    Signals.handle(Signals.requests) { number in
      guard number == SIGHUP else { _exit(EXIT_SUCCESS) }
      StartSignals.hasHangUp.store(true, ordering: .relaxed)
    }
  }

  /// Whether a SIGHUP has come, which files may not have been read after.
  static var isReloadRequested: Bool { hasHangUp.load(ordering: .relaxed) }
}
#endif
