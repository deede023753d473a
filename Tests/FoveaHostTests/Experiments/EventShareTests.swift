// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// The number of events one caller may log, and the credentials it needs.
@Suite struct EventShareTests {
  private static let events = "/v1/projects/test-project/events:batch"
  private static let reports = "/v1/host/projects/test-project/reports"

  /// Sends a batch of events that no experiment counts.
  private static func send(
    _ host: RunningHost, from address: String, headers: [String: String] = [:], count: Int = 500,
    number: Int = 0
  ) throws -> RunningHost.Answer {
    let rows = (0..<count).map { index in
      #"{"id": "event-\#(number)-\#(index)-of-a-script", "kind": "metric", "name": "n", "unit": "u\#(index)"}"#
    }
    var headers = headers
    headers["X-Forwarded-For"] = address
    if headers["Authorization"] == nil { headers["x-goog-api-key"] = RunningHost.appKey }
    return try host.send(
      "POST", events, headers: headers, body: Array("{\"events\": [\(rows.joined(separator: ","))]}".utf8))
  }

  @Test func `a script that invents units reaches a limit, and others do not`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      var statuses: [Int] = []
      for number in 0..<40 {
        // All IPv6 addresses of a home are one caller.
        statuses.append(try Self.send(host, from: "2001:db8::\(number)", number: number).status)
      }
      #expect(statuses == Array(repeating: 200, count: 10) + Array(repeating: 429, count: 30))
      let refused = try Self.send(host, from: "2001:db8::1")
      #expect(
        refused.headers["retry-after"] == "5" && refused.body.contains("Too many events"), "\(refused.body)"
      )
      #expect(try Self.send(host, from: "192.0.2.9").status == 200)
      // A steady ten events per second are accepted.
      clock.advance(seconds: 50)
      #expect(try Self.send(host, from: "2001:db8::1").status == 200)
      clock.advance(seconds: 49)
      let early = try Self.send(host, from: "2001:db8::1")
      #expect(early.status == 429 && early.headers["retry-after"] == "1")
    }
  }

  @Test func `an app's own server logs for all its users with a service key`() async throws {
    try await RunningHost.run(isBehindProxy: true) { host throws in
      let headers = ["Authorization": "Bearer \(host.tokens[.admin] ?? "")"]
      for number in 0..<15 {
        #expect(try Self.send(host, from: "192.0.2.1", headers: headers, number: number).status == 200)
      }
      let other = ["Authorization": "Bearer \(host.tokens[.publisher] ?? "")"]
      #expect(try Self.send(host, from: "192.0.2.1", headers: other).status == 403)
    }
  }

  @Test(arguments: [true, false])
  func `a host that requires installations accepts events and reports only with their tokens`(
    isRequired: Bool
  ) async throws {
    try await RunningHost.run(isBehindProxy: true, requiresInstallation: isRequired) { host throws in
      let published = try host.send(
        as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
        body: markedModel("one"))
      #expect(published.status == 200)
      let token = host.ring.token(
        for: Installation(project: "test-project", id: "device"), now: host.models.now())
      for (shown, status) in [
        (nil, isRequired ? 401 : 200), ("forged", isRequired ? 401 : 200), (token, 200),
      ] {
        let headers = shown.map { ["X-Goog-Firebase-Installations-Auth": $0] } ?? [:]
        #expect(try Self.send(host, from: "192.0.2.1", headers: headers, count: 1).status == status)
        let report = try host.send(
          "POST", "\(Self.reports)?key=\(RunningHost.appKey)", headers: headers,
          body: Array(#"{"model": "birds", "version": "1", "outcome": "loaded"}"#.utf8))
        #expect(report.status == status, "\(report.body)")
        if status == 401 {
          let reason = shown == nil ? "has no installation token" : "has expired, or this host has not issued"
          #expect(report.body.contains(reason), "\(report.body)")
        }
      }
    }
  }
}
#endif
