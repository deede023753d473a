// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The task of a connection that has become a WebSocket: it starts on the event loop, and ends with the
/// connection.
final class LiveTask: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func start(_ body: @escaping @Sendable () async -> Void) {
    task.withLock { $0 = Task { await body() } }
  }

  /// Cancels the task and waits for its end; returns at once if none was started.
  func finish() async {
    guard let task = task.withLock({ $0 }) else { return }
    task.cancel()
    await task.value
  }
}
#endif
