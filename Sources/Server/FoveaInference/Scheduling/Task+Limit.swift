// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Task<Void, Never> {
  /// Waits until the task has finished, but no longer than `limit`.
  func finished(within limit: Duration) async {
    let isDone = Mailbox<Void>()
    let waits = Task {
      await value
      isDone.finish()
    }
    let clock = Task<Void, any Error> {
      try await Task<Never, Never>.sleep(for: limit)
      isDone.finish()
    }
    _ = await isDone.take()
    waits.cancel()
    clock.cancel()
  }
}
#endif
