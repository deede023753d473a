// SPDX-License-Identifier: Apache-2.0
#if Server
package import Hummingbird

/// Refuses requests by their head if another server has the connection, and no gate has seen them.
///
/// The other server checks the names in `Host`.
package struct HeadCheck: RouterMiddleware {
  package typealias Context = HTTPContext

  private var rules: GateRules

  /// Creates the check.
  package init(_ rules: GateRules) {
    self.rules = rules
    self.rules.hosts = nil
  }

  @concurrent
  package func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    var head = request.head
    if let (authority, path) = RequestTargets.parts(of: head.path ?? "/") {
      head.authority = authority
      head.path = path
    }
    if let refusal = rules.refusal(of: head, peer: context.peer) { throw refusal }
    return try await next(request, context)
  }
}
#endif
