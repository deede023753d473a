// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// A channel on which one task leaves a value and waits until another has taken it.
final class RendezvousChannel<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var giver: CheckedContinuation<Void, Never>?
    /// The tasks that wait for a value; empty while there is one.
    var takers = WaiterQueue<CheckedContinuation<Value?, Never>>()
    var isFinished = false
  }
  private let state = Mutex(State())

  /// The number of tasks that wait for a value.
  var takerCount: Int { state.withLock { $0.takers.count } }

  /// Leaves a value and waits until it is taken, or until the channel is finished.
  ///
  /// One giver at a time.
  /// - Returns: Whether the channel is still open.
  @discardableResult
  func give(_ value: Value) async -> Bool {
    await withCheckedContinuation { continuation in
      var taker: CheckedContinuation<Value?, Never>?
      let waits = state.withLock { state in
        if state.isFinished { return false }
        taker = state.takers.popFirst()
        if taker != nil { return false }
        state.value = value
        state.giver = continuation
        return true
      }
      taker?.resume(returning: value)
      if !waits { continuation.resume() }
    }
    return state.withLock { !$0.isFinished }
  }

  /// Returns the value, waiting if there is none.
  ///
  /// If several tasks wait, each value goes to the task that has waited longest.
  /// - Returns: The value; nil if no more will come, or if the caller's task is cancelled, which leaves the
  ///   value for others.
  func take() async -> Value? {
    await WaitTicket.wait(cancelled: Value?.none) { ticket, taker in
      var giver: CheckedContinuation<Void, Never>?
      let ready = state.withLock { state -> Value?? in
        guard let value = state.value else {
          if state.isFinished { return .some(nil) }
          state.takers.append(taker, ticket)
          return nil
        }
        giver = state.giver
        state.giver = nil
        state.value = nil
        return .some(value)
      }
      giver?.resume()
      return ready
    } leave: { ticket in
      state.withLock { $0.takers.remove(ticket) }
    }
  }

  /// Finishes the channel, so that no task waits any more; a value that was left can still be taken.
  func finish() {
    let (giver, takers) = state.withLock { state in
      state.isFinished = true
      defer {
        state.giver = nil
        state.takers = WaiterQueue()
      }
      return (state.giver, state.takers)
    }
    giver?.resume()
    for taker in takers.waiters { taker.resume(returning: nil) }
  }
}
