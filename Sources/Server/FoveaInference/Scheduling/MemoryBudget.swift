// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Synchronization

/// The memory budget of all calls for one purpose, such as their bodies, and the share of one client.
///
/// A client's limit does not apply to its only request, and the total limit does not apply to the only
/// request of all clients: otherwise a large request could never be admitted.
package final class MemoryBudget: Sendable {
  private struct State {
    var used = 0
    var clients: [String: Int] = [:]
  }

  /// The memory of a share.
  fileprivate struct Holding {
    var client: String
    var count = 0
    /// The maximum number of bytes for its client.
    var portion: Int
  }

  private let limit: Int
  private let portion: Int
  private let problem: String
  private let state = Mutex(State())

  /// Creates a budget.
  /// - Parameters:
  ///   - limit: The bytes for all clients.
  ///   - portion: The bytes for one client.
  ///   - problem: The message for callers if all bytes are used.
  init(limit: Int, portion: Int, problem: String) {
    self.limit = limit
    self.portion = portion
    self.problem = problem
  }

  /// The bytes currently reserved.
  package var reserved: Int { state.withLock { $0.used } }

  /// Returns the bytes currently reserved by a client.
  package func reserved(by client: String) -> Int { state.withLock { $0.clients[client] ?? 0 } }

  /// Bytes that are reserved until the last reference is released.
  final class Share: Sendable {
    /// The share of the request that a task works on, even after nothing waits for the task.
    @TaskLocal static var current: Share?

    private let budget: MemoryBudget
    private let holding: Mutex<Holding>

    fileprivate init(of budget: MemoryBudget, _ holding: Holding) {
      self.budget = budget
      self.holding = Mutex(holding)
    }

    /// Reserves more bytes.
    /// - Throws: 429 above the client's portion, 503 if the budget is used up.
    func grow(by count: Int) throws(Refusal) {
      try holding.withLock { (holding) throws(Refusal) in
        try budget.reserve(count, for: holding)
        holding.count += count
      }
    }

    /// Throws the error that ``grow(by:)`` would throw now, without reserving.
    func check(_ count: Int) throws(Refusal) {
      let holding = holding.withLock { $0 }
      let refusal = budget.state.withLock { state in budget.refusal(of: count, for: holding, state) }
      if let refusal { throw refusal }
    }

    /// Moves the bytes to another client, whose key has become known.
    func move(to client: String) {
      holding.withLock { holding in
        guard holding.client != client else { return }
        budget.free(holding.count, of: holding.client)
        budget.add(holding.count, to: client)
        holding.client = client
        holding.portion = budget.portion
      }
    }

    deinit {
      let holding = holding.withLock { $0 }
      budget.free(holding.count, of: holding.client)
    }
  }

  /// Returns a new, empty share for a client.
  /// - Parameters:
  ///   - client: The client's name.
  ///   - portion: A lower limit for the client; nil for the usual one.
  /// - Returns: The empty share.
  func share(for client: String, portion: Int? = nil) -> Share {
    Share(of: self, Holding(client: client, portion: min(self.portion, portion ?? self.portion)))
  }

  /// Calls `body` while some bytes are reserved.
  /// - Throws: A refusal if they are not available; the errors of `body`.
  func reserving<R>(_ count: Int, for client: String, _ body: () async throws -> R) async throws -> R {
    if count == 0 { return try await body() }
    let share = share(for: client)
    try share.grow(by: count)
    defer { withExtendedLifetime(share) {} }
    return try await body()
  }

  private func reserve(_ count: Int, for holding: Holding) throws(Refusal) {
    let refusal: Refusal? = state.withLock { state in
      if let refusal = self.refusal(of: count, for: holding, state) { return refusal }
      state.used += count
      state.clients[holding.client, default: 0] += count
      return nil
    }
    if let refusal { throw refusal }
  }

  private func refusal(of count: Int, for holding: Holding, _ state: State) -> Refusal? {
    if state.used > holding.count, state.used + count > limit {
      return Refusal(
        .serviceUnavailable, "server-busy", problem,
        remedy: "Retry later, or use another server"
      ).retrying(after: 1)
    }
    let own = state.clients[holding.client] ?? 0
    guard own > holding.count, own + count > holding.portion else { return nil }
    return Refusal(
      .tooManyRequests, "share-used",
      "This client's requests hold \(DecimalText.grouped(own)) bytes, and another"
        + " \(DecimalText.grouped(count)) are too many: one client may hold"
        + " \(DecimalText.grouped(holding.portion)) bytes of memory",
      remedy: "Wait for answers before sending more"
    ).retrying(after: 1)
  }

  private func add(_ count: Int, to client: String) {
    state.withLock { state in
      state.used += count
      state.clients[client, default: 0] += count
    }
  }

  private func free(_ count: Int, of client: String) {
    state.withLock { state in
      state.used -= count
      let rest = (state.clients[client] ?? 0) - count
      state.clients[client] = rest > 0 ? rest : nil
    }
  }
}
#endif
