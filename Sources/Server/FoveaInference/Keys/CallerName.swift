// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Hummingbird

/// Finds out whose key a request has: what one key sends waits in one line, from whatever address it comes.
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
  /// The context of a request whose protocol has its key in the body: from now on it waits, and takes memory, as what that
  /// key sends.
  ///
  /// Nothing changes where the key was in the head, and checked before the body was read, or where no one needs one.
  /// - Throws: 401 without a key or with a wrong one, 403 for one that may not send images, 429 above its rate.
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
