// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Signals that ask a command to end: the first one and its echo are a request, a later one is the end.
package final class ReceivedSignals: Sendable {
  /// When the first one came, in milliseconds; `Int64.min` before.
  private let first = Atomic<Int64>(.min)
  private let signal = Atomic<Int32>(0)

  package init() {}

  /// Notes a signal that has come now; a signal handler calls it.
  /// - Returns: The code to exit with at once; nil for the first signal and its echo.
  package func receive(_ number: Int32) -> Int32? {
    var time = timespec()
    // SAFETY: the clock is one that every system has, and the pointer is valid for the call.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return receive(number, at: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The same for a signal that came at a time, in milliseconds of a clock that is never set back.
  package func receive(_ number: Int32, at time: Int64) -> Int32? {
    let (isFirst, before) = first.compareExchange(expected: .min, desired: time, ordering: .relaxed)
    guard isFirst else { return time - before < SignalEcho.milliseconds ? nil : 128 + number }
    signal.store(number, ordering: .relaxed)
    return nil
  }

  /// The exit code, as a shell reports a process that the first signal has ended; nil before one has come.
  package var code: Int32? {
    let number = signal.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}

/// The echo of a signal: `timeout`, terminals and programs that run others send one signal to the process and again to its
/// group, while a person needs a moment to lose patience.
package enum SignalEcho {
  /// For how many milliseconds after the first a signal is the same one; read in signal handlers.
  package static var milliseconds: Int64 { 100 }
}
