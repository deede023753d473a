// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
@testable import FoveaHost
import FoveaTesting
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Testing

/// One key for all tests: generating one takes a while.
private let sharedAccount = Result { () throws(HostError) in
  try ServiceAccount.make(role: .publisher, project: "birds", tokenURI: "http://127.0.0.1/token")
}

@Suite struct SessionTokensTests {
  private let account: ServiceAccount
  private let clock = SessionClock()
  private let tokens: SessionTokens

  init() throws {
    account = try sharedAccount.get()
    let clock = clock
    let ring = KeyRing()
    let key = try account.hostKey(role: .publisher, created: clock.now)
    tokens = SessionTokens(
      ring: ring,
      authority: Authority(address: "http://127.0.0.1", ring: ring, keys: [key], now: { clock.now }),
      now: { clock.now }, isSecure: false)
  }

  private func request(cookie: String?) -> Request {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/console/models")
    head.headerFields[.cookie] = cookie
    return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
  }

  private func pair(_ header: String) -> String { String(header.prefix { $0 != ";" }) }

  @Test func `a key file signs its holder in, and the cookie identifies them`() async throws {
    let identity = try await tokens.identity(key: "\n" + account.json + " ")
    #expect(identity.name == account.email)
    let cookie = pair(tokens.begin(identity))
    let session = try #require(tokens.session(of: request(cookie: "a=b; " + cookie)))
    #expect(session.identity.scopes == HostKey.Role.publisher.scopes)
    #expect(session.identity.key == identity.key)
  }

  private static let address = "http://127.0.0.1"

  @Test func `a link signs in once, and only to the console`() async throws {
    let link = try await account.link(to: Self.address, now: clock.now)
    await #expect(throws: HostError.self) { try await tokens.authority.identity(bearer: link) }
    let identity = try await tokens.identity(key: link)
    #expect(identity.name == account.email && identity.scopes == HostKey.Role.publisher.scopes)
    let error = await #expect(throws: HostError.self) { try await tokens.identity(key: link) }
    #expect(error?.message == "The link has been used, or was created before the host started")
    // Another one of the same second differs.
    let other = try await account.link(to: Self.address, now: clock.now)
    _ = try await tokens.identity(key: other)
  }

  @Test func `a link expires after ten minutes, and with the process that records its use`()
    async throws
  {
    let link = try await account.link(to: Self.address, now: clock.now)
    let late = try await account.link(to: Self.address, now: clock.now)
    clock.advance(seconds: 1)
    let clock = clock
    let next = SessionTokens(
      ring: tokens.ring, authority: tokens.authority, now: { clock.now }, isSecure: false)
    await #expect(throws: HostError.self) { try await next.identity(key: link) }
    clock.advance(seconds: 600)
    await #expect(throws: HostError.self) { try await tokens.identity(key: late) }
  }

  @Test func `a used link is void after a restart within its second`() async throws {
    let used = try await account.link(to: Self.address, now: clock.now)
    clock.advance(seconds: 0.1)
    _ = try await tokens.identity(key: used)
    clock.advance(seconds: 0.2)
    let clock = clock
    let next = SessionTokens(
      ring: tokens.ring, authority: tokens.authority, now: { clock.now }, isSecure: false)
    await #expect(throws: HostError.self) { try await next.identity(key: used) }
    // One created right after the start is valid.
    let fresh = try await account.link(to: Self.address, now: clock.now)
    _ = try await next.identity(key: fresh)
  }

  @Test func `another private key under the id of a live key does not sign in`() async throws {
    let stranger = try ServiceAccount.make(
      role: .publisher, project: "birds", tokenURI: "http://127.0.0.1/token")
    for key in [stranger.privateKey, String(repeating: "A", count: 4_097)] {
      let file = ServiceAccount(
        project: "birds", keyID: account.keyID, email: account.email, clientID: "", privateKey: key,
        tokenURI: account.tokenURI)
      let error = await #expect(throws: HostError.self) { try await tokens.identity(key: file.json) }
      #expect(error?.code == .unauthenticated)
      #expect(error?.message == "The private key of the file does not belong to the key that it names")
    }
  }

  @Test func `a token for the host's routes, and a link to another host, sign no one in`() async throws {
    let token = try await account.token(Set(Scope.allCases), lifetime: 600, now: clock.now)
    let foreign = try await account.link(to: "https://other.example", now: clock.now)
    for text in [token, foreign] {
      let error = await #expect(throws: HostError.self) { try await tokens.identity(key: text) }
      #expect(error?.message == "The token is not a link to the console")
    }
  }

  @Test func `a cookie is void after its person has signed out, and others stay valid`() async throws {
    let identity = try await tokens.identity(key: account.json)
    let first = pair(tokens.begin(identity)), second = pair(tokens.begin(identity))
    #expect(tokens.end(request(cookie: first)).hasPrefix("fovea-console=; "))
    #expect(tokens.session(of: request(cookie: first)) == nil)
    #expect(tokens.session(of: request(cookie: second)) != nil)
  }

  @Test(arguments: [false, true])
  func `a form is accepted only if its session is still open when all of it has arrived`(
    signsOut: Bool
  ) async throws {
    let tokens = tokens
    let cookie = pair(tokens.begin(try await tokens.identity(key: account.json)))
    let other = request(cookie: cookie)
    let session = try #require(tokens.session(of: other))
    let frame = PageFrame(
      project: "birds", tokens: tokens, templates: try PageTemplates(), bodies: BodyWork())
    let router = Router(context: HTTPContext.self)
    let taken = Mutex(0)
    frame.post("console/keys", router) { _ in
      taken.withLock { $0 += 1 }
      return frame.redirect("/console/keys")
    }
    // The body arrives after the head was checked.
    let form = Mutex<String?>("form=" + tokens.form(session))
    let body = AsyncStream<ByteBuffer>(unfolding: {
      let text = form.withLock { form -> String? in
        defer { form = nil }
        return form
      }
      if signsOut { _ = tokens.end(other) }
      return text.map { ByteBuffer(string: $0) }
    })
    var head = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1", path: "/console/keys")
    head.headerFields[.cookie] = cookie
    let answer = try await router.buildResponder().respond(
      to: Request(head: head, body: RequestBody(asyncSequence: body)),
      context: HTTPContext(address: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    #expect(answer.headers[.location] == (signsOut ? "/console/sign-in" : "/console/keys"))
    #expect(taken.withLock { $0 } == (signsOut ? 0 : 1))
  }

  @Test func `signing in a thousand times signs no one else out`() async throws {
    let cookie = pair(tokens.begin(try await tokens.identity(key: account.json)))
    let other = Identity(
      name: "viewer-1a2b", key: "viewer", project: "birds", role: .viewer,
      scopes: HostKey.Role.viewer.scopes)
    for _ in 0..<1_100 { _ = tokens.begin(other) }
    #expect(tokens.session(of: request(cookie: cookie)) != nil)
  }

  @Test func `the private key of a file that is not of this host, or is revoked, is not used`() async throws {
    // A key that cannot sign is a separate error when it is used.
    let broken = ServiceAccount(
      project: "birds", keyID: account.keyID, email: account.email, clientID: "", privateKey: "none",
      tokenURI: account.tokenURI)
    let tried = await #expect(throws: HostError.self) { try await tokens.identity(key: broken.json) }
    #expect(tried?.code == .invalid)
    let stranger = ServiceAccount(
      project: "birds", keyID: String(repeating: "0", count: 40), email: account.email, clientID: "",
      privateKey: "none", tokenURI: account.tokenURI)
    let unknown = await #expect(throws: HostError.self) { try await tokens.identity(key: stranger.json) }
    tokens.authority.replace([])
    let revoked = await #expect(throws: HostError.self) { try await tokens.identity(key: broken.json) }
    for error in [unknown, revoked] {
      #expect(error?.code == .unauthenticated)
      #expect(error?.message == "The key is unknown, revoked or expired")
      #expect(error?.remedy.description == "Sign in with a key of this host")
    }
  }

  @Test(arguments: [
    ("", HostCode.unauthenticated), ("admin", .unauthenticated), ("{", .invalid), ("{}", .invalid),
    ("eyJ", .unauthenticated), ("eyJhbGciOiJub25lIn0.e30.", .unauthenticated),
    ("{\"type\": \"service_account\"}", .invalid),
  ])
  func `text that is not a key signs no one in`(_ text: String, _ code: HostCode) async {
    let error = await #expect(throws: HostError.self) { try await tokens.identity(key: text) }
    #expect(error?.code == code)
  }

  @Test func `a session ends with its time, its key and its cookie`() async throws {
    let identity = try await tokens.identity(key: account.json)
    let cookie = pair(tokens.begin(identity))
    for wrong in [nil, "", "fovea-console=", cookie + "A", String(cookie.dropLast())] {
      #expect(tokens.session(of: request(cookie: wrong)) == nil)
    }
    clock.advance(seconds: Double(SessionTokens.lifetime) - 1)
    #expect(tokens.session(of: request(cookie: cookie)) != nil)
    tokens.authority.replace([])
    #expect(tokens.session(of: request(cookie: cookie)) == nil)
    tokens.authority.replace([try account.hostKey(role: .publisher, created: clock.now)])
    clock.advance(seconds: 1)
    #expect(tokens.session(of: request(cookie: cookie)) == nil)
  }

  @Test func `a form is valid only for its session`() async throws {
    let identity = try await tokens.identity(key: account.json)
    let first = ConsoleSession(identity: identity, number: "1")
    let second = ConsoleSession(identity: identity, number: "2")
    try tokens.check(form: tokens.form(first), of: first)
    for wrong in [nil, "", "x", tokens.form(second), pair(tokens.begin(identity))] {
      let error = #expect(throws: HostError.self) { try tokens.check(form: wrong, of: first) }
      #expect(error?.code == .forbidden)
    }
  }

  @Test func `scripts cannot read the cookie, and other pages do not send it`() async throws {
    let header = tokens.begin(try await tokens.identity(key: account.json))
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/console", "; Max-Age=43200"] {
      #expect(header.contains(part))
    }
    #expect(!header.contains("Secure"))
    let secure = SessionTokens(
      ring: tokens.ring, authority: tokens.authority, now: tokens.now, isSecure: true)
    #expect(secure.end(request(cookie: nil)).hasSuffix("; Secure"))
  }
}

/// A clock that a test moves.
private final class SessionClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_795_000_000_000)
  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }
  func advance(seconds: Double) { milliseconds.withLock { $0 += Int64(seconds * 1000) } }
}
#endif
