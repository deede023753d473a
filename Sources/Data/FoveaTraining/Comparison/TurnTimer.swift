// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Measures the processor time of two kinds of runs in turns, so that both meet the same conditions.
///
/// The times are medians of several rounds; a round repeats a run until it has taken long enough.
package struct TurnTimer: Sendable {
  /// The number of rounds of each kind.
  package var rounds = 9
  /// The least processor time of a round.
  package var leastRound = Duration.milliseconds(50)
  /// The number of runs of each kind before the first round.
  package var warmUps = 3
  /// The processor time of the process so far.
  package var clock: @Sendable () -> Duration = { ProcessorTime.ofProcess ?? .zero }

  /// Creates a timer of 9 rounds of at least 50 ms, after 3 runs.
  package init() {}

  /// The processor times of one run of each kind.
  package struct Times: Sendable, Hashable {
    package let first: Duration
    package let second: Duration

    package init(first: Duration, second: Duration) {
      self.first = first
      self.second = second
    }

    /// The second divided by the first; nil if the first is 0.
    package var ratio: Double? { first > .zero ? second.seconds / first.seconds : nil }
  }

  /// Measures two kinds of runs.
  /// - Parameters:
  ///   - first: Runs the first model once.
  ///   - second: Runs the second model once.
  /// - Returns: The median time of a run of each.
  /// - Throws: The errors of the runs.
  package func times<E: Error>(
    _ first: () throws(E) -> Void, _ second: () throws(E) -> Void
  ) throws(E) -> Times {
    for _ in 0..<warmUps {
      try first()
      try second()
    }
    var (ours, theirs): ([Duration], [Duration]) = ([], [])
    for _ in 0..<max(rounds, 1) {
      ours.append(try round(first))
      theirs.append(try round(second))
    }
    return Times(first: Self.median(ours), second: Self.median(theirs))
  }

  /// Returns the mean time of a run in one round.
  private func round<E: Error>(_ run: () throws(E) -> Void) throws(E) -> Duration {
    let start = clock()
    var count = 0
    var used = Duration.zero
    repeat {
      try run()
      count += 1
      used = clock() - start
      // A machine without the clock must not make a round endless.
    } while used < leastRound && count < 1_000_000 && (used > .zero || count < 1_000)
    return used / count
  }

  private static func median(_ times: [Duration]) -> Duration {
    let sorted = times.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
