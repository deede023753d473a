// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// Stops sessions' runs from another thread, once and for all.
@safe
public final class CancellationToken: Sendable {
  // SAFETY: the flag is atomic, made in init and freed in deinit.
  nonisolated(unsafe) let flag: fovea_cancellation

  /// Makes a token that is not cancelled.
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

  /// Asks a run in progress to stop at its next operator, and later runs with this token not to start.
  public func cancel() { unsafe fovea_cancellation_set(flag, true) }
}
