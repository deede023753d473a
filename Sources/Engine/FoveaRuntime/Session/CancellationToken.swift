// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// A token that stops the runs of sessions from another thread; it cannot be reset.
@safe
public final class CancellationToken: Sendable {
  // SAFETY: the flag is atomic, created in init and freed in deinit.
  nonisolated(unsafe) let flag: fovea_cancellation

  /// Creates a token that is not cancelled.
  public init() {
    guard let flag = unsafe fovea_cancellation_create() else {
      preconditionFailure("out of memory for one byte")
    }
    unsafe self.flag = flag
  }

  deinit {
    unsafe fovea_cancellation_destroy(flag)
  }

  /// Whether `cancel` was called.
  public var isCancelled: Bool { unsafe fovea_cancellation_is_set(flag) }

  /// Stops a run in progress at its next operator, and prevents later runs with this token.
  public func cancel() { unsafe fovea_cancellation_set(flag, true) }
}
