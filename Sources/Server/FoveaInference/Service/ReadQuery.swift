// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Refuses a parameter in the query of a route without options: it would have no effect.
///
/// Routes with a body check the query when they read the body.
struct ReadQuery: RouterMiddleware {
  typealias Context = HTTPContext

  private typealias Check = @Sendable (_ request: Request) throws(Refusal) -> Void

  @concurrent
  func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    if request.uri.query != nil, let route = context.endpointPath {
      let method = request.method == .head ? "GET" : request.method.rawValue
      try ReadQuery.checks["\(method) \(route)"]?(request)
    }
    return try await next(request, context)
  }

  /// The check of each route that has one, by method and path.
  private static let checks = Dictionary(
    APIRoute.all.filter(\.refusesQuery).map { ("\($0.method) \($0.path)", check(of: $0)) }
  ) { first, _ in first }

  private static func check(of route: APIRoute) -> Check {
    guard let owner = ClientProtocol.all.first(where: { $0.name == route.family.name }) else {
      return BodyQuery.checkEmpty
    }
    return owner.checkQuery
  }
}
#endif
