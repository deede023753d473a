// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// `POST /v1/session`: the page exchanges its key for a cookie, since browsers' WebSockets cannot send
/// headers.
///
/// The cookie names a session and is not a key. Scripts cannot read it, and browsers send it only to this
/// server and only from its own pages. `DELETE` ends the session.
struct SessionRoutes: Sendable {
  let access: AccessGuard?
  /// Whether browsers reach the server over TLS and must not send the cookie over other connections.
  let isSecure: Bool

  private static let longestKey = 1_024

  func add(to router: Router<HTTPContext>) {
    router.post("v1/session") { request, context in
      try BodyQuery().check(request)
      let bytes = try await request.bytes(upTo: SessionRoutes.longestKey)
      let secret = String(decoding: bytes, as: UTF8.self)
      guard let access else { return Response(status: .noContent) }
      return cookie(try access.beginSession(secret, peer: context.peer), seconds: AccessGuard.sessionSeconds)
    }
    router.delete("v1/session") { request, _ in
      access?.endSession(of: request.head)
      return cookie("", seconds: 0)
    }
  }

  private func cookie(_ session: String, seconds: Int) -> Response {
    var headers: HTTPFields = [.cacheControl: "no-store"]
    headers[.setCookie] =
      "\(AccessGuard.sessionCookie)=\(session); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
    return Response(status: .noContent, headers: headers)
  }
}
#endif
