// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Signals that ask a command to end: the first signal and its echo request it, a later one forces it.
package final class ReceivedSignals: Sendable {
  /// The time of the first signal, in milliseconds; `Int64.min` before.
  private let first = Atomic<Int64>(.min)
  private let signal = Atomic<Int32>(0)

  package init() {}

  /// Records a signal; called by a signal handler.
  /// - Returns: The code to exit with immediately; nil for the first signal and its echo.
  package func receive(_ number: Int32) -> Int32? {
    var time = timespec()
    // SAFETY: the clock is one that every system has, and the pointer is valid for the call.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return receive(number, at: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Records a signal that arrived at a time, in milliseconds of a monotonic clock.
  package func receive(_ number: Int32, at time: Int64) -> Int32? {
    let (isFirst, before) = first.compareExchange(expected: .min, desired: time, ordering: .relaxed)
    guard isFirst else { return time - before < SignalEcho.milliseconds ? nil : 128 + number }
    signal.store(number, ordering: .relaxed)
    return nil
  }

  /// The exit code that a shell reports for a process ended by the first signal; nil before there is one.
  package var code: Int32? {
    let number = signal.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}

/// The echo of a signal: `timeout`, terminals and programs that run others send one signal to the process and
/// again to its group, while a person needs a moment to repeat it.
package enum SignalEcho {
  /// The milliseconds after the first signal within which another one is treated as its echo; read in signal
  /// handlers.
  package static var milliseconds: Int64 { 100 }
}
