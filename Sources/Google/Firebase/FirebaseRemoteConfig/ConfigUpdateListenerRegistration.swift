// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A listener for updates, which listens until it is removed.
public final class ConfigUpdateListenerRegistration: NSObject, Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Ends the listener, and its connection within a fifth of a second.
  public func remove() { task.cancel() }
}
