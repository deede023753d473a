// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

@Suite struct AccessTests {
  @Test func `the table has every route, and no other`() async throws {
    try await RunningHost.run { host in
      #expect(Set(host.service.routes).subtracting(AccessTable.rows.map(\.route)) == [])
      #expect(Set(AccessTable.rows.map(\.route)).subtracting(host.service.routes) == [])
    }
  }

  @Test(arguments: AccessTable.rows)
  func `each route admits its callers, and no one else`(row: AccessTable.Row) async throws {
    try await RunningHost.run { host in
      for caller in AccessTable.Caller.allCases {
        var target = row.target
        var headers: [String: String] = [:]
        switch caller {
        case .nobody: break
        case .installation:
          headers["X-Goog-Firebase-Installations-Auth"] = host.ring.token(
            for: Installation(project: RunningHost.project, id: "device"), now: host.models.now())
        case .app, .strangeApp, .expiredApp, .revokedApp:
          target += (target.contains("?") ? "&" : "?") + "key=\(host.appKeys[caller] ?? "")"
        default: headers["Authorization"] = "Bearer \(host.bearers[caller] ?? "")"
        }
        let answer = try host.send(row.method, target, headers: headers)
        #expect(row.admits(caller, answer), "\(caller): \(answer.status) \(answer.body)")
      }
      for secret in ["key=", "Bearer", RunningHost.appKey] { #expect(!host.log.text.contains(secret)) }
    }
  }

  @Test(arguments: ["/v1beta2/projects/other-project/models", "/v1/host/projects/other-project/models"])
  func `another project is not found, whether it exists or not`(target: String) async throws {
    try await RunningHost.run { host in
      let answer = try host.send(as: .admin, "GET", target)
      #expect(answer.status == 404)
    }
  }

  @Test func `ten thousand wrong tokens do not get as many answers`() async throws {
    try await RunningHost.run { host in
      let target = "/v1/host/projects/test-project/models"
      var statuses: [Int] = []
      for _ in 0..<70 {
        statuses.append(try host.send("GET", target, headers: ["Authorization": "Bearer wrong"]).status)
      }
      #expect(statuses.prefix(60).allSatisfy { $0 == 401 })
      #expect(statuses.last == 429)
    }
  }

  @Test func `wrong keys of an app are counted, and rejected as Google does`() async throws {
    try await RunningHost.run { host in
      let target = "/v1beta2/projects/test-project/models/birds:download"
      var statuses: [Int] = []
      for _ in 0..<70 { statuses.append(try host.send("GET", target + "?key=wrong").status) }
      #expect(statuses.prefix(60).allSatisfy { $0 == 400 })
      #expect(statuses.last == 429)
      // A valid key is still accepted, and the model is unknown.
      #expect(try host.send("GET", target + "?key=\(RunningHost.appKey)").status == 404)
    }
  }

  @Test(arguments: ["POST installations/device/authTokens:generate", "DELETE installations/device"])
  func `wrong refresh tokens are counted too`(route: String) async throws {
    try await RunningHost.run { host in
      let parts = route.split(separator: " ").map(String.init)
      let target = "/v1/projects/test-project/\(parts[1])?key=\(RunningHost.appKey)"
      var statuses: [Int] = []
      for _ in 0..<70 {
        statuses.append(try host.send(parts[0], target, headers: ["Authorization": "FIS_v2 x"]).status)
      }
      #expect(statuses.prefix(60).allSatisfy { $0 == 401 })
      #expect(statuses.last == 429)
    }
  }

  @Test func `behind a proxy callers are distinguished, and only the proxy can name them`()
    async throws
  {
    try await RunningHost.run(isBehindProxy: true) { host in
      let target = "/v1/host/projects/test-project/models"
      func status(_ forwarded: String, _ token: String) throws -> Int {
        let headers = ["Authorization": "Bearer \(token)", "X-Forwarded-For": forwarded]
        return try host.send("GET", target, headers: headers).status
      }
      // The caller's own header comes before the proxy's.
      for number in 0..<70 { _ = try status("10.0.0.\(number), 192.0.2.1", "wrong") }
      #expect(try status("192.0.2.1", "wrong") == 429)
      #expect(try status("192.0.2.1:40000", "wrong") == 429)
      #expect(try status("192.0.2.2", host.tokens[.admin] ?? "") == 200)
      #expect(host.log.text.contains("\"client.address\": \"192.0.2.1\""))
      #expect(!host.log.text.contains("10.0.0."))
    }
  }

  @Test func `without a proxy no one can claim another address`() async throws {
    try await RunningHost.run { host in
      _ = try host.send("GET", "/livez", headers: ["X-Forwarded-For": "192.0.2.1"])
      #expect(host.log.text.contains("\"client.address\": \"127.0.0.1\""))
      #expect(!host.log.text.contains("192.0.2.1"))
    }
  }
}
#endif
