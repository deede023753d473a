// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// Reads and writes the bodies of calls on their own threads, in turn for each client.
///
/// A long body costs up to a third of a second per megabyte. On the threads that all routes share, a few of
/// them would delay every other answer, health checks included.
struct BodyWork: Sendable {
  /// Has its own slots: a call that waits for a model need not wait again because its body is long.
  let scheduler: Scheduler
  let deadline: Duration

  /// The length up to which a body is read at once, which takes at most some milliseconds.
  private static let short = 16 << 10

  /// Runs work on a body.
  /// - Parameters:
  ///   - count: The length of the body in bytes.
  ///   - context: The call, whose client waits in turn.
  ///   - work: The work; it continues after the deadline, but further work of its client then waits.
  /// - Returns: The result of `work`.
  /// - Throws: A refusal if too many bodies wait or the deadline has passed; `CancellationError`; the errors
  ///   of `work`.
  func run<R: Sendable>(
    on count: Int, for context: HTTPContext, _ work: @escaping @Sendable () throws -> R
  ) async throws -> R {
    guard count > BodyWork.short else { return try work() }
    return try await context.whilePeerWaits {
      try await run(on: count, for: context.client, within: context.limit(of: deadline), work)
    }
  }

  /// Runs work on a message of a client's connection.
  func run<R: Sendable>(
    on count: Int, for client: String, within limit: Duration, _ work: @escaping @Sendable () throws -> R
  ) async throws -> R {
    guard count > BodyWork.short else { return try work() }
    return try await scheduler.run(for: client, within: limit) {
      try await BlockingWork.run { _ in try work() }
    }.value
  }
}
#endif
