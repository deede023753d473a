// SPDX-License-Identifier: Apache-2.0

/// How a fetch with activation ended.
public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
  /// The host was asked, and what it has is active.
  case successFetchedFromRemote = 0
  /// What was fetched before is new enough, and active.
  case successUsingPreFetchedData = 1
  /// The fetch failed.
  case error = 2
}
