// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
public import Hummingbird

extension InferenceServer {
  /// Returns the routes for another Hummingbird server, next to its own routes.
  ///
  /// These are the routes of `fovea serve` except the page, `/v1/live`, `/v1/streams`, `/v1/events` and
  /// `/v1/session`, which need the server's own connections. Cancelling work for disconnected clients also
  /// needs the server's connections; here, work ends when it is done, or at the deadline. Keys, body sizes
  /// and foreign origins are checked as in `fovea serve`; TLS, `Host`, the time limit for a body and the
  /// number of connections are up to the other server.
  ///
  /// ```swift
  /// let router = Router(context: BasicRequestContext.self)
  /// router.addRoutes(server.routes())
  /// async let watch: Void = server.watchModels()
  /// try await Application(router: router).runService()
  /// ```
  /// - Parameters:
  ///   - context: The router's context. Clients are distinguished by its `remoteAddress` if it is a
  ///     `RemoteAddressRequestContext`; otherwise all clients are treated as one and share one client's part
  ///     of the queue.
  ///   - hasHealth: Whether to include `/livez`, `/readyz`, `/health` and `/metrics`; false by default.
  /// - Returns: The routes, which may be added below any path.
  public func routes<Context: RequestContext>(
    for context: Context.Type = BasicRequestContext.self, hasHealth: Bool = false
  ) -> RouteCollection<Context> {
    let router = service.mountedRouter(hasHealth: hasHealth)
    let responder = router.buildResponder()
    let routes = RouteCollection(context: context)
    for route in router.routes {
      let depth = InferenceServer.segments(route.path.description).count
      routes.on(route.path, method: route.method) { request, context in
        try await responder.respond(
          to: InferenceServer.request(request, depth: depth),
          context: HTTPContext(address: InferenceServer.address(context), logger: context.logger))
      }
    }
    return routes
  }

  /// Loads new versions of models and changed keys, until the task is cancelled.
  ///
  /// `run` includes this; a program that adds `routes` to its own server runs it alongside.
  public func watchModels() async { await service.watchModels() }

  private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func address(_ context: some RequestContext) -> String? {
    (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
  }

  /// Returns the request without the path below which the routes were added.
  private static func request(_ request: Request, depth: Int) -> Request {
    let segments = segments(request.uri.path)
    guard segments.count > depth else { return request }
    var head = request.head
    let query = request.uri.query.map { "?" + $0 } ?? ""
    head.path = "/" + segments.suffix(depth).joined(separator: "/") + query
    return Request(head: head, body: request.body)
  }
}
#endif
