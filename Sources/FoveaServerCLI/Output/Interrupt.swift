// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem
  internal import Synchronization

  /// Ctrl-C for a command that has something to take back before it ends.
  enum Interrupt {
    /// Global because a signal handler reaches nothing else.
    private static let count = Atomic<Int>(0)

    /// Makes a Ctrl-C that comes from now on a request, the second one the end.
    static func install() {
      // The handler must not be what makes them.
      _ = (count.load(ordering: .relaxed), code)
      var action = sigaction()
      action.sa_flags = SA_RESTART
      unsafe action.__sigaction_handler.sa_handler = { _ in
        if Interrupt.count.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(Interrupt.code) }
      }
      unsafe sigaction(SIGINT, &action, nil)
    }

    /// The exit code, as a shell reports a process that Ctrl-C has ended.
    static let code: Int32 = 130

    static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }
  }
#endif
