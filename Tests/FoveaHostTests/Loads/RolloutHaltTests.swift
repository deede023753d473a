// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Rollouts whose version does not load.
@Suite struct RolloutHaltTests {
  private static let native = "/v1/host/projects/test-project"

  /// A model whose second version is rolled out to a tenth of the devices.
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

  /// Devices report from a network each, or all from one, with a token each or none; or one device from many.
  private static func report(
    _ host: RunningHost, _ clock: TestClock, _ outcome: String, version: Int, times: Int,
    from networks: Networks = .own
  ) throws {
    for number in 0..<times {
      clock.advance(seconds: 1)
      let device = clock.now().milliseconds / 1000 % 1_000_000
      var headers: [String: String] = [:]
      switch networks {
      case .own, .ofOneDevice:
        headers["X-Forwarded-For"] = "10.\(device >> 16 & 255).\(device >> 8 & 255).\(device & 255)"
        guard case .ofOneDevice = networks else { break }
        headers["X-Goog-Firebase-Installations-Auth"] = host.ring.token(
          for: Installation(project: RunningHost.project, id: "device"), now: clock.now())
      case .one(let address, let tokens):
        headers["X-Forwarded-For"] = address.replacing("#", with: String(number, radix: 16))
        guard tokens else { break }
        headers["X-Goog-Firebase-Installations-Auth"] = host.ring.token(
          for: Installation(project: RunningHost.project, id: "device-\(device)"), now: clock.now())
      }
      let answer = try host.send(
        "POST", "\(native)/reports?key=\(RunningHost.appKey)", headers: headers,
        body: Array(#"{"model": "birds", "version": "\#(version)", "outcome": "\#(outcome)"}"#.utf8))
      guard answer.status == 200 else { throw TestFailure("not counted: \(answer.body)") }
    }
  }

  /// The sources of reports.
  enum Networks: Sendable, CustomTestStringConvertible {
    case own
    /// A network each, and the token of one device.
    case ofOneDevice
    /// An address in which # is the number of the report.
    case one(String, hasTokens: Bool)

    var testDescription: String {
      switch self {
      case .own: "a network each"
      case .ofOneDevice: "a network each, with the token of one device"
      case .one(let address, let tokens): address + (tokens ? " with a token each" : "")
      }
    }
  }

  /// Reports that one caller can forge: from one address, from all IPv6 addresses of a home, with as many
  /// tokens as it requests; with one token from many networks.
  static let forgers: [Networks] = [
    .one("192.0.2.1", hasTokens: false), .one("192.0.2.1", hasTokens: true),
    .one("2001:db8:1:2::#", hasTokens: false), .one("2001:db8:1:2::#", hasTokens: true), .ofOneDevice,
  ]

  @Test(arguments: forgers)
  func `one caller halts no rollout, and keeps no failing one running`(networks: Networks) async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 1, times: 40)
      try Self.report(host, clock, "failed", version: 2, times: 60, from: networks)
      try Self.report(host, clock, "left", version: 2, times: 60, from: networks)
      #expect(try Self.rollout(host)?.isHalted == false)
      // It counts as one device, however many tokens it has.
      let id = try host.models.model("birds").id
      #expect(host.service.loads.counts(of: id)[2]?.bad == 1)
      #expect(host.metrics.text().contains("fovea_host_repeated_reports_total"))
    }
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 1, times: 400)
      try Self.report(host, clock, "loaded", version: 2, times: 300, from: networks)
      try Self.report(host, clock, "failed", version: 2, times: 20)
      #expect(try Self.rollout(host)?.isHalted == true)
    }
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 1, times: 8)
      try Self.report(host, clock, "failed", version: 1, times: 60, from: networks)
      try Self.report(host, clock, "left", version: 1, times: 60, from: networks)
      try Self.report(host, clock, "failed", version: 2, times: 20)
      #expect(try Self.rollout(host)?.isHalted == true)
    }
  }

  @Test func `a device that reports again counts once`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      let device = Networks.one("192.0.2.7", hasTokens: false)
      for outcome in ["loaded", "loaded", "failed", "failed", "left"] {
        try Self.report(host, clock, outcome, version: 1, times: 1, from: device)
      }
      let count = try #require(host.service.loads.counts(of: try host.models.model("birds").id)[1])
      // Giving up a version after a failure does not count again.
      #expect([count.loaded, count.failed, count.abandoned] == [1, 1, 0])
      // A day later it may be another installation.
      clock.advance(seconds: 2 * 86_400)
      try Self.report(host, clock, "loaded", version: 1, times: 1)
      clock.advance(seconds: 2 * 86_400)
      try Self.report(host, clock, "loaded", version: 1, times: 1, from: device)
      #expect(host.service.loads.counts(of: try host.models.model("birds").id)[1]?.loaded == 3)
    }
  }

  @Test func `one device that reports from many networks counts once, and halts nothing`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 1, times: 40)
      try Self.report(host, clock, "failed", version: 2, times: 20, from: .ofOneDevice)
      let count = host.service.loads.counts(of: try host.models.model("birds").id)[2]
      #expect(count?.failed == 1 && count?.loaded == 0)
      #expect(try Self.rollout(host)?.isHalted == false)
    }
  }

  @Test func `few networks halt a rollout if enough loads of the stable version are known`() async throws {
    let clock = TestClock()
    let rows = [
      (40, 4, false), (40, 8, true), (19, 19, false), (19, 20, true), (8, 20, true), (4, 20, true),
      (1, 19, false), (1, 20, true), (0, 20, true),
    ]
    for (stable, failed, isHalted) in rows {
      try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
        try Self.start(host)
        try Self.report(host, clock, "loaded", version: 1, times: stable)
        try Self.report(host, clock, "failed", version: 2, times: failed)
        #expect(try Self.rollout(host)?.isHalted == isHalted, "\(stable), \(failed)")
      }
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
    try await RunningHost.serving(now: clock.now, isBehindProxy: true) { host in
      try await onOwnThread {
        try Self.start(host)
        try Self.report(host, clock, "loaded", version: 1, times: 20)
        try Self.report(host, clock, outcome, version: 2, times: 3)
        #expect(try Self.rollout(host)?.isHalted == false)
        try Self.report(host, clock, outcome, version: 2, times: 7)
        #expect(try Self.rollout(host)?.isHalted == true)
        // It continues by hand, and starts counting again.
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

  @Test func `a version that fails as often as the previous one continues`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 1, times: 45)
      try Self.report(host, clock, "failed", version: 1, times: 5)
      try Self.report(host, clock, "loaded", version: 2, times: 18)
      try Self.report(host, clock, "failed", version: 2, times: 2)
      #expect(try Self.rollout(host)?.isHalted == false)
    }
  }

  @Test func `a fleet without reports of the previous version is judged by most loads`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now, isBehindProxy: true) { host throws in
      try Self.start(host)
      try Self.report(host, clock, "loaded", version: 2, times: 15)
      try Self.report(host, clock, "failed", version: 2, times: 5)
      #expect(try Self.rollout(host)?.isHalted == false)
      try Self.report(host, clock, "failed", version: 2, times: 40)
      #expect(try Self.rollout(host)?.isHalted == true)
    }
  }

  @Test func `counts survive a restart`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let clock = TestClock()
    try await RunningHost.serving(now: clock.now, isBehindProxy: true, in: folder) { host in
      try await onOwnThread {
        try Self.start(host)
        try Self.report(host, clock, "loaded", version: 1, times: 20)
        try Self.report(host, clock, "failed", version: 2, times: 2)
      }
      try await host.service.loads.write()
    }
    try await RunningHost.serving(now: clock.now, isBehindProxy: true, in: folder) { host in
      let id = try host.models.model("birds").id
      #expect(host.service.loads.counts(of: id)[1]?.loaded == 20)
      #expect(host.service.loads.counts(of: id)[2]?.failed == 2)
    }
  }
}
#endif
