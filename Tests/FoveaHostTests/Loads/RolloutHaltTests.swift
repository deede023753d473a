// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaErrors
  import FoveaHTTP
  import FoveaHost
  import FoveaTesting
  import Testing

  /// Rollouts whose version does not load.
  @Suite struct RolloutHaltTests {
    private static let native = "/v1/host/projects/test-project"

    /// A model whose second version is on its way to a tenth of the devices.
    private static func start(_ host: RunningHost) throws {
      for (text, channel) in [("one", "stable"), ("two", "beta")] {
        let answer = try host.send(
          as: .publisher, "POST", "\(native)/models/birds/versions?channel=\(channel)",
          body: markedModel(text))
        guard answer.status == 200 else { throw TestFailure("not published: \(answer.body)") }
      }
      try rollOut(host)
    }

    private static func rollOut(_ host: RunningHost) throws {
      let answer = try host.send(
        as: .publisher, "PUT", "\(native)/models/birds/rollout", body: #"{"version": 2, "percent": 10}"#)
      guard answer.status == 200 else { throw TestFailure("not rolled out: \(answer.body)") }
    }

    /// One address reports once a second.
    private static func report(
      _ host: RunningHost, _ clock: TestClock, _ outcome: String, version: Int, times: Int
    ) throws {
      for _ in 0..<times {
        clock.advance(seconds: 1)
        let answer = try host.send(
          "POST", "\(native)/reports?key=\(RunningHost.appKey)",
          body: Array(#"{"model": "birds", "version": "\#(version)", "outcome": "\#(outcome)"}"#.utf8))
        guard answer.status == 200 else { throw TestFailure("not counted: \(answer.body)") }
      }
    }

    private static func rollout(_ host: RunningHost) throws -> Rollout? {
      try host.models.model("birds").rollout
    }

    @Test(arguments: ["failed", "left"])
    func `a version that never loads is halted, with a row in the history`(
      _ outcome: String
    ) async throws {
      let clock = TestClock()
      try await RunningHost.serving(now: clock.now) { host in
        try await onOwnThread {
          try Self.start(host)
          try Self.report(host, clock, "loaded", version: 1, times: 20)
          try Self.report(host, clock, outcome, version: 2, times: 3)
          #expect(try Self.rollout(host)?.isHalted == false)
          try Self.report(host, clock, outcome, version: 2, times: 7)
          #expect(try Self.rollout(host)?.isHalted == true)
          // It goes on by hand, and begins to count again.
          try Self.rollOut(host)
          #expect(try Self.rollout(host)?.isHalted == false)
          try Self.report(host, clock, "loaded", version: 2, times: 5)
          #expect(try Self.rollout(host)?.isHalted == false)
        }
        let rows = try await host.models.metadata.audit(project: "test-project", model: "birds", limit: 20)
        #expect(rows.filter { $0.action == "rollout.halt" }.map(\.actor) == ["host"])
        #expect(host.metrics.text().contains("fovea_host_rollouts_halted_total{model=\"birds\"} 1"))
      }
    }

    @Test func `a version that fails as often as the one before goes on`() async throws {
      let clock = TestClock()
      try await RunningHost.run(now: clock.now) { host in
        try Self.start(host)
        try Self.report(host, clock, "loaded", version: 1, times: 45)
        try Self.report(host, clock, "failed", version: 1, times: 5)
        try Self.report(host, clock, "loaded", version: 2, times: 18)
        try Self.report(host, clock, "failed", version: 2, times: 2)
        #expect(try Self.rollout(host)?.isHalted == false)
      }
    }

    @Test func `a fleet that never reported the version before is judged by what most loads do`() async throws
    {
      let clock = TestClock()
      try await RunningHost.run(now: clock.now) { host in
        try Self.start(host)
        try Self.report(host, clock, "loaded", version: 2, times: 15)
        try Self.report(host, clock, "failed", version: 2, times: 5)
        #expect(try Self.rollout(host)?.isHalted == false)
        try Self.report(host, clock, "failed", version: 2, times: 40)
        #expect(try Self.rollout(host)?.isHalted == true)
      }
    }

    @Test func `what was counted is there after a restart`() async throws {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let clock = TestClock()
      try await RunningHost.serving(now: clock.now, in: folder) { host in
        try await onOwnThread {
          try Self.start(host)
          try Self.report(host, clock, "loaded", version: 1, times: 20)
          try Self.report(host, clock, "failed", version: 2, times: 2)
        }
        try await host.service.loads.write()
      }
      try await RunningHost.serving(now: clock.now, in: folder) { host in
        let id = try host.models.model("birds").id
        #expect(host.service.loads.counts(of: id)[1]?.loaded == 20)
        #expect(host.service.loads.counts(of: id)[2]?.failed == 2)
      }
    }
  }
#endif
