// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import HTTPTypes
  internal import Synchronization

  /// The bytes that bodies of requests may take in all.
  final class BodyMemory: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Calls `body` while so many bytes are reserved.
    /// - Throws: A refusal where they are not free; what `body` throws.
    func reserving<R>(_ count: Int, _ body: () async throws -> R) async throws -> R {
      let isFree = used.withLock { used in
        // One body always fits, or a large one would never be taken.
        guard used == 0 || used + count <= limit else { return false }
        used += count
        return true
      }
      guard isFree else {
        throw Refusal(
          .serviceUnavailable, "server-busy", "Too many images are being received",
          remedy: "Send it again later, or to another server"
        ).retrying(after: 1)
      }
      defer { used.withLock { $0 -= count } }
      return try await body()
    }
  }
#endif
