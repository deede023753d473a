// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import Hummingbird

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
#endif
