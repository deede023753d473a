// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The times of repeated calls, as in `bench/1`; in milliseconds.
struct TimeSummary: Equatable {
  var first: Double
  var median: Double
  var p95: Double
  var min: Double
  var n: Int

  /// Summarizes `times`; nil if there are none.
  ///
  /// `first` is the call before the repetitions; if there is none, the first element of `times` is used.
  init?(_ times: [Duration], first: Duration? = nil) {
    let milliseconds = times.map(\.milliseconds).sorted()
    guard let least = milliseconds.first, let earliest = first ?? times.first else { return nil }
    self.first = earliest.milliseconds
    median = TimeSummary.percentile(milliseconds, 0.5)
    p95 = TimeSummary.percentile(milliseconds, 0.95)
    min = least
    n = milliseconds.count
  }

  /// Returns the value at a fraction of sorted values, interpolated linearly between the closest ranks.
  static func percentile(_ sorted: [Double], _ fraction: Double) -> Double {
    precondition(!sorted.isEmpty, "a percentile needs a value")
    let position = Double(sorted.count - 1) * fraction
    let low = Int(position)
    let high = Swift.min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
  }
}
