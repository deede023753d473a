// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Medians and percentiles of any number of durations in a fixed amount of memory.
///
/// Durations are counted in steps of 2 %, from 1 µs to about 3 hours, so a percentile is right within 1 %.
struct DurationHistogram {
  private static let step = log(1.02)
  private static let bucketCount = 1_170
  private var counts: [Int] = []
  /// How many durations there are.
  private(set) var count = 0

  /// Counts a duration; less than a microsecond counts as none.
  mutating func add(_ duration: Duration) {
    let microseconds = duration.milliseconds * 1e3
    guard microseconds >= 1 else { return }
    if counts.isEmpty { counts = [Int](repeating: 0, count: Self.bucketCount) }
    counts[min(Int(log(microseconds) / Self.step), Self.bucketCount - 1)] += 1
    count += 1
  }

  /// The duration in milliseconds that `share` of all do not exceed, by the nearest-rank rule; 0 where there is none.
  func milliseconds(atShare share: Double) -> Double {
    guard count > 0 else { return 0 }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, bucket) in counts.enumerated() {
      seen += bucket
      if seen >= rank { return exp((Double(index) + 0.5) * Self.step) / 1_000 }
    }
    return 0
  }
}
