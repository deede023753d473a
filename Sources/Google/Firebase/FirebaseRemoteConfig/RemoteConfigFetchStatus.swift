// SPDX-License-Identifier: Apache-2.0

/// How a fetch ended.
public enum RemoteConfigFetchStatus: Int, Sendable {
  /// Nothing was fetched yet.
  case noFetchYet = 0
  /// The fetch succeeded.
  case success = 1
  /// The fetch failed.
  case failure = 2
  /// The host asked for patience.
  case throttled = 3
}
