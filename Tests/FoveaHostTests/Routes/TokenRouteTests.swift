// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// Invalid tokens; `AuthorityTests` and `ExchangeTests` have more of the forms.
@Suite struct TokenRouteTests {
  private static let models = "/v1beta2/projects/test-project/models"
  /// By the host's clock.
  private static let now = 1_800_000_000

  /// A token with other claims or another header, and its result.
  struct Row: Sendable {
    let id: String
    var header: [String: String] = [:]
    var claims: [String: String] = [:]
    var key: String?
    var status = 401
    var words = ""
  }

  static let rows: [Row] = [
    Row(id: "good", status: 200),
    Row(id: "none", header: ["alg": "none"], words: "RS256"),
    Row(id: "None", header: ["alg": "None"], words: "RS256"),
    Row(id: "RS512", header: ["alg": "RS512"], words: "RS256"),
    Row(
      id: "another key's id", header: ["kid": String(repeating: "0", count: 40)], words: "key is unknown"),
    Row(id: "signed by another key", key: TestKeys.second, words: "signature"),
    Row(id: "far away", claims: ["exp": "9999999999"], words: "more than an hour"),
    Row(id: "over an hour", claims: ["exp": "\(now + 3_601)"], words: "more than an hour"),
    Row(id: "expired", claims: ["iat": "\(now - 3_600)", "exp": "\(now)"], words: "expired"),
    Row(id: "almost expired", claims: ["iat": "\(now - 3_599)", "exp": "\(now + 1)"], status: 200),
    Row(id: "5 minutes ahead", claims: ["iat": "\(now + 300)"], status: 200),
    Row(id: "more than that", claims: ["iat": "\(now + 301)"], words: "et the clocks"),
    Row(id: "another audience", claims: ["aud": #""https://example.com""#], words: "audience"),
    Row(
      id: "for the token endpoint", claims: ["aud": #""https://oauth2.googleapis.com/token""#],
      words: "audience"),
    Row(id: "no scope", claims: ["scope": ""], words: "scope"),
    Row(id: "another scope", claims: ["scope": #""models.write""#], status: 403, words: "models.read"),
    Row(id: "an unknown scope", claims: ["scope": #""everything""#], status: 403, words: "models.read"),
    Row(id: "another issuer", claims: ["iss": #""someone@example.com""#], words: "issuer"),
  ]

  private static func token(_ row: Row) throws -> String {
    let account = try #require(try RunningHost.accounts.get()[.admin])
    let header = ["alg": "RS256", "typ": "JWT", "kid": account.keyID].merging(row.header) { $1 }
    let claims = [
      "iss": "\"\(account.email)\"", "scope": #""models.read""#, "iat": "\(now)", "exp": "\(now + 3_600)",
    ].merging(row.claims) { $1 }
    return try KeySamples.token(
      header: object(header.mapValues { "\"\($0)\"" }), claims: object(claims),
      key: row.key ?? account.privateKey)
  }

  private static func object(_ members: [String: String]) -> String {
    let pairs = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    return "{" + pairs.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  private static func list(_ host: RunningHost, _ token: String) throws -> RunningHost.Answer {
    try host.send("GET", models, headers: ["Authorization": "Bearer \(token)"])
  }

  @Test func `an invalid token opens nothing`() async throws {
    try await RunningHost.run { host throws in
      for row in Self.rows {
        let answer = try Self.list(host, Self.token(row))
        #expect(answer.status == row.status, "\(row.id): \(answer.body)")
        #expect(answer.body.contains(row.words), "\(row.id): \(answer.body)")
        #expect(answer.status != 401 || answer.headers["www-authenticate"] == "Bearer")
      }
      // Without a signature, and with the public key as a secret.
      let account = try #require(try RunningHost.accounts.get()[.admin])
      for algorithm in ["none", "HS256"] {
        let whole = try Self.token(Row(id: "", header: ["alg": algorithm]))
        let text = whole.split(separator: ".").prefix(2).joined(separator: ".")
        let code = HMAC<Crypto.SHA256>.authenticationCode(
          for: Array(text.utf8), using: SymmetricKey(data: Array(try account.publicKey.utf8)))
        for signature in ["", Base64URL.encode(Array(code))] {
          #expect(try Self.list(host, text + "." + signature).status == 401, "\(algorithm)")
        }
      }
      #expect(!host.log.text.contains("eyJ"))
      #expect(try host.send(as: .viewer, "GET", Self.models).status == 200)
    }
  }

  @Test func `a key of another project learns nothing, and a revoked one opens nothing`() async throws {
    try await RunningHost.run { host throws in
      for path in ["/v1beta2/projects/other-project/models", "/v1/host/projects/other-project/models"] {
        let other = try host.send(as: .admin, "GET", path)
        #expect(other.status == 404 && !other.body.contains("test-project"), "\(other.body)")
      }
      let made = try host.send(
        as: .admin, "POST", "/v1/host/projects/test-project/keys", body: #"{"role": "viewer"}"#)
      #expect(made.status == 200)
      let id = try #require(made.body.firstRange(of: "\"private_key_id\": \"")?.upperBound)
      let key = String(made.body[id...].prefix { $0 != "\"" })
      let account = try ServiceAccount(json: Array(made.body.utf8), name: "the answer")
      let token = try Self.token(
        Row(
          id: "", header: ["kid": key], claims: ["iss": "\"\(account.email)\""], key: account.privateKey))
      #expect(try Self.list(host, token).status == 200)
      let access = try Self.exchange(host, account, Self.now)
      #expect(access.status == 200)
      let start = try #require(access.body.firstRange(of: "\"access_token\": \"")?.upperBound)
      let second = String(access.body[start...].prefix { $0 != "\"" })
      #expect(
        access.body == #"{"access_token": "\#(second)", "expires_in": 3600, "token_type": "Bearer"}"# + "\n")
      #expect(try Self.list(host, second).status == 200)
      #expect(
        try host.send(as: .admin, "DELETE", "/v1/host/projects/test-project/keys/\(key)").status == 200)
      #expect(try Self.list(host, token).status == 401)
      #expect(try Self.list(host, second).status == 401)
      #expect(try Self.exchange(host, account, Self.now).status == 400)
    }
  }

  /// Requests an access token with an assertion of that time.
  private static func exchange(
    _ host: RunningHost, _ account: ServiceAccount, _ issued: Int,
    audience: String = "https://oauth2.googleapis.com/token"
  ) throws -> RunningHost.Answer {
    let assertion = try token(
      Row(
        id: "", header: ["kid": account.keyID],
        claims: [
          "iss": "\"\(account.email)\"", "aud": "\"\(audience)\"", "iat": "\(issued)",
          "exp": "\(issued + 3_600)",
        ], key: account.privateKey))
    return try host.send("POST", "/token", body: Array(ExchangeTests.form(assertion).utf8))
  }

  @Test func `the clock of a token's caller may be wrong by five minutes`() async throws {
    try await RunningHost.run { host throws in
      let account = try #require(try RunningHost.accounts.get()[.publisher])
      let table = [
        (-301, 400), (-300, 200), (0, 200), (300, 200), (301, 400), (-86_400, 400), (86_400, 400),
      ]
      for (offset, status) in table {
        let answer = try Self.exchange(host, account, Self.now + offset)
        #expect(answer.status == status, "\(offset): \(answer.body)")
        #expect(status == 200 || answer.body.contains("\"error\": \"invalid_grant\""))
        #expect(abs(offset) != 301 || answer.body.contains("et the clocks"), "\(answer.body)")
      }
      let elsewhere = try Self.exchange(host, account, Self.now, audience: "https://example.com/token")
      #expect(elsewhere.status == 400 && elsewhere.body.contains("audience"))
    }
  }
}
#endif
