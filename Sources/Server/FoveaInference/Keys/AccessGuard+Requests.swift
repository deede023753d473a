// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

// Extracts the key of a request and the scope that it needs.
extension AccessGuard {
  /// The maximum number of bytes of a body, and of all bodies from one address, to read before their key is
  /// known.
  static let bodyBeforeKey = 4 << 20

  /// Returns whether a request's head has a secret, a password or a session.
  static func hasKey(_ head: HTTPRequest) -> Bool {
    secret(head) != nil || session(head) != nil || password(head) != nil
  }

  /// Returns whether a request has its key in the body and none in the head.
  static func awaitsKey(_ head: HTTPRequest) -> Bool {
    head.method == .post && ClientProtocol.post(to: path(head)).contains(.key) && !hasKey(head)
  }

  /// The refusal of a body too long to read before its key is known.
  static let tooLargeBeforeKey = Refusal(
    .contentTooLarge, "request-too-large",
    "The body exceeds the \(DecimalText.grouped(bodyBeforeKey)) bytes that are read before its key is known",
    remedy: "Send the key as a header, 'Authorization: Bearer KEY', or send a smaller image")

  /// Returns whether a request needs a slot once its body is received.
  static func sendsImages(_ head: HTTPRequest) -> Bool {
    head.method == .post && scope(head) == .infer
      && ClientProtocol.post(to: path(head)).contains(.images)
  }

  /// Returns the scope that a route needs; nil if anyone may use it.
  static func scope(_ head: HTTPRequest) -> AccessKey.Scope? {
    let path = path(head)
    switch path {
    case "/livez", "/readyz", "/health", "/", "/openapi.json", "/v1/session": return nil
    case "/metrics": return .metrics
    case "/v1/live": return .live
    default: break
    }
    if path.hasPrefix("/assets/") { return nil }
    if path.hasPrefix("/v1/streams") || path.hasPrefix("/v1/events") { return .streams }
    guard head.method == .post else { return .infer }
    let isChange = [":load", ":unload", ":rollback"].contains(where: path.hasSuffix)
    return isChange || ClientProtocol.post(to: path).contains(.models) ? .models : .infer
  }

  /// Returns the path as the router reads it: repeated slashes count as one, a trailing slash is ignored.
  private static func path(_ head: HTTPRequest) -> Substring {
    let path = (head.path ?? "").prefix { $0 != "?" }
    return ("/" + path.split(separator: "/").joined(separator: "/"))[...]
  }

  /// Returns the secret in a request's head that is meant only for this server.
  static func secret(_ head: HTTPRequest) -> String? {
    let authorization = head.headerFields[.authorization]
    if let authorization, authorization.lowercased().hasPrefix("bearer ") {
      return String(authorization.dropFirst(7))
    }
    for name in keyHeaders { if let value = head.headerFields[name] { return value } }
    let query = (head.path ?? "").drop { $0 != "?" }.dropFirst()
    return (try? RequestQuery(String(query))).flatMap { $0["key", "api_key"] }
  }

  /// Returns the password of Basic authentication, which is the key, for any user name.
  ///
  /// It ranks below an active session, since it may be meant for a proxy. An expired session does not
  /// override it: browsers keep the cookie longer than a server runs.
  static func password(_ head: HTTPRequest) -> String? {
    guard let authorization = head.headerFields[.authorization],
      authorization.lowercased().hasPrefix("basic ")
    else { return nil }
    return BasicCredentials.password(String(authorization.dropFirst(6)).trimmingBlanks) ?? ""
  }

  /// Returns the session number in a request's cookie.
  static func session(_ head: HTTPRequest) -> String? {
    RequestCookie.value(sessionCookie, of: head.headerFields)
  }

  private static let keyHeaders = (["x-api-key"] + ClientProtocol.all.compactMap(\.keyHeader)).compactMap {
    HTTPField.Name($0)
  }

  /// The cookie with the page's session.
  static let sessionCookie = "fovea-session"
}
#endif
