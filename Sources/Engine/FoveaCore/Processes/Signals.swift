// SPDX-License-Identifier: Apache-2.0

/// The signals of the process.
package enum Signals {
  /// The signals that ask the process to end, or to reload its configuration.
  package static let requests = [SIGTERM, SIGINT, SIGHUP]

  /// Installs a handler for signals; waiting system calls resume after it.
  /// - Parameters:
  ///   - numbers: The signals.
  ///   - handler: Called with a signal's number. It must be async-signal-safe: it may only read and write
  ///     existing atomics, and end the process by `_exit`.
  package static func handle(_ numbers: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    unsafe action.__sigaction_handler.sa_handler = handler
    for number in numbers { unsafe sigaction(number, &action, nil) }
  }

  /// Blocks ``requests`` in the calling thread, and in a program that replaces this one.
  package static func hold() { change(SIG_BLOCK) }

  /// Unblocks them: pending signals are delivered, and later ones as they arrive.
  package static func release() { change(SIG_UNBLOCK) }

  private static func change(_ change: Int32) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in requests { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(change, &signals, nil)
  }
}
