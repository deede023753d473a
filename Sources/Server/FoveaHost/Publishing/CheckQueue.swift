// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The queue of files to check, in which keys take turns.
///
/// A check may take much memory and half a minute, so only a few run at once. Each key has at most one of
/// them, so files that never finish delay only their sender.
package final class CheckQueue: Sendable {
  /// The maximum numbers of checks.
  package struct Limits: Sendable {
    /// Running at the same time.
    package var running = 2
    /// Running at the same time for one key.
    package var runningOfKey = 1
    /// For one key, including waiting ones.
    package var ofKey = 64
    /// For all keys, including waiting ones.
    package var ofAll = 1_024

    package init() {}
  }

  private struct Waiter {
    let id: String
    let start: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// The number of running checks of each key.
    var running: [String: Int] = [:]
    var waiting: [String: [Waiter]] = [:]
    /// The keys with waiting checks; the first has waited longest for a turn.
    var turns: [String] = []

    var runningCount: Int { running.values.reduce(0, +) }
    var count: Int { runningCount + waiting.values.reduce(0) { $0 + $1.count } }

    func count(of key: String) -> Int { running[key, default: 0] + (waiting[key]?.count ?? 0) }
  }

  private let limits: Limits
  private let state = Mutex(State())

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Refuses a key that has reached its limit of checks, before more of its request is read.
  /// - Throws: `rate-limited`.
  package func admit(_ key: String) throws(HostError) {
    let full = state.withLock { state -> (isOwn: Bool, count: Int)? in
      let own = state.count(of: key)
      if own >= limits.ofKey { return (true, own) }
      return state.count >= limits.ofAll ? (false, state.count) : nil
    }
    guard let full else { return }
    throw HostError(
      .rateLimited,
      full.isOwn
        ? "\(full.count) files of this key are waiting to be checked, the maximum"
        : "\(full.count) files are waiting to be checked, the maximum",
      remedy: "Wait until they are done, then send the request again")
  }

  /// Runs a check when its turn has come.
  /// - Parameters:
  ///   - id: The name of the check.
  ///   - key: The key of the sender.
  ///   - isAdmitted: Whether it was admitted before, and is not refused now.
  ///   - body: The check.
  /// - Returns: The result of `body`.
  /// - Throws: `rate-limited` if the key has reached its limit; `cancelled` if the task is cancelled; any
  ///   error of `body`.
  package func run<Value: Sendable>(
    _ id: String, of key: String, isAdmitted: Bool = false, _ body: () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    if !isAdmitted { try admit(key) }
    guard await begin(id, key) else { throw .cancelled }
    defer { end(key) }
    guard !Task.isCancelled else { throw .cancelled }
    return try await body()
  }

  /// Returns the maximum number of checks before a waiting one; nil for a check that is running, ended or
  /// unknown.
  package func before(_ id: String) -> Int? {
    state.withLock { state in
      for (key, waiters) in state.waiting {
        guard let place = waiters.firstIndex(where: { $0.id == id }) else { continue }
        let others = state.waiting.filter { $0.key != key }.values.reduce(0) {
          $0 + min($1.count, place + 1)
        }
        return state.runningCount + place + others
      }
      return nil
    }
  }

  /// - Returns: Whether it is the check's turn now; false if its task was cancelled.
  private func begin(_ id: String, _ key: String) async -> Bool {
    await WaitTicket.wait(cancelled: false) { _, start in
      let next = state.withLock { state -> [Waiter] in
        if state.waiting[key, default: []].isEmpty { state.turns.append(key) }
        state.waiting[key, default: []].append(Waiter(id: id, start: start))
        return starters(&state)
      }
      for waiter in next { waiter.start.resume(returning: true) }
      return nil
    } leave: { _ in
      state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let place = state.waiting[key]?.firstIndex(where: { $0.id == id }) else { return nil }
        defer { CheckQueue.tidy(key, &state) }
        return state.waiting[key]?.remove(at: place).start
      }
    }
  }

  private func end(_ key: String) {
    let next = state.withLock { state -> [Waiter] in
      let count = state.running[key, default: 1] - 1
      state.running[key] = count > 0 ? count : nil
      // Its turn lasted for the whole check: keys that arrived meanwhile go first.
      if let turn = state.turns.firstIndex(of: key) {
        state.turns.remove(at: turn)
        state.turns.append(key)
      }
      return starters(&state)
    }
    for waiter in next { waiter.start.resume(returning: true) }
  }

  /// Returns the checks to start now: each key starts one check at its turn, then waits behind all other
  /// keys, including new ones.
  private func starters(_ state: inout State) -> [Waiter] {
    var found: [Waiter] = []
    while state.runningCount < limits.running,
      let turn = state.turns.firstIndex(where: { state.running[$0, default: 0] < limits.runningOfKey })
    {
      let key = state.turns.remove(at: turn)
      guard let waiter = state.waiting[key]?.removeFirst() else { continue }
      found.append(waiter)
      state.running[key, default: 0] += 1
      if state.waiting[key]?.isEmpty == false { state.turns.append(key) }
      CheckQueue.tidy(key, &state)
    }
    return found
  }

  private static func tidy(_ key: String, _ state: inout State) {
    guard state.waiting[key]?.isEmpty == true else { return }
    state.waiting[key] = nil
    state.turns.removeAll { $0 == key }
  }
}
#endif
