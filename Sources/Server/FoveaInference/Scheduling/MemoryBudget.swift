// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Synchronization

/// The bytes that all calls together may take for something, such as their bodies, and the part of one client.
///
/// One request always fits, or a large one would never be taken: of a client that has no other, and of all where there is
/// no other at all.
package final class MemoryBudget: Sendable {
  private struct State {
    var used = 0
    var clients: [String: Int] = [:]
  }

  /// What a share has.
  fileprivate struct Holding {
    var client: String
    var count = 0
    /// The most bytes of its client.
    var portion: Int
  }

  private let limit: Int
  private let portion: Int
  private let problem: String
  private let state = Mutex(State())

  /// Makes a budget.
  /// - Parameters:
  ///   - limit: The bytes of all.
  ///   - portion: The bytes of one client.
  ///   - problem: What callers hear where the bytes of all are used up.
  init(limit: Int, portion: Int, problem: String) {
    self.limit = limit
    self.portion = portion
    self.problem = problem
  }

  /// The bytes that calls have reserved now.
  package var reserved: Int { state.withLock { $0.used } }

  /// How many a client has reserved now.
  package func reserved(by client: String) -> Int { state.withLock { $0.clients[client] ?? 0 } }

  /// Bytes that are reserved until the last who holds them has let go.
  final class Share: Sendable {
    /// The share of the request that a task works for, also where no one waits for the task any more.
    @TaskLocal static var current: Share?

    private let budget: MemoryBudget
    private let holding: Mutex<Holding>

    fileprivate init(of budget: MemoryBudget, _ holding: Holding) {
      self.budget = budget
      self.holding = Mutex(holding)
    }

    /// Reserves further bytes.
    /// - Throws: 429 above the client's portion, 503 where all have none left.
    func grow(by count: Int) throws(Refusal) {
      try holding.withLock { (holding) throws(Refusal) in
        try budget.reserve(count, for: holding)
        holding.count += count
      }
    }

    /// Throws what ``grow(by:)`` would throw now, and reserves nothing.
    func check(_ count: Int) throws(Refusal) {
      let holding = holding.withLock { $0 }
      let refusal = budget.state.withLock { state in budget.refusal(of: count, for: holding, state) }
      if let refusal { throw refusal }
    }

    /// Counts the bytes for another client from now on: its key has become known.
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

  /// A share of a client that is still empty.
  /// - Parameters:
  ///   - client: Whose it is.
  ///   - portion: The most bytes that the client may have where that is less than usual; nil for the usual.
  /// - Returns: A share that has nothing yet.
  func share(for client: String, portion: Int? = nil) -> Share {
    Share(of: self, Holding(client: client, portion: min(self.portion, portion ?? self.portion)))
  }

  /// Calls `body` while so many bytes are reserved.
  /// - Throws: A refusal where they are not free; what `body` throws.
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
        remedy: "Send it again later, or to another server"
      ).retrying(after: 1)
    }
    let own = state.clients[holding.client] ?? 0
    guard own > holding.count, own + count > holding.portion else { return nil }
    return Refusal(
      .tooManyRequests, "share-used",
      "This client's requests have the \(holding.portion) bytes of memory that one client may have",
      remedy: "Wait for answers before you send more"
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
