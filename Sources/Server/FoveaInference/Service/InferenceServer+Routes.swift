// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
public import Hummingbird

extension InferenceServer {
  /// The routes for a Hummingbird server of one's own, next to its other routes.
  ///
  /// They are those of `fovea serve` but the page, `/v1/live`, `/v1/streams` and `/v1/session`, which need the server's own
  /// connections. So does the end of work for a client that has left: here work ends when it is done, or at the deadline.
  /// Keys, sizes of bodies and foreign origins are checked as `fovea serve` does; TLS, `Host`, the time that a body may take
  /// and the number of connections are that server's.
  ///
  /// ```swift
  /// let router = Router(context: BasicRequestContext.self)
  /// router.addRoutes(server.routes())
  /// async let watch: Void = server.watchModels()
  /// try await Application(router: router).runService()
  /// ```
  /// - Parameters:
  ///   - context: The context of the router. Clients are distinguished by its `remoteAddress` where it is a
  ///     `RemoteAddressRequestContext`; else all are one, and share what one may have of the queue.
  ///   - hasHealth: Whether `/livez`, `/readyz`, `/health` and `/metrics` are among them; false by default.
  /// - Returns: The routes, which may be added at a path of their own.
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

  /// Loads versions of models that are new, and keys that have changed, until the task is cancelled.
  ///
  /// `run` does so itself; a program that adds `routes` to a server of its own calls this next to it.
  public func watchModels() async { await service.watchModels() }

  private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func address(_ context: some RequestContext) -> String? {
    (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
  }

  /// The request without the path at which the routes were added.
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
