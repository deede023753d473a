// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: as with Google's class, one task at a time changes it before it is given to a `RemoteConfig`, which copies it.
/// How often the host is asked, and how long a fetch may take.
public final class RemoteConfigSettings: NSObject, @unchecked Sendable {
  /// How many seconds what was fetched is new enough.
  ///
  /// Default: 12 hours.
  public var minimumFetchInterval: TimeInterval = 43_200
  /// How many seconds a fetch may take.
  ///
  /// Default: 60.
  public var fetchTimeout: TimeInterval = 60

  /// The defaults.
  public override init() {}
}
