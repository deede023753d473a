// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import HTTPTypes
  internal import Synchronization

  /// The bytes that all calls together may take for something, such as their bodies.
  package final class MemoryBudget: Sendable {
    private let limit: Int
    private let problem: String
    private let used = Mutex(0)

    /// Makes a budget; `problem` is what callers hear where it is used up.
    init(limit: Int, problem: String) {
      self.limit = limit
      self.problem = problem
    }

    /// The bytes that calls have reserved now.
    package var reserved: Int { used.withLock { $0 } }

    /// Bytes that are reserved until the last who holds them has let go.
    final class Share: Sendable {
      private let budget: MemoryBudget
      private let count: Int

      fileprivate init(_ count: Int, of budget: MemoryBudget) {
        self.budget = budget
        self.count = count
      }

      deinit { budget.used.withLock { $0 -= count } }
    }

    /// Reserves so many bytes.
    /// - Throws: A refusal where they are not free.
    func share(_ count: Int) throws(Refusal) -> Share {
      let isFree = used.withLock { used in
        // One always fits, or a large one would never be taken.
        guard used == 0 || used + count <= limit else { return false }
        used += count
        return true
      }
      guard isFree else {
        throw Refusal(
          .serviceUnavailable, "server-busy", problem,
          remedy: "Send it again later, or to another server"
        ).retrying(after: 1)
      }
      return Share(count, of: self)
    }

    /// Calls `body` while so many bytes are reserved.
    /// - Throws: A refusal where they are not free; what `body` throws.
    func reserving<R>(_ count: Int, _ body: () async throws -> R) async throws -> R {
      if count == 0 { return try await body() }
      let share = try share(count)
      defer { withExtendedLifetime(share) {} }
      return try await body()
    }
  }
#endif
