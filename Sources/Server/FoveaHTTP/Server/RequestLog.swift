// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes
package import Hummingbird
import FoveaCore
import Logging

/// Assigns each request an id, continues its trace, converts errors into replies in the protocol's format,
/// and counts and logs.
///
/// Logs and metrics contain route patterns, never paths with their queries, which may contain keys.
package struct RequestLog: RouterMiddleware {
  package typealias Context = HTTPContext

  private let metrics: Metrics
  private let shape: @Sendable (String) -> ErrorShape
  private let refusal: @Sendable (any Error) -> Refusal?
  private let accessLog: AccessLog
  private let protocolName: (@Sendable (_ method: String, _ route: String) -> String)?
  private let proxies: TrustedProxies
  private let routes: RouteTable?

  /// Creates the first handler of a router.
  ///
  /// `refusal` returns the refusal for one of the server's own errors, nil for unexpected ones.
  /// `protocolName` returns the metrics' name for a route's protocol; nil for no such label. `proxies` may
  /// report the caller's address. `routes` has the routes, for requests that match none.
  package init(
    metrics: Metrics, shape: @escaping @Sendable (String) -> ErrorShape, accessLog: AccessLog,
    proxies: TrustedProxies = .none, routes: RouteTable? = nil,
    protocolName: (@Sendable (_ method: String, _ route: String) -> String)? = nil,
    refusal: @escaping @Sendable (any Error) -> Refusal?
  ) {
    self.metrics = metrics
    self.shape = shape
    self.refusal = refusal
    self.accessLog = accessLog
    self.protocolName = protocolName
    self.proxies = proxies
    self.routes = routes
  }

  @concurrent
  package func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var context = context
    if let caller = proxies.caller(request.headers, peer: context.peer) { context.forwarded = caller }
    let id = RequestLog.identifier(of: request.head)
    var response: Response
    var problem: Refusal?
    do {
      let context = context
      response = try await RequestSpan.around(request, context) { try await next(request, context) }
    } catch {
      let found = refusal(for: error, request, context: context, id: id)
      problem = found
      response = RequestLog.response(found, shape(request.uri.path))
    }
    if request.method == .head { response = response.createHeadResponse() }
    response.headers[.xRequestID] = id
    if response.headers[.traceParent] == nil, let parent = TraceParent(request.headers[.traceParent]) {
      response.headers[.traceParent] = parent.child(.random(in: 1...UInt64.max)).text
    }
    let seconds = (ContinuousClock.now - start).seconds
    // The router's name for the handler of unknown paths.
    let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 } ?? "unknown"
    let spoken = protocolName.map { ["protocol", $0(request.method.rawValue, route)] } ?? []
    metrics.observe("fovea_request_seconds", ["route", route], seconds: seconds)
    let end = { @Sendable [response, context] (status: Int, problem: Refusal?, seconds: Double) in
      metrics.add("fovea_requests_total", ["route", route] + spoken + ["status", String(status)])
      if accessLog.takes(status: status, seconds: seconds) {
        log(request, response, status, problem, id: id, route: route, seconds: seconds, context)
      }
    }
    guard response.body.contentLength == nil else {
      end(response.status.code, problem, seconds)
      return response
    }
    // The outcome of an answer sent piece by piece is known only at its end.
    let (status, body) = (response.status.code, response.body)
    response.body = ResponseBody(contentLength: nil) { writer in
      do {
        try await body.write(writer)
        end(status, nil, seconds)
      } catch {
        // A cancelled task fails because nothing waits for its response any more.
        let known = Task.isCancelled ? nil : error as? Refusal ?? refusal(error)
        let problem = known ?? .clientGone
        end(problem.status.code, problem, (ContinuousClock.now - start).seconds)
        throw error
      }
    }
    return response
  }

  private func refusal(
    for error: any Error, _ request: Request, context: HTTPContext, id: String
  ) -> Refusal {
    switch error {
    case let refusal as Refusal: return refusal
    case let error as BodyRefused: return error.refusal
    case let error as HTTPError:
      if error.status == .notFound, let routes { return routes.refusal(request.method, request.uri.path) }
      return RequestLog.refusal(of: error)
    default:
      if let refusal = refusal(error) { return refusal }
      context.logger.error(
        "A request failed internally", metadata: ["request.id": "\(id)", "error.type": "\(error)"])
      return Refusal(
        .internalServerError, "internal", "An internal error occurred",
        remedy: "Send the request again, or find the cause in the log under request \(id)")
    }
  }

  /// Returns the refusal for the router's own errors.
  private static func refusal(of error: HTTPError) -> Refusal {
    switch error.status {
    case .notFound:
      Refusal(
        .notFound, "route-unknown", "There is no such route",
        remedy: "See the list of routes in the documentation")
    case .contentTooLarge:
      Refusal(.contentTooLarge, "request-too-large", "The body is too large", remedy: "Send a smaller body")
    default: Refusal(error.status, "request-malformed", error.body ?? error.status.reasonPhrase)
    }
  }

  /// Returns the reply with the refusal.
  package static func response(_ refusal: Refusal, _ shape: ErrorShape) -> Response {
    var headers = refusal.headers
    headers[.contentType] = shape.contentType
    let body = ByteBuffer(string: shape.body(of: refusal))
    headers[.contentLength] = String(body.readableBytes)
    return Response(status: shape.status(of: refusal), headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// Returns the id of a request in the log and its answer: the caller's, or a new one.
  static func identifier(of head: HTTPRequest?) -> String {
    identifier(head?.headerFields[.xRequestID]) ?? Hexadecimal.random(byteCount: 8)
  }

  /// Returns a caller's id, if a log can contain it.
  private static func identifier(_ text: String?) -> String? {
    guard let text, (1...64).contains(text.utf8.count), text.isASCIIWord(with: "-_.") else { return nil }
    return text
  }

  private func log(
    _ request: Request, _ response: Response, _ status: Int, _ problem: Refusal?, id: String, route: String,
    seconds: Double, _ context: HTTPContext
  ) {
    var metadata: Logger.Metadata = [
      "request.id": "\(id)", "http.request.method": "\(request.method.rawValue)", "http.route": "\(route)",
      "http.response.status_code": "\(status)", "client.address": "\(context.peer)",
      "duration": "\((seconds * 1e6).rounded() / 1e6)",
    ]
    if let trace = TraceParent(response.headers[.traceParent]) {
      metadata["trace_id"] = "\(trace.trace)"
      metadata["span_id"] = "\(trace.span)"
    }
    if let problem { metadata["error.code"] = "\(problem.code)" }
    context.logger.log(level: status >= 500 ? .error : .info, "request", metadata: metadata)
  }
}

extension HTTPField.Name {
  /// The addresses that a request has passed through; each proxy appends the address it sees.
  static let xForwardedFor = HTTPField.Name(parsed: "x-forwarded-for") ?? .eTag
  /// The position of a request in a trace (W3C Trace Context).
  package static let traceParent = HTTPField.Name(parsed: "traceparent") ?? .eTag
  /// The id of a request in the logs of caller and server.
  package static let xRequestID = HTTPField.Name(parsed: "x-request-id") ?? .eTag
}
#endif
