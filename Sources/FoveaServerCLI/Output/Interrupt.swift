// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaSystem
  internal import Synchronization

  /// Signals that ask a command to end which has something to take back first: Ctrl-C, SIGTERM and SIGHUP.
  enum Interrupt {
    /// The signals that have come.
    final class Received: Sendable {
      /// When the first one came, in milliseconds; `Int64.min` before.
      private let first = Atomic<Int64>(.min)
      private let signal = Atomic<Int32>(0)

      /// Notes a signal; a signal handler calls it.
      /// - Returns: The code to exit with at once; nil for the first signal and its echo.
      func receive(_ number: Int32, at time: Int64) -> Int32? {
        let (isFirst, before) = first.compareExchange(expected: .min, desired: time, ordering: .relaxed)
        guard isFirst else { return time - before < SignalEcho.milliseconds ? nil : 128 + number }
        signal.store(number, ordering: .relaxed)
        return nil
      }

      /// The exit code, as a shell reports a process that the first signal has ended; nil before one has come.
      var code: Int32? {
        let number = signal.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
      }
    }

    /// Global because a signal handler reaches nothing else.
    private static let received = Received()

    /// Makes a signal that comes from now on a request, the second one the end.
    static func install() {
      // The handler must not be what makes it.
      _ = received.code
      var action = sigaction()
      action.sa_flags = SA_RESTART
      unsafe action.__sigaction_handler.sa_handler = { number in
        if let code = Interrupt.received.receive(number, at: Interrupt.milliseconds) { _exit(code) }
      }
      unsafe sigaction(SIGINT, &action, nil)
      unsafe sigaction(SIGTERM, &action, nil)
      var before = sigaction()
      unsafe sigaction(SIGHUP, nil, &before)
      // A command that 'nohup' has started goes on without its terminal. SIG_IGN is the address 1.
      // SAFETY: the union has the size of a pointer, which each of its members is.
      if unsafe unsafeBitCast(before.__sigaction_handler, to: Int.self) != 1 {
        unsafe sigaction(SIGHUP, &action, nil)
      }
    }

    static var isRequested: Bool { received.code != nil }

    /// Runs a command; one that fails after a signal ends with the code of the signal.
    static func withCode(_ body: () async throws -> Void) async throws {
      do { try await body() } catch let code as ExitCode {
        throw received.code.map { ExitCode($0) } ?? code
      }
    }

    /// The time of a clock that is never set back; signal handlers may ask for it.
    private static var milliseconds: Int64 {
      var time = timespec()
      // SAFETY: the clock is one that every system has, and the pointer is valid for the call.
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
  }
#endif
