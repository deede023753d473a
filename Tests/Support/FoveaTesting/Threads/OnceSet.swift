// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is set once, from any thread, and that tasks await without blocking a thread.
final class OnceSet<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }
  private let state = Mutex(State())

  /// Creates an unset value.
  init() {}

  /// Sets the value; later ones change nothing.
  func set(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// The value, or nil while it is not set.
  var present: Value? { state.withLock { $0.value } }

  /// Waits for the value.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}
