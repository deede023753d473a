// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The changes of an update, which take effect when it is activated.
public final class RemoteConfigUpdate: NSObject, Sendable {
  /// The keys of the parameters whose values differ from the active ones.
  public let updatedKeys: Set<String>

  init(_ keys: Set<String>) { updatedKeys = keys }
}
