// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

@Suite struct AccountTests {
  @Test func `a new account can be written, read and used`() async throws {
    let made = try ServiceAccount.make(
      role: .publisher, project: KeySamples.project, tokenURI: "http://127.0.0.1:8080/token",
      universe: "modelhost.local")
    #expect(made.keyID.wholeMatch(of: /[0-9a-f]{40}/) != nil)
    #expect(
      made.email.wholeMatch(of: /publisher-[0-9a-f]{4}@modelhost-test\.iam\.gserviceaccount\.com/) != nil)
    #expect(made.clientID.wholeMatch(of: /[0-9]{21}/) != nil)
    #expect(made.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(made.json.contains(#""type": "service_account""#))
    #expect(made.json.contains(#""universe_domain": "modelhost.local""#))
    let read = try ServiceAccount(json: Array(made.json.utf8), name: "admin.json")
    #expect(read.keyID == made.keyID && read.email == made.email && read.universe == made.universe)
    let samples = KeySamples()
    let authority = samples.authority([try read.hostKey(role: .publisher, created: samples.now)])
    let token = try await read.token([.writeModels], now: samples.now)
    #expect(try await authority.identity(bearer: token).name == made.email)
  }

  @Test func `the host stores only the public half`() throws {
    let key = try KeySamples.key()
    #expect(key.publicKey?.hasPrefix("-----BEGIN PUBLIC KEY-----\n") == true)
    #expect(key.digest == nil)
    #expect(!"\(key)".contains("PRIVATE"))
  }

  @Test func `an app has no account`() async {
    #expect(await code { _ = try ServiceAccount.make(role: .app, project: "p", tokenURI: "") } == .invalid)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"type": "service_account"}"#,
    KeySamples.first.json.replacing("service_account", with: "authorized_user"),
    String(KeySamples.first.json.dropLast(3)),
  ])
  func `another file is rejected`(_ text: String) async {
    #expect(await code { _ = try ServiceAccount(json: Array(text.utf8), name: "'x.json'") } == .invalid)
  }

  @Test func `an app's key has Google's form, or is given`() throws {
    let key = AppKey.random()
    #expect(key.text.wholeMatch(of: /AIza[A-Za-z0-9_-]{35}/) != nil)
    #expect(key != AppKey.random())
    let kept = try AppKey("test-api-key").hostKey(project: "p", created: KeySamples().now)
    // sha256sum
    #expect(kept.digest == "4c806362b613f7496abf284146efd31da90e4b16169fe001841ca17290f427c4")
    #expect(kept.id == "4c806362b613f7496abf284146efd31da90e4b16")
    #expect(kept.name == "test")
    let other = AppKey.random()
    let name = other.hostKey(project: "p", created: Timestamp(milliseconds: 0)).name
    #expect(name == "AIza…" + other.text.suffix(4))
  }

  @Test(arguments: [
    "", "1234567", "a b c d e", "käse-käse", "key=value&", String(repeating: "a", count: 129),
  ])
  func `an app's key that a URL cannot hold is rejected`(_ text: String) async {
    #expect(await code { _ = try AppKey(text) } == .invalid)
  }

  static let roles: [(HostKey.Role, String, Set<Scope>)] = [
    (.admin, "https://www.googleapis.com/auth/cloud-platform", Set(Scope.allCases)),
    (.admin, "https://www.googleapis.com/auth/devstorage.read_only", [.readModels]),
    (
      .admin, "https://www.googleapis.com/auth/firebase.remoteconfig",
      [.readConfig, .publishConfig, .writeExperiments]
    ),
    (.admin, "https://www.googleapis.com/auth/userinfo.email", []),
    (.admin, "models.read keys.admin", [.readModels, .manageKeys]),
    (.admin, "", []),
    (.admin, "MODELS.READ https://evil/cloud-platform", []),
    (
      .publisher, "https://www.googleapis.com/auth/firebase",
      [.readModels, .writeModels, .publishModels, .readConfig, .publishConfig, .writeExperiments]
    ),
    (
      .publisher, "https://www.googleapis.com/auth/firebase.remoteconfig",
      [.readConfig, .publishConfig, .writeExperiments]
    ),
    (.viewer, "https://www.googleapis.com/auth/firebase.remoteconfig", [.readConfig]),
    (.publisher, "keys.admin models.publish", [.publishModels]),
    (.viewer, "https://www.googleapis.com/auth/devstorage.read_write", [.readModels]),
    (.viewer, "models.write", []),
    (.app, "https://www.googleapis.com/auth/cloud-platform", []),
  ]

  @Test(arguments: roles) func `scopes never exceed the role`(
    role: HostKey.Role, text: String, scopes: Set<Scope>
  ) {
    #expect(role.scopes(within: text) == scopes)
  }

  @Test func `a forbidden value is rejected with its reason`() {
    let identity = Identity(name: "n", key: "k", project: "one", role: .publisher, scopes: [.readModels])
    #expect(throws: Never.self) { try identity.require(.readModels, in: "one") }
    #expect(throws: Identity.unknownProject) { try identity.require(.readModels, in: "two") }
    #expect(
      throws: HostError(
        .forbidden, "The role publisher does not allow keys.admin", remedy: "Use a key of another role")
    ) { try identity.require(.manageKeys) }
    #expect(
      throws: HostError(
        .forbidden, "The token does not name the scope models.write",
        remedy: "Request a token with that scope")
    ) { try identity.require(.writeModels) }
  }
}
#endif
