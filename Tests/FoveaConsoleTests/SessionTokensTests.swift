// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaErrors
  import FoveaHTTP
  import FoveaHost
  import FoveaSystem
  import FoveaTesting
  import HTTPTypes
  import Hummingbird
  import Synchronization
  import Testing

  @testable import FoveaConsole

  /// One key for all tests: making one takes a while.
  private let sharedAccount = Result { () throws(HostError) in
    try ServiceAccount.make(role: .publisher, project: "birds", tokenURI: "http://127.0.0.1/token")
  }

  @Suite struct SessionTokensTests {
    private let account: ServiceAccount
    private let clock = TestClock()
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

    @Test func `a key file signs its holder in, and the cookie knows them again`() async throws {
      let identity = try await tokens.identity(key: "\n" + account.json + " ")
      #expect(identity.name == account.email)
      let cookie = pair(tokens.begin(identity))
      let session = try #require(tokens.session(of: request(cookie: "a=b; " + cookie)))
      #expect(session.identity.scopes == HostKey.Role.publisher.scopes)
      #expect(session.identity.key == identity.key)
    }

    @Test func `a token of a key signs its holder in`() async throws {
      let token = try await account.token(Set(Scope.allCases), lifetime: 600, now: clock.now)
      #expect(try await tokens.identity(key: token).name == account.email)
      clock.advance(seconds: 601)
      await #expect(throws: HostError.self) { try await tokens.identity(key: token) }
    }

    @Test(arguments: [
      ("", HostCode.unauthenticated), ("admin", .unauthenticated), ("{", .invalid), ("{}", .invalid),
      ("eyJ", .unauthenticated), ("eyJhbGciOiJub25lIn0.e30.", .unauthenticated),
      ("{\"type\": \"service_account\"}", .invalid),
    ])
    func `what is no key signs no one in`(_ text: String, _ code: HostCode) async {
      let error = await #expect(throws: HostError.self) { try await tokens.identity(key: text) }
      #expect(error?.code == code)
    }

    @Test func `a session ends with its time, its key and its cookie`() async throws {
      let identity = try await tokens.identity(key: account.json)
      let cookie = pair(tokens.begin(identity))
      for wrong in [nil, "", "fovea-console=", cookie + "A", String(cookie.dropLast()), pair(tokens.end)] {
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

    @Test func `a form is good for its session alone`() async throws {
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
      #expect(secure.end.hasSuffix("; Secure"))
    }
  }

  /// A clock that a test moves.
  private final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_795_000_000_000)
    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }
    func advance(seconds: Double) { milliseconds.withLock { $0 += Int64(seconds * 1000) } }
  }
#endif
