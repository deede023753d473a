// SPDX-License-Identifier: Apache-2.0

/// The signals of the process.
package enum Signals {
  /// Those that ask it to end, or to read its configuration again.
  package static let requests = [SIGTERM, SIGINT, SIGHUP]

  /// Has a function called at signals from now on; system calls that wait go on after it.
  /// - Parameters:
  ///   - numbers: The signals.
  ///   - handler: What is called with a signal's number. It may do only what is safe in the midst of any other code: read and
  ///     write atomics that are there before, and end the process by `_exit`.
  package static func handle(_ numbers: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    unsafe action.__sigaction_handler.sa_handler = handler
    for number in numbers { unsafe sigaction(number, &action, nil) }
  }

  /// Holds ``requests`` back from the calling thread, and from a program that takes the place of this one.
  package static func hold() { change(SIG_BLOCK) }

  /// Delivers those that have come, and all later ones.
  package static func release() { change(SIG_UNBLOCK) }

  private static func change(_ change: Int32) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in requests { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(change, &signals, nil)
  }
}
