// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct ExchangeTests {
  static let google = #""https://oauth2.googleapis.com/token""#
  static let assertions: [TokenCase] = [
    TokenCase(id: "Google's audience", claims: ["aud": google], code: nil),
    TokenCase(id: "our audience", claims: ["aud": #""http://127.0.0.1:8080/token""#], code: nil),
    TokenCase(id: "another audience", claims: ["aud": #""http://127.0.0.1:8081/token""#]),
    TokenCase(id: "an audience too many", claims: ["aud": "[\(google), \"http://other\"]"]),
    TokenCase(id: "no audience"),
    TokenCase(id: "an empty list of audiences", claims: ["aud": "[]"]),
    TokenCase(id: "no scope", claims: ["aud": google, "scope": ""]),
    TokenCase(id: "5 minutes old", claims: ["aud": google], after: 300, code: nil),
    TokenCase(id: "older than 5 minutes", claims: ["aud": google], after: 300.001),
    TokenCase(id: "5 minutes ahead", claims: ["aud": google], after: -300, code: nil),
    TokenCase(id: "more than 5 minutes ahead", claims: ["aud": google], after: -300.001),
    TokenCase(id: "good for more than an hour", claims: ["aud": google, "exp": "1795345201"]),
    TokenCase(id: "another key's", claims: ["aud": google], key: TestKeys.second),
  ]

  static func form(_ assertion: String) -> String {
    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
  }

  @Test(arguments: assertions) func `an assertion is checked`(_ assertion: TokenCase) async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    samples.set(seconds: assertion.after)
    let form = Self.form(try assertion.token())
    #expect(await code { _ = try await authority.exchange(form: form) } == assertion.code)
  }

  @Test(arguments: [
    "", "grant_type=password&username=a&password=b",
    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer",
    "assertion=x", form("x") + "&assertion=y", form("x") + "&%zz=1",
  ])
  func `another form is rejected`(_ form: String) async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    #expect(await code { _ = try await authority.exchange(form: form) } == .invalid)
  }

  @Test func `the token lives for an hour, or as long as its key`() async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key(role: .publisher)])
    let grant = try await authority.exchange(form: Self.form(TestKeys.googleAssertion))
    #expect(grant.expiresIn == 3_600)
    let identity = try await authority.identity(bearer: grant.token)
    #expect(identity.scopes == HostKey.Role.publisher.scopes)
    #expect(identity.key == KeySamples.first.keyID)
    samples.set(seconds: 3_599.999)
    #expect(await code { _ = try await authority.identity(bearer: grant.token) } == nil)
    samples.set(seconds: 3_600)
    #expect(await code { _ = try await authority.identity(bearer: grant.token) } == .unauthenticated)
    samples.set(seconds: 1)
    authority.replace([try KeySamples.key(revoked: 1)])
    #expect(await code { _ = try await authority.identity(bearer: grant.token) } == .unauthenticated)
  }

  @Test func `a token has at most the scopes of its assertion`() async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    let grant = try await authority.exchange(
      form: Self.form(try TokenCase(id: "", claims: ["aud": Self.google]).token()))
    #expect(try await authority.identity(bearer: grant.token).scopes == [.readModels])
  }

  @Test func `a token of another host, or for another purpose, is void`() async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    let expires = samples.now.advanced(seconds: 60).milliseconds
    let fields = [KeySamples.first.keyID, String(expires), "models.read"]
    for token in [
      KeyRing().seal(fields, for: .access), samples.ring.seal(fields, for: .installation),
      samples.ring.seal(Array(fields.prefix(2)), for: .access),
    ] {
      #expect(await code { _ = try await authority.identity(bearer: token) } == .unauthenticated)
    }
    let good = samples.ring.seal(fields, for: .access)
    #expect(await code { _ = try await authority.identity(bearer: good) } == nil)
  }
}
#endif
