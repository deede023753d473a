// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaHost
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// Signs people in by a key of the host, and knows them again by a cookie.
  ///
  /// The cookie names the key, the end of the session and a random number, sealed by the host; scripts cannot read it, and
  /// browsers send it to this server's pages alone. It ends with its time or with its key. The form of a page has a text that is
  /// sealed for the session, so that no page of another origin can send it.
  struct SessionTokens: Sendable {
    let ring: KeyRing
    let authority: Authority
    let now: Now
    /// Whether browsers reach the host over TLS, and keep the cookie from other connections.
    let isSecure: Bool

    static let cookieName = "fovea-console"
    /// How long a session lasts, in seconds: a working day.
    static let lifetime = 12 * 3_600

    /// The session of a request; nil where it has none that is live.
    func session(of request: Request) -> ConsoleSession? {
      guard let cookie = RequestCookie.value(Self.cookieName, of: request.headers),
        let fields = ring.open(cookie, for: .console), fields.count == 3, let expires = Int64(fields[1]),
        now().milliseconds < expires, let identity = authority.identity(key: fields[0])
      else { return nil }
      return ConsoleSession(identity: identity, number: fields[2])
    }

    /// The header that begins a session.
    func begin(_ identity: Identity) -> String {
      let expires = now().advanced(seconds: Double(Self.lifetime))
      let number = Hexadecimal.encode(Secret.bytes(16))
      return cookie(
        ring.seal([identity.key, String(expires.milliseconds), number], for: .console),
        seconds: Self.lifetime)
    }

    /// The header that ends a session.
    var end: String { cookie("", seconds: 0) }

    private func cookie(_ value: String, seconds: Int) -> String {
      "\(Self.cookieName)=\(value); Path=/console; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : "")
    }

    /// What the forms of a session's pages send with them.
    func form(_ session: ConsoleSession) -> String { ring.seal([session.number], for: .form) }

    /// - Throws: `forbidden` where the text is not one of the session's forms.
    func check(form text: String?, of session: ConsoleSession) throws(HostError) {
      guard let text, ring.open(text, for: .form) == [session.number] else {
        throw HostError(
          .forbidden, "The form was not sent from a page of this session",
          remedy: "Open the page again, and send the form from there")
      }
    }

    /// The holder of a key: a service account's file, or a token that it has signed.
    ///
    /// The private key of a file signs one token here and is forgotten.
    /// - Throws: `invalid`, `unauthenticated`; `forbidden` for an app's key.
    func identity(key text: String) async throws(HostError) -> Identity {
      let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      guard text.hasPrefix("{") else {
        guard text.hasPrefix("eyJ") else {
          throw HostError(
            .unauthenticated, "The text is not a key file and not a token of one",
            remedy: "Paste the whole file, which begins with '{'")
        }
        return try await authority.identity(bearer: text)
      }
      let account = try ServiceAccount(json: Array(text.utf8), name: "The text")
      return try await authority.identity(bearer: account.token(Set(Scope.allCases), now: now()))
    }
  }
#endif
