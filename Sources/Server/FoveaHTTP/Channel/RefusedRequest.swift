// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import Logging
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A request answered by the gate.
struct RefusedRequest: Sendable {
  let refusal: Refusal
  /// The request's id in the log and in its answer.
  let id: String
  /// The head; nil if none could be read.
  let head: HTTPRequest?
  /// The pattern of its route; nil if it has none.
  var route: String?
  /// The connection's address.
  let peer: String
  /// Whether a handler has the request too, and its end is logged.
  let isHandled: Bool

  /// Logs the request only if all requests are logged: callers without a key must not fill the log of
  /// failures.
  func log(to logger: Logger, _ accessLog: AccessLog, _ proxies: TrustedProxies) {
    guard accessLog == .all, !isHandled else { return }
    let caller = head.flatMap { proxies.caller($0.headerFields, peer: peer) } ?? peer
    var metadata: Logger.Metadata = [
      "request.id": "\(id)", "http.route": "\(route ?? "unknown")",
      "http.response.status_code": "\(refusal.status.code)", "client.address": "\(caller)",
      "error.code": "\(refusal.code)",
    ]
    if let head { metadata["http.request.method"] = "\(head.method.rawValue.prefix(20))" }
    logger.info("request", metadata: metadata)
  }
}

extension Refusal {
  /// Creates the refusal for a parser's error; nil for errors of the connection.
  init?(parserError error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge, "request-too-large", "The head of the request is too large",
        remedy: "Send fewer headers")
    case HTTPParserError.invalidEOFState: self = .clientGone
    case HTTPParserError.invalidMethod:
      self.init(
        .badRequest, "request-malformed", "The server does not know the method of the request",
        remedy: "Send an HTTP/1.1 request with a method such as GET or POST")
    case is HTTPParserError, is HTTP1TypeConversionError:
      self.init(
        .badRequest, "request-malformed", "The request is not valid HTTP/1.1",
        remedy: "Send a request that follows RFC 9112")
    default: return nil
    }
  }
}
#endif
