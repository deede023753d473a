// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// `POST /v1/session`: the page trades its key for a cookie, since a WebSocket has no headers in browsers.
  ///
  /// Scripts cannot read the cookie, and browsers send it to this server alone, from its own pages. `DELETE` gives it up.
  struct SessionRoutes: Sendable {
    let access: AccessGuard?
    /// Whether browsers reach the server over TLS, and keep the cookie from other connections.
    let isSecure: Bool

    private static let longestKey = 1_024
    private static let seconds = 30 * 24 * 3_600

    func add(to router: Router<HTTPContext>) {
      router.post("v1/session") { request, context in
        let bytes = try await request.bytes(upTo: SessionRoutes.longestKey)
        let secret = String(decoding: bytes, as: UTF8.self)
        guard let access else { return Response(status: .noContent) }
        try access.check(secret, peer: context.peer)
        return cookie(secret, seconds: SessionRoutes.seconds)
      }
      router.delete("v1/session") { _, _ in cookie("", seconds: 0) }
    }

    /// A key has letters, digits and a `_`: the secret was checked, so that nothing else comes here.
    private func cookie(_ secret: String, seconds: Int) -> Response {
      var headers: HTTPFields = [.cacheControl: "no-store"]
      headers[.setCookie] =
        "\(AccessGuard.cookieName)=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : "")
      return Response(status: .noContent, headers: headers)
    }
  }
#endif
