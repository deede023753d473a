// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an update changes, once it is activated.
public final class RemoteConfigUpdate: NSObject, Sendable {
  /// The keys of the parameters whose values are not those that are active.
  public let updatedKeys: Set<String>

  init(_ keys: Set<String>) { updatedKeys = keys }
}
