// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// Keys as created, listed and revoked by the host's own routes.
@Suite struct KeyRouteTests {
  private static let keys = "/v1/host/projects/test-project/keys"

  private static func make(_ host: RunningHost, _ body: String) throws -> RunningHost.Answer {
    try host.send(as: .admin, "POST", keys, body: body)
  }

  private static func id(_ answer: RunningHost.Answer) throws -> String {
    let start = try #require(answer.body.firstRange(of: #""private_key_id": ""#)?.upperBound)
    return String(answer.body[start...].prefix { $0 != "\"" })
  }

  /// The last two rows of the audit log.
  private static func log(_ folder: TemporaryFolder) async throws -> [AuditEntry] {
    let store = try MetadataStore(path: folder["host.sqlite"])
    defer { store.close() }
    return try await store.audit(project: RunningHost.project, model: nil, limit: 2)
  }

  @Test func `the last key of an administrator cannot be revoked, and the error has a remedy`() async throws {
    try await RunningHost.run { host throws in
      let own = try #require(try RunningHost.accounts.get()[.admin]).keyID
      let refused = try host.send(as: .admin, "DELETE", "\(Self.keys)/\(own)")
      #expect(
        refused.status == 400 && refused.body.contains("\"code\": \"precondition\""), "\(refused.body)")
      #expect(refused.body.contains("fovea host key add admin"), "\(refused.body)")
      #expect(try host.send(as: .admin, "GET", Self.keys).status == 200)
      // An admin key that expires later counts as another; a key of another role does not.
      _ = try Self.make(host, #"{"role": "publisher"}"#)
      #expect(try host.send(as: .admin, "DELETE", "\(Self.keys)/\(own)").status == 400)
      let other = try Self.id(Self.make(host, #"{"role": "admin", "expires": "2030-01-01T00:00:00Z"}"#))
      #expect(try host.send(as: .admin, "DELETE", "\(Self.keys)/\(own)").status == 200)
      #expect(try host.send(as: .admin, "DELETE", "\(Self.keys)/\(other)").status == 401)
    }
  }

  @Test func `a key has the name its creator gives it, and the log contains it`() async throws {
    let folder = try TemporaryFolder()
    let id = try await RunningHost.run(in: folder) { host throws in
      let made = try Self.make(
        host, #"{"role": "publisher", "label": "ci of the app", "expires": "2027-06-15T00:00:00Z"}"#)
      let id = try Self.id(made)
      let list = try host.send(as: .admin, "GET", Self.keys).body
      #expect(
        list.contains(#""id": "\#(id)", "role": "publisher""#)
          && list.contains(#""label": "ci of the app""#))
      #expect(try host.send(as: .admin, "DELETE", "\(Self.keys)/\(id)").status == 200)
      return id
    }
    let log = try await Self.log(folder)
    #expect(log[0].action == "key.revoke" && log[1].action == "key.add")
    for facts in [log[0].before, log[1].after] {
      let facts = try #require(facts)
      #expect(facts.contains(#""key":"\#(id)""#) && facts.contains(#""role":"publisher""#), "\(facts)")
      #expect(facts.contains(#""name":"ci of the app""#), "\(facts)")
      #expect(facts.contains(#""expires":"2027-06-15T00:00:00.000Z""#), "\(facts)")
    }
  }

  @Test func `a universe is a domain name, and an app has none`() async throws {
    try await RunningHost.run { host throws in
      for (role, universe, status) in [
        ("viewer", "my.domain", 200), ("viewer", "not a domain", 400), ("viewer", "", 400),
        ("publisher", "https://evil.example/a?b", 400), ("app", "my.domain", 400),
      ] {
        let made = try Self.make(host, #"{"role": "\#(role)", "universe": "\#(universe)"}"#)
        #expect(made.status == status, "\(role) \(universe): \(made.body)")
        let isNamed = made.body.contains("universe")
        #expect(isNamed, "\(role) \(universe): \(made.body)")
      }
    }
  }

  /// Sends a request, to a path below the project's or a whole one, except its last byte.
  private static func begin(
    _ host: RunningHost, as role: HostKey.Role, _ request: String, _ body: String
  ) throws -> RawConnection {
    let connection = try RawConnection(port: host.port)
    let prefix = request.contains(" /") ? " " : " /v1/host/projects/test-project/"
    connection.send(
      "\(request.replacing(" ", with: prefix)) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        + "Authorization: Bearer \(host.tokens[role] ?? "")\r\nIf-Match: *\r\nConnection: close\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body.dropLast())")
    return connection
  }

  @Test func `a key revoked before a request has fully arrived changes nothing`() async throws {
    let rows = [
      ("PUT models/birds/channels/beta", #"{"version": 1}"#), ("POST models/birds:rollback", "{}"),
      ("PUT models/birds/rollout", #"{"version": 1, "percent": 5}"#), ("DELETE models/birds", "{}"),
      ("POST models/birds/versions/1:withdraw", "{}"), ("PUT config/firebase", "{}"),
      ("POST config/firebase/rollback", #"{"version": 1}"#), ("POST experiments/e:stop", "{}"),
      ("PUT experiments/e/weights", #"{"weights": [1, 1]}"#),
      ("PUT experiments/e/overrides", #"{"unit": "u"}"#),
      ("POST experiments/e:rollout", #"{"variant": "b"}"#),
      ("POST operations/0123456789abcdef:cancel", "{}"),
    ]
    try await RunningHost.run { host throws in
      let versions = "/v1/host/projects/test-project/models/birds/versions"
      #expect(try host.send(as: .admin, "POST", versions, body: markedModel("one")).status == 200)
      _ = try Self.make(host, #"{"role": "admin"}"#)
      let accounts = try RunningHost.accounts.get()
      var begun: [(request: String, body: String, connection: RawConnection)] = []
      for (request, body) in rows {
        begun.append((request, body, try Self.begin(host, as: .publisher, request, body)))
      }
      for (request, body) in [
        ("POST keys", #"{"role": "viewer"}"#), ("POST keys:rotate", "{}"),
        ("POST /v1/projects/test-project/events:batch", #"{"events": []}"#),
      ] {
        begun.append((request, body, try Self.begin(host, as: .admin, request, body)))
      }
      for role in [HostKey.Role.publisher, .admin] {
        let id = try #require(accounts[role]).keyID
        #expect(try host.send(as: .admin, "DELETE", "\(Self.keys)/\(id)").status == 200)
      }
      for (request, body, connection) in begun {
        connection.send(String(body.suffix(1)))
        let answer = try RunningHost.Answer(connection.readToEnd())
        #expect(answer.status == 401, "\(request): \(answer.status) \(answer.body)")
      }
      let birds = try host.models.model("birds")
      #expect(birds.channels == [HostModel.stable: 1] && birds.rollout == nil)
      #expect(birds.versions.map(\.isWithdrawn) == [false])
    }
  }

  @Test(arguments: ["", " ", String(repeating: "a", count: 65), "a\\nb", "a\\u0000"])
  func `a name that no list can show is rejected`(_ name: String) async throws {
    try await RunningHost.run { host throws in
      let answer = try Self.make(host, #"{"role": "viewer", "label": "\#(name)"}"#)
      #expect(answer.status == 400 && answer.body.contains("1 to 64 characters"), "\(answer.body)")
    }
  }

  @Test(arguments: [
    "1", "x", "../admin", String(repeating: "g", count: 40), String(repeating: "a", count: 41),
  ])
  func `an impossible id is an invalid argument`(_ id: String) async throws {
    try await RunningHost.run { host throws in
      let answer = try host.send(as: .admin, "DELETE", "\(Self.keys)/\(id.replacing("/", with: "%2F"))")
      #expect(answer.status == 400 && answer.body.contains("\"code\": \"invalid\""), "\(answer.body)")
      let none = try host.send(as: .admin, "DELETE", "\(Self.keys)/\(String(repeating: "a", count: 40))")
      #expect(none.status == 404)
    }
  }

  @Test func `a rotation voids signatures older than the previous one, and is logged`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.run(in: folder) { host throws in
      let before = host.ring.seal(["x"], for: .form)
      #expect(try host.send(as: .publisher, "POST", "\(Self.keys):rotate").status == 403)
      #expect(try host.send(as: .admin, "POST", "\(Self.keys):rotate").status == 200)
      #expect(host.ring.open(before, for: .form) == ["x"])
      #expect(host.ring.seal(["x"], for: .form) != before)
      #expect(try host.send(as: .admin, "POST", "\(Self.keys):rotate").status == 200)
      #expect(host.ring.open(before, for: .form) == nil)
    }
    #expect(try await Self.log(folder).map(\.action) == ["ring.rotate", "ring.rotate"])
  }
}
#endif
