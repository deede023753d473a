// SPDX-License-Identifier: Apache-2.0

/// The result of a fetch.
public enum RemoteConfigFetchStatus: Int, Sendable {
  /// No fetch was made yet.
  case noFetchYet = 0
  /// The fetch succeeded.
  case success = 1
  /// The fetch failed.
  case failure = 2
  /// The host limited the requests.
  case throttled = 3
}
