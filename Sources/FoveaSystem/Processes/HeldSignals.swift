// SPDX-License-Identifier: Apache-2.0

/// Signals that wait while one program takes the place of another, which answers them.
package enum HeldSignals {
  /// Holds SIGTERM, SIGINT and SIGHUP back from the calling thread, and from a program that takes its place.
  package static func hold() { change(SIG_BLOCK) }

  /// Delivers those that have come, and all later ones.
  package static func release() { change(SIG_UNBLOCK) }

  private static func change(_ change: Int32) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(change, &signals, nil)
  }
}
