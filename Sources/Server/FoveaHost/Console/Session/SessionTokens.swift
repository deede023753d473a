// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird
import Synchronization

/// Signs users in with a key of the host, and recognizes them by a cookie.
///
/// The cookie is the name of an open session; scripts cannot read it, and browsers send it only to this
/// server's pages. A session ends when its user signs out, after its lifetime, with its key or with the
/// host's process. Each form contains a token sealed for the session, so that no page of another origin can
/// send the form.
struct SessionTokens: Sendable {
  let ring: KeyRing
  let authority: Authority
  let now: Now
  private let sessions = KeySessions(seconds: SessionTokens.lifetime, most: 1_000)
  private let links = UsedLinks()
  /// The time since which this host has recorded the used links; earlier links are not valid.
  private let began: Timestamp
  /// Whether browsers reach the host over TLS, and keep the cookie from other connections.
  let isSecure: Bool

  static let cookieName = "fovea-console"
  /// The duration of a session, in seconds: a working day.
  static let lifetime = 12 * 3_600

  init(ring: KeyRing, authority: Authority, now: @escaping Now, isSecure: Bool) {
    self.ring = ring
    self.authority = authority
    self.now = now
    self.isSecure = isSecure
    began = now()
  }

  /// Returns the open session of a request; nil if there is none.
  func session(of request: Request) -> ConsoleSession? {
    guard let id = RequestCookie.value(Self.cookieName, of: request.headers),
      let session = sessions.session(id, now: seconds)
    else { return nil }
    guard let identity = authority.identity(key: session.key) else {
      sessions.end(id)
      return nil
    }
    return ConsoleSession(identity: identity, number: session.number)
  }

  /// Starts a session.
  /// - Returns: The header that sets the cookie.
  func begin(_ identity: Identity) -> String {
    cookie(sessions.begin(with: identity.key, now: seconds), seconds: Self.lifetime)
  }

  /// The present time for the sessions.
  private var seconds: Double { Double(now().milliseconds) / 1000 }

  /// Closes the session of a request, for everyone who has its cookie.
  /// - Returns: The header that removes the cookie.
  func end(_ request: Request) -> String {
    if let id = RequestCookie.value(Self.cookieName, of: request.headers) { sessions.end(id) }
    return cookie("", seconds: 0)
  }

  private func cookie(_ value: String, seconds: Int) -> String {
    "\(Self.cookieName)=\(value); Path=/console; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  /// Returns the token that the forms of a session's pages send.
  func form(_ session: ConsoleSession) -> String { ring.seal([session.number], for: .form) }

  /// - Throws: `forbidden` if the token was not issued for the session.
  func check(form text: String?, of session: ConsoleSession) throws(HostError) {
    guard let text, ring.open(text, for: .form) == [session.number] else {
      throw HostError(
        .forbidden, "The form was not sent from a page of this session",
        remedy: "Open the page again, and send the form from there")
    }
  }

  /// Returns the holder of a key, given a service account's file or a single-use link that it has signed.
  ///
  /// The private key of a file signs one token here and is then forgotten.
  /// - Throws: `invalid`; `unauthenticated`, also for a used link, and for a link from before the host's
  ///   start, which may have been used; `forbidden` for an app's key.
  func identity(key text: String) async throws(HostError) -> Identity {
    let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard text.hasPrefix("{") else {
      guard text.hasPrefix("eyJ") else {
        throw HostError(
          .unauthenticated, "The text is not a key file or a sign-in link",
          remedy: "Paste the whole file, which begins with '{'")
      }
      return try await identity(link: text)
    }
    let account = try ServiceAccount(json: Array(text.utf8), name: "The text")
    try authority.check(account)
    return try await authority.identity(bearer: account.token(Set(Scope.allCases), now: now()))
  }

  private func identity(link text: String) async throws(HostError) -> Identity {
    let link = try await authority.link(text)
    let now = now()
    guard began <= link.issued, links.use(link.id, until: link.expires, now: now) else {
      throw HostError(
        .unauthenticated, "The link has been used, or was created before the host started",
        remedy: "Create another one with \(call: "host console")")
    }
    return link.identity
  }
}

/// The session of a signed-in user.
struct ConsoleSession: Sendable, Equatable {
  let identity: Identity
  /// A random text; the forms of this session are sealed with it.
  let number: String
}

/// The used links to the console, until they expire.
///
/// Kept only in memory: links from before the host's start are not valid.
final class UsedLinks: Sendable {
  /// The expiry of the links, by id.
  private let links = Mutex<[String: Timestamp]>([:])

  /// Records that a link is used.
  /// - Returns: Whether it is the first time.
  func use(_ id: String, until expires: Timestamp, now: Timestamp) -> Bool {
    links.withLock { links in
      links = links.filter { now < $0.value }
      return links.updateValue(expires, forKey: id) == nil
    }
  }
}
#endif
