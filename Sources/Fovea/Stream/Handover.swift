// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A place where one task leaves a value and waits until another has taken it.
final class Handover<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var giver: CheckedContinuation<Void, Never>?
    var taker: CheckedContinuation<Value?, Never>?
    var isFinished = false
  }
  private let state = Mutex(State())

  /// Leaves a value and waits until it is taken, or nobody will take it any more.
  ///
  /// One giver at a time.
  func give(_ value: Value) async {
    await withCheckedContinuation { continuation in
      var taker: CheckedContinuation<Value?, Never>?
      let waits = state.withLock { state in
        if state.isFinished { return false }
        taker = state.taker
        state.taker = nil
        if taker != nil { return false }
        state.value = value
        state.giver = continuation
        return true
      }
      taker?.resume(returning: value)
      if !waits { continuation.resume() }
    }
  }

  /// Takes the value, and waits for it where there is none.
  /// - Returns: The value; nil when no more will come. Of two who wait at the same time the earlier gets nil.
  func take() async -> Value? {
    await withCheckedContinuation { continuation in
      var superseded: CheckedContinuation<Value?, Never>?
      var giver: CheckedContinuation<Void, Never>?
      let ready: Value?? = state.withLock { state in
        if let value = state.value {
          state.value = nil
          giver = state.giver
          state.giver = nil
          return .some(value)
        }
        if state.isFinished { return .some(nil) }
        superseded = state.taker
        state.taker = continuation
        return nil
      }
      giver?.resume()
      superseded?.resume(returning: nil)
      if let ready { continuation.resume(returning: ready) }
    }
  }

  /// Lets nobody wait any more; a value that was left is still given out.
  func finish() {
    let (giver, taker) = state.withLock { state in
      state.isFinished = true
      defer {
        state.giver = nil
        state.taker = nil
      }
      return (state.giver, state.taker)
    }
    giver?.resume()
    taker?.resume(returning: nil)
  }
}
