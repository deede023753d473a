// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Runs the work on each blob one after the other, in the order of arrival.
final class BlobTurns: Sendable {
  /// The blobs that are being worked on, and those who wait.
  private let busy = Mutex<[String: WaiterQueue<CheckedContinuation<Bool, Never>>]>([:])

  /// - Throws: Any error of `work`; `cancelled` if the task is cancelled while it waits.
  func run<Value: Sendable>(
    _ sha256: String, _ work: () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let hasTurn = await WaitTicket.wait(cancelled: false) { ticket, waiter in
      self.busy.withLock { busy -> Bool? in
        guard busy[sha256] != nil else {
          busy[sha256] = WaiterQueue()
          return true
        }
        busy[sha256]?.append(waiter, ticket)
        return nil
      }
    } leave: { ticket in
      self.busy.withLock { $0[sha256]?.remove(ticket) }
    }
    guard hasTurn else { throw .cancelled }
    defer { next(sha256) }
    return try await work()
  }

  private func next(_ sha256: String) {
    let waiter = busy.withLock { busy in
      let waiter = busy[sha256]?.popFirst()
      if waiter == nil { busy[sha256] = nil }
      return waiter
    }
    waiter?.resume(returning: true)
  }
}
#endif
