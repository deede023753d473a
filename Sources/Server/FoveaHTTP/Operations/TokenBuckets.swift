// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// Limits how often each caller may do something: a bucket of tokens that fills at a steady rate.
///
/// Buckets that are full are forgotten, so that memory is bounded by the callers of the last moments.
///
/// Of what is only bad where it is wrong, as a key, take a token when it is known to be: one who asked the bucket first would
/// let the wrong ones of an address keep the right ones out.
package final class TokenBuckets: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: Double
  }

  private let rate: Double
  private let burst: Double
  private let most: Int
  private let buckets = Mutex<[String: Bucket]>([:])

  /// - Parameters:
  ///   - rate: Tokens a second.
  ///   - burst: Most tokens that a bucket holds, and what a new one has.
  ///   - most: How many callers are remembered at once.
  package init(rate: Double, burst: Double, most: Int = 65_536) {
    self.rate = rate
    self.burst = burst
    self.most = most
  }

  /// Takes tokens of a caller at a moment in seconds of a steady clock; nil where there were enough, else how many seconds
  /// it takes until there are.
  package func take(_ count: Double = 1, of caller: String, now: Double) -> Double? {
    buckets.withLock { buckets in
      var bucket = buckets[caller] ?? Bucket(tokens: burst, time: now)
      bucket.tokens = min(burst, bucket.tokens + max(0, now - bucket.time) * rate)
      bucket.time = now
      let missing = count - bucket.tokens
      if missing <= 0 { bucket.tokens -= count }
      if buckets.count >= most && buckets[caller] == nil { forget(&buckets, now: now) }
      buckets[caller] = bucket
      return missing <= 0 ? nil : missing / rate
    }
  }

  /// Whether a caller has no token left; takes none.
  package func isEmpty(of caller: String, now: Double) -> Bool {
    buckets.withLock { buckets in
      guard let bucket = buckets[caller] else { return false }
      return bucket.tokens + max(0, now - bucket.time) * rate < 1
    }
  }

  private func forget(_ buckets: inout [String: Bucket], now: Double) {
    buckets = buckets.filter { $0.value.tokens + (now - $0.value.time) * rate < burst }
    if buckets.count >= most { buckets.removeAll() }
  }
}
#endif
