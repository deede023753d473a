// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Hummingbird

/// Identifies the key of a request: requests with the same key share a queue, regardless of their address.
struct CallerName: RouterMiddleware {
  typealias Context = HTTPContext

  let access: AccessGuard

  @concurrent
  func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.key = access.name(of: request.head)
    return try await next(request, context)
  }
}

extension HTTPContext {
  /// Returns the context of a request with its key in the body: from now on it waits and uses memory on
  /// behalf of that key.
  ///
  /// Does nothing if the key was in the head, and checked before the body was read, or if no key is needed.
  /// - Throws: 401 for a missing or wrong key, 403 for a key that may not send images, 429 above the key's
  ///   rate.
  func identified(
    by secret: String?, _ request: Request, _ access: AccessGuard?
  ) throws(Refusal) -> HTTPContext {
    guard let access, AccessGuard.awaitsKey(request.head) else { return self }
    var context = self
    context.key = try access.check(secret, scope: .infer, peer: peer)
    MemoryBudget.Share.current?.move(to: context.client)
    return context
  }
}
#endif
