// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHost
import Testing

/// One token with changed header or claims.
struct TokenCase: Sendable, CustomTestStringConvertible {
  let id: String
  var header = #"{"alg": "RS256", "typ": "JWT", "kid": "0123456789abcdef0123456789abcdef01234567"}"#
  var claims: [String: String] = [:]
  var key = TestKeys.first
  var after = 0.0
  var code: HostCode? = .unauthenticated

  var testDescription: String { id }

  /// The claims of a valid token, with the case's changes; an empty one is left out.
  var text: String {
    var all = [
      "iss": #""admin-1a2b@modelhost-test.iam.gserviceaccount.com""#, "scope": #""models.read""#,
      "iat": "1795341600", "exp": "1795345200",
    ]
    all.merge(claims) { $1 }
    let members = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    return "{" + members.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ") + "}"
  }

  func token() throws -> String { try KeySamples.token(header: header, claims: text, key: key) }
}

@Suite struct AuthorityTests {
  static let bearers: [TokenCase] = [
    TokenCase(id: "good", code: nil),
    TokenCase(id: "another subject", claims: ["sub": #""someone""#]),
    TokenCase(
      id: "its own subject", claims: ["sub": #""admin-1a2b@modelhost-test.iam.gserviceaccount.com""#],
      code: nil),
    TokenCase(
      id: "another issuer", claims: ["iss": #""viewer-3c4d@another-project.iam.gserviceaccount.com""#]),
    TokenCase(id: "no issuer", claims: ["iss": ""]),
    TokenCase(id: "no scope", claims: ["scope": ""]),
    TokenCase(id: "a list of scopes", claims: ["scope": #"["models.read"]"#]),
    TokenCase(id: "our audience", claims: ["aud": #""http://127.0.0.1:8080/""#], code: nil),
    TokenCase(id: "an audience elsewhere", claims: ["aud": #""http://127.0.0.1:8081""#]),
    TokenCase(id: "one audience elsewhere", claims: ["aud": #"["http://127.0.0.1:8080", "http://other"]"#]),
    TokenCase(
      id: "an assertion for the token endpoint", claims: ["aud": #""https://oauth2.googleapis.com/token""#]),
    TokenCase(id: "issued 5 minutes ahead", claims: ["iat": "1795341900", "exp": "1795345200"], code: nil),
    TokenCase(id: "issued more than 5 minutes ahead", claims: ["iat": "1795341901", "exp": "1795345200"]),
    TokenCase(id: "not before a later time", claims: ["nbf": "1795341901"]),
    TokenCase(id: "at its last millisecond", after: 3_599.999, code: nil),
    TokenCase(id: "expired", after: 3_600),
    TokenCase(id: "good for more than an hour", claims: ["exp": "1795345201"]),
    TokenCase(id: "good for ages", claims: ["exp": "9e300"]),
    TokenCase(id: "issued before all time", claims: ["iat": "-9e300"]),
    TokenCase(id: "no time of issue", claims: ["iat": ""]),
    TokenCase(id: "no expiry", claims: ["exp": ""]),
    TokenCase(id: "an expiry in words", claims: ["exp": #""tomorrow""#]),
    TokenCase(id: "no key", header: #"{"alg": "RS256"}"#),
    TokenCase(id: "an unknown key", header: #"{"alg": "RS256", "kid": "0000"}"#),
    TokenCase(
      id: "signed by another key than it names",
      header: #"{"alg": "RS256", "kid": "fedcba9876543210fedcba9876543210fedcba98"}"#),
    TokenCase(id: "signed with a key that is not its own", key: TestKeys.second),
    TokenCase(id: "RS512", header: #"{"alg": "RS512", "kid": "0123456789abcdef0123456789abcdef01234567"}"#),
    TokenCase(id: "PS256", header: #"{"alg": "PS256", "kid": "0123456789abcdef0123456789abcdef01234567"}"#),
    TokenCase(id: "rs256", header: #"{"alg": "rs256", "kid": "0123456789abcdef0123456789abcdef01234567"}"#),
    TokenCase(id: "no algorithm", header: #"{"kid": "0123456789abcdef0123456789abcdef01234567"}"#),
    TokenCase(
      id: "extensions",
      header: #"{"alg": "RS256", "crit": ["b64"], "kid": "0123456789abcdef0123456789abcdef01234567"}"#),
    TokenCase(id: "a header that is no object", header: "[]"),
  ]

  @Test(arguments: bearers) func `a token that an account signed for itself is checked`(_ token: TokenCase)
    async throws
  {
    let samples = KeySamples()
    let authority = samples.authority([
      try KeySamples.key(), try KeySamples.key(KeySamples.second, role: .viewer),
    ])
    samples.set(seconds: token.after)
    let text = try token.token()
    #expect(await code { _ = try await authority.identity(bearer: text) } == token.code)
  }

  @Test(arguments: ["none", "None", "HS256"]) func `an algorithm without a key pair is rejected`(
    _ name: String
  ) async throws {
    let samples = KeySamples()
    let key = try KeySamples.key()
    let authority = samples.authority([key])
    let header = #"{"alg": "\#(name)", "kid": "\#(key.id)"}"#
    let text =
      Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(TokenCase(id: "").text.utf8))
    let code = HMAC<Crypto.SHA256>.authenticationCode(
      for: Array(text.utf8), using: SymmetricKey(data: Array((key.publicKey ?? "").utf8)))
    for signature in ["", Base64URL.encode(Array(code))] {
      #expect(
        await FoveaHostTests.code { _ = try await authority.identity(bearer: text + "." + signature) }
          == .unauthenticated)
    }
  }

  @Test(arguments: [
    "", "eyJ", "eyJ.eyJ.eyJ", "a.b.c", ".", "..", "Bearer x", String(repeating: "eyJ", count: 9_000),
  ])
  func `text that is not a token is rejected`(_ text: String) async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    #expect(await code { _ = try await authority.identity(bearer: text) } == .unauthenticated)
  }

  @Test func `every changed letter of a token makes it void`() async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    let token = Array(try TokenCase(id: "").token().utf8)
    for index in stride(from: 0, to: token.count, by: 7) {
      var changed = token
      changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
      let text = String(decoding: changed, as: UTF8.self)
      #expect(await code { _ = try await authority.identity(bearer: text) } == .unauthenticated, "\(index)")
    }
  }

  @Test(
    arguments: [(1_799, nil, nil), (1_800, .unauthenticated, nil), (1_799, .unauthenticated, 60)]
      as [(Double, HostCode?, Int64?)])
  func `an expired or revoked key identifies no one`(
    after: Double, expected: HostCode?, revoked: Int64?
  ) async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key(expires: 1_800, revoked: revoked)])
    samples.set(seconds: after)
    let token = try TokenCase(id: "").token()
    #expect(await code { _ = try await authority.identity(bearer: token) } == expected)
  }

  @Test func `a token of Google's client is accepted, with all scopes of the role`() async throws {
    let authority = KeySamples().authority([try KeySamples.key(role: .publisher)])
    let identity = try await authority.identity(bearer: TestKeys.googleToken)
    #expect(identity.name == KeySamples.first.email)
    #expect(identity.project == KeySamples.project)
    #expect(identity.scopes == HostKey.Role.publisher.scopes)
  }

  @Test func `the account's own token is accepted`() async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    let token = try await KeySamples.first.token([.readModels, .manageKeys], now: samples.now)
    #expect(try await authority.identity(bearer: token).scopes == [.readModels, .manageKeys])
  }

  @Test(
    arguments: [
      (299, nil), (301, "The token's time is in the future"), (-3_599, nil),
      (-3_601, "The token has expired"),
    ] as [(Double, String?)])
  func `a wrong clock is reported, with a remedy`(seconds: Double, message: String?) async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    let token = try await KeySamples.first.token(
      [.readModels], now: samples.now.advanced(seconds: seconds))
    do {
      _ = try await authority.identity(bearer: token)
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
      #expect(error.remedy.description.contains("the clocks of this machine and of the host"))
    }
  }

  @Test func `replaced keys count at once`() async throws {
    let samples = KeySamples()
    let authority = samples.authority([])
    let token = try TokenCase(id: "").token()
    #expect(await code { _ = try await authority.identity(bearer: token) } == .unauthenticated)
    authority.replace([try KeySamples.key()])
    #expect(await code { _ = try await authority.identity(bearer: token) } == nil)
    authority.replace([try KeySamples.key(revoked: 0)])
    #expect(await code { _ = try await authority.identity(bearer: token) } == .unauthenticated)
    // These were read before it was revoked.
    authority.replace([try KeySamples.key()])
    #expect(await code { _ = try await authority.identity(bearer: token) } == .unauthenticated)
  }

  @Test func `an added key stays until it is revoked`() async throws {
    let authority = KeySamples().authority([])
    let token = try TokenCase(id: "").token()
    authority.add(try KeySamples.key())
    #expect(await code { _ = try await authority.identity(bearer: token) } == nil)
    // These were read before it was stored.
    authority.replace([])
    #expect(await code { _ = try await authority.identity(bearer: token) } == nil)
    authority.replace([try KeySamples.key(revoked: 0)])
    authority.replace([])
    #expect(await code { _ = try await authority.identity(bearer: token) } == .unauthenticated)
  }

  @Test func `an app's key is valid until it is revoked`() async throws {
    let samples = KeySamples()
    let given = try AppKey("test-api-key")
    let authority = samples.authority([
      AppKey.random().hostKey(project: "another-project", created: samples.now),
      given.hostKey(project: KeySamples.project, created: samples.now),
    ])
    #expect(try authority.app(key: "test-api-key").project == KeySamples.project)
    for wrong in ["", "test-api-kez", "test-api-key ", given.digest] {
      #expect(await code { _ = try authority.app(key: wrong) } == .unauthenticated)
    }
    // It is not a bearer token.
    #expect(await code { _ = try await authority.identity(bearer: "test-api-key") } == .unauthenticated)
    var revoked = given.hostKey(project: KeySamples.project, created: samples.now)
    revoked.revoked = samples.now
    authority.replace([revoked])
    #expect(await code { _ = try authority.app(key: "test-api-key") } == .unauthenticated)
  }
}
#endif
