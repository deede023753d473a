// SPDX-License-Identifier: Apache-2.0

/// The delays before attempts to reconnect, which double up to a limit.
package struct Backoff {
  let first: Duration
  let limit: Duration
  let attempts: Int
  /// The number of attempts since the last success.
  private(set) var used = 0

  /// Creates delays that begin with `first` and double before each further attempt, up to `limit`.
  package init(first: Duration, limit: Duration, attempts: Int) {
    self.first = first
    self.limit = limit
    self.attempts = attempts
  }

  /// Returns the delay before the next attempt; nil if no attempts are left.
  package mutating func next() -> Duration? {
    guard used < attempts else { return nil }
    let doublings = min(used, 30)
    used += 1
    return min(first * (1 << doublings), limit)
  }

  /// Restarts with the first delay after a success.
  package mutating func reset() { used = 0 }
}
