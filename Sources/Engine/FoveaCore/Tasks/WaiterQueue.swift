// SPDX-License-Identifier: Apache-2.0

/// A queue of waiters in order of arrival; guarded by the lock of its owner.
package struct WaiterQueue<Waiter: Sendable>: Sendable {
  private var entries: [(ticket: WaitTicket, waiter: Waiter)] = []

  package init() {}

  package var count: Int { entries.count }

  /// All waiters, the earliest first.
  package var waiters: [Waiter] { entries.map { $0.waiter } }

  package mutating func append(_ waiter: Waiter, _ ticket: WaitTicket) { entries.append((ticket, waiter)) }

  /// Removes and returns the earliest waiter; nil if there is none.
  package mutating func popFirst() -> Waiter? { entries.isEmpty ? nil : entries.removeFirst().waiter }

  /// Removes and returns a waiter; nil if it is not in the queue.
  package mutating func remove(_ ticket: WaitTicket) -> Waiter? {
    guard let index = entries.firstIndex(where: { $0.ticket === ticket }) else { return nil }
    return entries.remove(at: index).waiter
  }
}

/// Identifies a wait, even before it starts.
package final class WaitTicket: Sendable {
  package init() {}

  /// Suspends the task until another one resumes it; a cancelled task continues immediately.
  ///
  /// Only the caller that removes the continuation resumes it, so that it is resumed once.
  /// - Parameters:
  ///   - cancelled: The answer for a cancelled task.
  ///   - enter: Returns the answer if it is ready; otherwise stores the continuation and returns nil.
  ///   - leave: Removes and returns the continuation; nil if it is not stored.
  /// - Returns: The value that the task is resumed with.
  package static func wait<Answer: Sendable>(
    cancelled: Answer, enter: @Sendable (WaitTicket, CheckedContinuation<Answer, Never>) -> Answer?,
    leave: @Sendable (WaitTicket) -> CheckedContinuation<Answer, Never>?
  ) async -> Answer {
    let ticket = WaitTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: cancelled) }
        if let answer = enter(ticket, continuation) { return continuation.resume(returning: answer) }
        // Cancelled before it was entered: the handler has found nothing to remove.
        if Task.isCancelled { leave(ticket)?.resume(returning: cancelled) }
      }
    } onCancel: {
      leave(ticket)?.resume(returning: cancelled)
    }
  }
}
