// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A place where one task leaves a value and waits until another has taken it.
final class RendezvousChannel<Value: Sendable>: Sendable {
  private struct Taker {
    let id: Int
    let continuation: CheckedContinuation<Value?, Never>
  }
  private struct State {
    var value: Value?
    var giver: CheckedContinuation<Void, Never>?
    /// Those who wait, the longest waiting one first; no one while there is a value.
    var takers: [Taker] = []
    var lastID = 0
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
      var taker: Taker?
      let waits = state.withLock { state in
        if state.isFinished { return false }
        if !state.takers.isEmpty {
          taker = state.takers.removeFirst()
          return false
        }
        state.value = value
        state.giver = continuation
        return true
      }
      taker?.continuation.resume(returning: value)
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
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(id, $0) }
    } onCancel: {
      leave(id)
    }
  }

  /// Lets no one wait any more; a value that was left is still given out.
  func finish() {
    let (giver, takers) = state.withLock { state in
      state.isFinished = true
      defer {
        state.giver = nil
        state.takers = []
      }
      return (state.giver, state.takers)
    }
    giver?.resume()
    for taker in takers { taker.continuation.resume(returning: nil) }
  }

  private func wait(_ id: Int, _ continuation: CheckedContinuation<Value?, Never>) {
    var giver: CheckedContinuation<Void, Never>?
    let ready: Value?? = state.withLock { state in
      // A task is cancelled before its handler runs, so that `leave` finds each task that waits from here on.
      if Task.isCancelled { return .some(nil) }
      if let value = state.value {
        state.value = nil
        giver = state.giver
        state.giver = nil
        return .some(value)
      }
      if state.isFinished { return .some(nil) }
      state.takers.append(Taker(id: id, continuation: continuation))
      return nil
    }
    giver?.resume()
    if let ready { continuation.resume(returning: ready) }
  }

  private func leave(_ id: Int) {
    let taker: Taker? = state.withLock { state in
      guard let index = state.takers.firstIndex(where: { $0.id == id }) else { return nil }
      return state.takers.remove(at: index)
    }
    taker?.continuation.resume(returning: nil)
  }
}
