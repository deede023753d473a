// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

// Where a request has its key, and what it needs one for.
extension AccessGuard {
  /// The most bytes of a body, and of all bodies of an address, that are read before their key is known.
  static let bodyBeforeKey = 4 << 20

  /// Whether the head of a request has a secret or a password, or names a session.
  static func hasKey(_ head: HTTPRequest) -> Bool {
    secret(head) != nil || session(head) != nil || password(head) != nil
  }

  /// Whether a request has its key in its body, and none in its head.
  static func awaitsKey(_ head: HTTPRequest) -> Bool {
    head.method == .post && ClientProtocol.post(to: path(head)).contains(.key) && !hasKey(head)
  }

  /// The refusal of a body that is longer than is read before its key is known.
  static let tooLargeBeforeKey = Refusal(
    .contentTooLarge, "request-too-large",
    "The body has more than the \(bodyBeforeKey) bytes that are read before its key is known",
    remedy: "Send the key in the head, as 'Authorization: Bearer KEY', or a smaller image")

  /// Whether a request needs a slot once its body is there.
  static func sendsImages(_ head: HTTPRequest) -> Bool {
    head.method == .post && scope(head) == .infer
      && ClientProtocol.post(to: path(head)).contains(.images)
  }

  /// What a route needs; nil where anyone may ask.
  static func scope(_ head: HTTPRequest) -> AccessKey.Scope? {
    let path = path(head)
    switch path {
    case "/livez", "/readyz", "/health", "/", "/openapi.json", "/v1/session": return nil
    case "/metrics": return .metrics
    case "/v1/live": return .live
    default: break
    }
    if path.hasPrefix("/assets/") { return nil }
    if path.hasPrefix("/v1/streams") { return .streams }
    guard head.method == .post else { return .infer }
    let isChange = [":load", ":unload", ":rollback"].contains(where: path.hasSuffix)
    return isChange || ClientProtocol.post(to: path).contains(.models) ? .models : .infer
  }

  /// The path as the router reads it: several slashes are one, and one at the end is none.
  private static func path(_ head: HTTPRequest) -> Substring {
    let path = (head.path ?? "").prefix { $0 != "?" }
    return ("/" + path.split(separator: "/").joined(separator: "/"))[...]
  }

  /// The secret of a request's head that is meant for this server alone.
  static func secret(_ head: HTTPRequest) -> String? {
    let authorization = head.headerFields[.authorization]
    if let authorization, authorization.lowercased().hasPrefix("bearer ") {
      return String(authorization.dropFirst(7))
    }
    for name in keyHeaders { if let value = head.headerFields[name] { return value } }
    let query = (head.path ?? "").drop { $0 != "?" }.dropFirst()
    return (try? RequestQuery(String(query))).flatMap { $0["key", "api_key"] }
  }

  /// The password of Basic authentication, which is the key, for any user.
  ///
  /// It counts after a session that goes on, since it may be meant for a proxy on the way. One that has ended does not keep it
  /// out: browsers keep the cookie longer than a server runs.
  static func password(_ head: HTTPRequest) -> String? {
    guard let authorization = head.headerFields[.authorization],
      authorization.lowercased().hasPrefix("basic ")
    else { return nil }
    return BasicCredentials.password(String(authorization.dropFirst(6)).trimmingBlanks) ?? ""
  }

  /// The number of the session that a request's cookie has.
  static func session(_ head: HTTPRequest) -> String? {
    RequestCookie.value(sessionCookie, of: head.headerFields)
  }

  private static let keyHeaders = (["x-api-key"] + ClientProtocol.all.compactMap(\.keyHeader)).compactMap {
    HTTPField.Name($0)
  }

  /// The cookie that names the session of the page.
  static let sessionCookie = "fovea-session"
}
#endif
