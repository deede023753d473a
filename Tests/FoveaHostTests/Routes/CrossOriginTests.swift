// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Routes of a host that web apps of other sites may use.
@Suite struct CrossOriginTests {
  private static let origin = "https://app.example"

  private static func run(
    _ origins: [String] = [origin], _ body: @escaping @Sendable (RunningHost) throws -> Void
  ) async throws {
    try await RunningHost.run(origins: AllowedOrigins(origins, reach: HostService.appReach), body)
  }

  /// Whether a row of the table is for web apps: an app's key, or the signed address of a file, grants
  /// access.
  private static func isForApps(_ row: AccessTable.Row) -> Bool {
    switch row.door {
    case .callers(let callers) where callers.contains(.app): true
    case .callers([]): row.route.contains("/installations/")
    case .address: row.route.contains("/files/")
    default: false
    }
  }

  @Test(arguments: AccessTable.rows)
  func `a page of an allowed site can use the routes of apps, and no other`(_ row: AccessTable.Row)
    async throws
  {
    try await Self.run { host in
      let headers = [
        "Origin": Self.origin, "Access-Control-Request-Method": row.method, "Sec-Fetch-Site": "cross-site",
        "Access-Control-Request-Headers": "if-none-match",
      ]
      let asked = try host.send("OPTIONS", row.target, headers: headers)
      let answer = try host.send(row.method, row.target, headers: ["Origin": Self.origin])
      guard Self.isForApps(row) else {
        for answer in [asked, answer] {
          #expect(answer.status == 403, "\(row.route): \(answer.status) \(answer.body)")
          #expect(answer.headers["access-control-allow-origin"] == nil)
        }
        return
      }
      #expect(asked.status == 204, "\(row.route): \(asked.status) \(asked.body)")
      #expect(asked.headers["access-control-allow-origin"] == Self.origin)
      #expect(asked.headers["access-control-allow-methods"]?.contains(row.method) == true)
      #expect(asked.headers["access-control-allow-headers"]?.contains("If-None-Match") == true)
      #expect(asked.headers["vary"] == "Origin")
      // Rejected or not, the page may read why.
      #expect(answer.headers["access-control-allow-origin"] == Self.origin, "\(row.route): \(answer.body)")
      #expect(answer.headers["access-control-expose-headers"]?.contains("ETag") == true)
    }
  }

  @Test func `a page fetches a model and its configuration, with their tags`() async throws {
    try await Self.run { host in
      let page = ["Origin": Self.origin, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"]
      _ = try host.send(
        as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
        body: UploadTests.model)
      let information = try host.send(
        "GET", "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)",
        headers: page)
      #expect(information.status == 200 && information.headers["etag"]?.count == 64)
      #expect(information.headers["access-control-allow-origin"] == Self.origin)
      let config = try host.send(
        "POST", ConfigRouteTests.fetch, headers: page, body: Array(#"{"appId": "a"}"#.utf8))
      #expect(config.status == 200 && config.headers["etag"] != nil, "\(config.body)")
      #expect(config.headers["access-control-allow-origin"] == Self.origin)
    }
  }

  @Test func `pages of other sites are rejected, and if none is allowed, nothing changes`()
    async throws
  {
    let target = "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"
    for origins in [[Self.origin], []] {
      try await Self.run(origins) { host in
        for origin in ["https://evil.example", "http://app.example", "https://app.example:8443", "null"] {
          for method in ["OPTIONS", "GET"] {
            let answer = try host.send(
              method, target, headers: ["Origin": origin, "Access-Control-Request-Method": "GET"])
            #expect(answer.status == 403, "\(origin): \(answer.status)")
            #expect(
              answer.body.contains("--allow-origin") && answer.headers["access-control-allow-origin"] == nil
            )
          }
        }
        let program = try host.send("GET", target)
        #expect(program.status == 404 && program.headers["access-control-allow-origin"] == nil)
        #expect(program.headers["vary"] == (origins.isEmpty ? nil : "Origin"))
      }
    }
  }
}
#endif
