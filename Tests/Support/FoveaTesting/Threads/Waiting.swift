// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Waits, without blocking a thread, until a condition holds.
///
/// For conditions without an event; prefer to await an event. The limit is generous, so that only a condition
/// that never holds fails on a busy machine.
/// - Parameters:
///   - what: The condition's name in the failure.
///   - limit: The longest wait.
///   - condition: Whether it holds.
/// - Throws: `TestFailure` if it does not hold in time, `CancellationError` if the task is cancelled.
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

/// Waits until a condition holds, at most two minutes, on a thread that may block: one of the tested code, or
/// of the trait `.onOwnThread`.
///
/// The test's later expectations detect a timeout.
/// - Parameter condition: Whether it holds.
public func blockUntil(_ condition: () -> Bool) {
  let end = ContinuousClock.now + .seconds(120)
  while !condition(), ContinuousClock.now < end { usleep(1_000) }
}
