// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// A queue of long work, in which clients take turns.
///
/// Only a few pieces of work run at once, and each client has at most one of them, so work that never
/// finishes delays only its sender.
package final class TurnQueue: Sendable {
  /// The kind of work, for errors.
  package enum Work: Sendable {
    /// Files sent with a key are run, which may take much memory and half a minute.
    case checks
    /// Files of versions are read for a key, before devices get them.
    case reads
    /// Configurations are evaluated for the apps of an address.
    case fetches
    /// Long bodies are read, and long templates and pages written, for a key or an address.
    case bodies

    fileprivate var words: (one: String, many: String, done: String, sender: String) {
      switch self {
      case .checks: ("file", "files", "checked", "key")
      case .reads: ("file", "files", "read", "key")
      case .fetches: ("configuration", "configurations", "evaluated", "address")
      case .bodies: ("long request", "long requests", "read", "caller")
      }
    }

    fileprivate func full(_ count: Int, isOwn: Bool) -> HostError {
      let words = words
      return HostError(
        .rateLimited,
        "\(count) \(words.many)\(isOwn ? " of this \(words.sender)" : "") are waiting to be \(words.done), "
          + "the maximum",
        remedy: "Wait until they are done, then send the request again")
    }

    fileprivate var left: HostError {
      guard self != .checks else { return .cancelled }
      return HostError(
        .cancelled,
        "The caller disconnected, or the host shut down, before the \(words.one) was \(words.done)",
        remedy: "Send the request again")
    }
  }

  /// The maximum numbers of pieces of work.
  package struct Limits: Sendable {
    /// Running at the same time.
    package var running = 2
    /// Running at the same time for one client.
    package var runningOfKey = 1
    /// For one client, including waiting ones.
    package var ofKey = 64
    /// For all clients, including waiting ones.
    package var ofAll = 1_024

    package init() {}

    /// The limits of work that keeps a processor busy: half of the processors, at least two, work on it.
    package static let processors = {
      var limits = Limits()
      limits.running = max(limits.running, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)
      return limits
    }()
  }

  private struct Waiter {
    let id: String
    let start: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// The number of running pieces of each client.
    var running: [String: Int] = [:]
    var waiting: [String: [Waiter]] = [:]
    /// The clients with waiting work; the first has waited longest for a turn.
    var turns: [String] = []

    var runningCount: Int { running.values.reduce(0, +) }
    var count: Int { runningCount + waiting.values.reduce(0) { $0 + $1.count } }

    func count(of key: String) -> Int { running[key, default: 0] + (waiting[key]?.count ?? 0) }
  }

  private let work: Work
  private let limits: Limits
  private let state = Mutex(State())

  package init(of work: Work, limits: Limits = Limits()) {
    self.work = work
    self.limits = limits
  }

  /// Refuses a client that has reached its limit, before more of its request is read.
  /// - Throws: `rate-limited`.
  package func admit(_ key: String) throws(HostError) {
    let full = state.withLock { state -> (isOwn: Bool, count: Int)? in
      let own = state.count(of: key)
      if own >= limits.ofKey { return (true, own) }
      return state.count >= limits.ofAll ? (false, state.count) : nil
    }
    if let full { throw work.full(full.count, isOwn: full.isOwn) }
  }

  /// Runs work when its turn has come.
  /// - Parameters:
  ///   - id: The name of the work.
  ///   - key: The client: the name of a key, or an address.
  ///   - isAdmitted: Whether it was admitted before, and is not refused now.
  ///   - body: The work.
  /// - Returns: The result of `body`.
  /// - Throws: `rate-limited` if the client has reached its limit; `cancelled` if the task is cancelled; any
  ///   error of `body`.
  package func run<Value: Sendable>(
    _ id: String, of key: String, isAdmitted: Bool = false, _ body: () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    if !isAdmitted { try admit(key) }
    guard await begin(id, key) else { throw work.left }
    defer { end(key) }
    guard !Task.isCancelled else { throw work.left }
    return try await body()
  }

  /// Returns the maximum number of pieces before a waiting one; nil for work that is running, has ended or is
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

  /// - Returns: Whether it is the work's turn now; false if its task was cancelled.
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
        defer { TurnQueue.tidy(key, &state) }
        return state.waiting[key]?.remove(at: place).start
      }
    }
  }

  private func end(_ key: String) {
    let next = state.withLock { state -> [Waiter] in
      let count = state.running[key, default: 1] - 1
      state.running[key] = count > 0 ? count : nil
      // Its turn lasted for the whole work: clients that arrived meanwhile go first.
      if let turn = state.turns.firstIndex(of: key) {
        state.turns.remove(at: turn)
        state.turns.append(key)
      }
      return starters(&state)
    }
    for waiter in next { waiter.start.resume(returning: true) }
  }

  /// Returns the work to start now: each client starts one piece at its turn, then waits behind all other
  /// clients, including new ones.
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
      TurnQueue.tidy(key, &state)
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
