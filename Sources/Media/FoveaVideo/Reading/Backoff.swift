// SPDX-License-Identifier: Apache-2.0

/// How long to wait before each attempt to connect again: twice as long each time, up to a limit.
package struct Backoff {
  let first: Duration
  let limit: Duration
  let attempts: Int
  /// Attempts since the last success.
  private(set) var used = 0

  /// Waits `first` before the first attempt, twice as long before each further one, never above `limit`.
  package init(first: Duration, limit: Duration, attempts: Int) {
    self.first = first
    self.limit = limit
    self.attempts = attempts
  }

  /// The wait before the next attempt; nil when there is none left.
  package mutating func next() -> Duration? {
    guard used < attempts else { return nil }
    let doublings = min(used, 30)
    used += 1
    return min(first * (1 << doublings), limit)
  }

  /// Begins again after a success.
  package mutating func reset() { used = 0 }
}
