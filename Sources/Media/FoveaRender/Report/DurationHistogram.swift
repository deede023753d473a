// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A histogram of durations with a fixed size, for medians and percentiles.
///
/// Durations are counted in steps of 2 %, from 1 µs to about 3 hours, so a percentile is accurate within 1 %.
struct DurationHistogram {
  private static let step = log(1.02)
  private static let bucketCount = 1_170
  private var counts: [Int] = []
  /// The number of durations.
  private(set) var count = 0

  /// Counts a duration; durations below 1 µs are ignored.
  mutating func add(_ duration: Duration) {
    let microseconds = duration.milliseconds * 1e3
    guard microseconds >= 1 else { return }
    if counts.isEmpty { counts = [Int](repeating: 0, count: Self.bucketCount) }
    counts[min(Int(log(microseconds) / Self.step), Self.bucketCount - 1)] += 1
    count += 1
  }

  /// Returns the percentile `share`, 0…1, in milliseconds by the nearest-rank method; 0 without durations.
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
