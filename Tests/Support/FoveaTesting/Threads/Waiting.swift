// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Waits, without a thread, until something holds.
///
/// For what gives no event; an event is better awaited. The time is generous, so that only what never comes fails on a busy
/// machine.
/// - Parameters:
///   - what: What is waited for, as the failure names it.
///   - limit: The longest wait.
///   - condition: Whether it holds.
/// - Throws: `TestFailure` when it does not hold in time, `CancellationError` when the task is cancelled.
public func waitUntil(
  _ what: String, within limit: Duration = .seconds(120), _ condition: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < end else {
      throw TestFailure("waited \(limit.components.seconds) s in vain until \(what)")
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Waits until something holds, at most two minutes, on a thread that may be blocked: one of the code that is tested, or
/// that of the trait `.onOwnThread`.
///
/// The test finds out by what it expects afterwards.
/// - Parameter condition: Whether it holds.
public func blockUntil(_ condition: () -> Bool) {
  let end = ContinuousClock.now + .seconds(120)
  while !condition(), ContinuousClock.now < end { usleep(1_000) }
}
