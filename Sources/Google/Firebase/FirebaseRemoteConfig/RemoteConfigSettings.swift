// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: as with Google's class, one task at a time changes it; `RemoteConfig` copies it.
/// The interval and the timeout of fetches.
public final class RemoteConfigSettings: NSObject, @unchecked Sendable {
  /// The seconds during which fetched values are recent enough.
  ///
  /// Default: 12 hours.
  public var minimumFetchInterval: TimeInterval = 43_200
  /// The timeout of a fetch in seconds.
  ///
  /// Default: 60.
  public var fetchTimeout: TimeInterval = 60

  /// Creates the default settings.
  public override init() {}
}
