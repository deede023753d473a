// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

extension ConfigService {
  /// Evaluates the template for an app.
  ///
  /// A template with many conditions or large values takes tens of milliseconds. On the threads that all
  /// routes share, a few such fetches would delay every other answer, so they run on their own threads, in
  /// turn for each client.
  /// - Parameters:
  ///   - steps: The maximum number of steps of `body`; up to ``FetchWork/short`` it runs at once.
  ///   - context: The request, whose client waits in turn.
  ///   - body: The evaluation.
  /// - Returns: The result of `body`.
  /// - Throws: `rate-limited` if too many evaluations wait, in all or of this client; `cancelled` if the
  ///   client has disconnected.
  func evaluate<Value: Sendable>(
    _ steps: Int, for context: HTTPContext, _ body: @escaping @Sendable () -> Value
  ) async throws -> Value {
    guard steps > FetchWork.short else { return body() }
    let (evaluations, client) = (evaluations, context.client)
    return try await context.whilePeerWaits {
      try await evaluations.run(ModelService.newSeed(), of: client) { () async throws(HostError) -> Value in
        await BlockingWork.run { _ in body() }
      }
    }
  }
}
#endif
