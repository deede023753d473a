// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// Limits how often each caller may do something: a bucket of tokens that fills at a constant rate.
///
/// Full buckets are forgotten, so memory is bounded by the recent callers.
///
/// If only wrong input is limited, such as keys, take a token once it is known to be wrong: checking the
/// bucket first would let the wrong keys of an address block the correct ones.
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
  ///   - rate: Tokens per second.
  ///   - burst: The maximum number of tokens in a bucket, and the number in a new one.
  ///   - most: The maximum number of callers remembered at a time.
  package init(rate: Double, burst: Double, most: Int = 65_536) {
    self.rate = rate
    self.burst = burst
    self.most = most
  }

  /// Uses a caller's tokens, given the time in seconds of a monotonic clock; returns nil if there were
  /// enough, otherwise the seconds until there are.
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

  /// Returns whether a caller has no tokens left, without taking any.
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
