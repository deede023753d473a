// SPDX-License-Identifier: Apache-2.0

/// The result of a fetch with activation.
public enum RemoteConfigFetchAndActivateStatus: Int, Sendable {
  /// Fetched from the host and activated.
  case successFetchedFromRemote = 0
  /// The last fetch is recent enough; its values are active.
  case successUsingPreFetchedData = 1
  /// The fetch failed.
  case error = 2
}
