// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// A place where one task leaves a value and waits until another has taken it.
final class RendezvousChannel<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var giver: CheckedContinuation<Void, Never>?
    /// Those who wait for a value; no one while there is one.
    var takers = WaiterQueue<CheckedContinuation<Value?, Never>>()
    var isFinished = false
  }
  private let state = Mutex(State())

  /// How many wait for a value now.
  var takerCount: Int { state.withLock { $0.takers.count } }

  /// Leaves a value and waits until it is taken, or no one will take it any more.
  ///
  /// One giver at a time.
  /// - Returns: Whether more is wanted: not after the end.
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

  /// Takes the value, and waits for it where there is none.
  ///
  /// Of several who wait each value goes to the one who came first.
  /// - Returns: The value; nil when no more will come, or when the caller's task is cancelled, which leaves the value for
  ///   others.
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

  /// Lets no one wait any more; a value that was left is still given out.
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
