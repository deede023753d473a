// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Refuses requests for a while after several failures: those that wait would only use connections.
final class S3Breaker: Sendable {
  private struct State {
    /// The times of the latest failures, the oldest first.
    var failures: [Timestamp] = []
    var end = Timestamp(milliseconds: 0)
  }

  /// So many failures within `window` seconds refuse requests for `rest` seconds.
  static let most = 5
  static let window = 10.0
  static let rest = 5.0

  private let state = Mutex(State())

  /// - Throws: `unavailable` while requests are refused.
  func admit(at now: Timestamp) throws(HostError) {
    guard state.withLock({ now < $0.end }) else { return }
    throw HostError(
      .unavailable, "The store of files has failed several times, and gets no requests for a few seconds",
      remedy: "Try again in a few seconds")
  }

  /// Counts a failure of the server or the network.
  func fail(at now: Timestamp) {
    state.withLock { state in
      let start = now.advanced(seconds: -Self.window)
      state.failures = state.failures.filter { $0 > start } + [now]
      guard state.failures.count >= Self.most else { return }
      state.failures = []
      state.end = now.advanced(seconds: Self.rest)
    }
  }

  func succeed() { state.withLock { $0.failures = [] } }
}
#endif
