// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of tests that have their own thread at a time: more would take memory and processors from each
/// other.
final class ThreadSlots: Sendable {
  static let shared = ThreadSlots(count: 8)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits, without blocking a thread, until one is free; first come, first served.
  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
