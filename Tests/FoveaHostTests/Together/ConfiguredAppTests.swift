// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaModels
import FoveaRemoteConfig
import FoveaTesting
import Testing

/// Fovea's client of Remote Config and events with a host.
@Suite(.timeLimit(.minutes(5))) struct ConfiguredAppTests {
  private static let experiments = "/v1/host/projects/test-project/experiments"

  private static func start(_ host: RunningHost, _ unit: String) throws {
    try ConfigRouteTests.publish(host, "of the template")
    let draft =
      #"{"id": "names", "unit": "\#(unit)", "variants": [{"id": "a"}, {"id": "b", "parameters": {"model": "of b"}}], "#
      + #""metric": {"name": "seen"}}"#
    let answer = try host.send(as: .admin, "POST", experiments, body: draft)
    guard answer.status == 200 else { throw TestFailure("not started: \(answer.body)") }
  }

  /// The client with the host's clock.
  private static func surroundings(_ clock: TestClock) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.now = { Double(clock.now().milliseconds) / 1_000 }
    surroundings.proxy = ""
    return surroundings
  }

  @Test(arguments: ["installation", "user"])
  func `apps fetch their variants, log the outcomes, and the host counts them`(_ unit: String)
    async throws
  {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let clock = TestClock()
    try await RunningHost.serving(at: try ReservedPort(), now: clock.now) { host in
      try await onOwnThread { try Self.start(host, unit) }
      clock.advance(seconds: 60)
      let experiment = try host.service.experiments.experiment("names")
      var units = ["a": 0, "b": 0]
      for number in 0..<20 {
        let id = String(String(number, radix: 16).reversed()).padded(to: 32)
        let address = try HostAddress(host.modelHost)
        var options = HostedConfig.Options()
        if unit == "user" {
          options.user = id
        } else {
          try folder.write("\(id)/.hosted/installation.json", "{\"layout\": 1, \"id\": \"\(id)\"}")
        }
        let config = try HostedConfig(
          host: address, folder: folder[id], options: options, in: Self.surroundings(clock))
        #expect(try await config.fetchAndActivate())
        let variant = try #require(config.variant(of: "names"))
        #expect(variant == experiment.variant(of: id)?.id)
        #expect(config["model"].text == (variant == "b" ? "of b" : "of the template"))
        let log = try ExperimentLog(
          host: address, folder: folder[id], user: options.user, pause: nil, in: Self.surroundings(clock))
        try log.exposure(
          experiment: "names", variant: variant, unit: unit == "user" ? .user : .installation)
        try log.metric("seen", unit: unit == "user" ? .user : .installation)
        // The app ends before it sends, and its next start sends.
        let next = try ExperimentLog(
          host: address, folder: folder[id], user: options.user, pause: nil, in: Self.surroundings(clock))
        let report = try await next.send()
        #expect(report.taken == 2 && report.refused.isEmpty, "\(report.refused)")
        #expect(try await log.send().taken == 0)
        units[variant, default: 0] += 1
      }
      let report = try await host.service.experiments.report("names")
      #expect(report.exposed == [units["a"], units["b"]])
      #expect(report.refusals.isEmpty)
    }
  }

  @Test func `events missed while the host is away arrive later`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let clock = TestClock()
    let port = try ReservedPort()
    let (address, variant) = try await RunningHost.serving(
      at: port, now: clock.now, in: folder
    ) { host in
      try await onOwnThread { try Self.start(host, "installation") }
      let address = try HostAddress(host.modelHost)
      let config = try HostedConfig(
        host: address, folder: folder["app"], options: .init(), in: Self.surroundings(clock))
      try await config.fetchAndActivate()
      return (address, try #require(config.variant(of: "names")))
    }
    let log = try ExperimentLog(
      host: address, folder: folder["app"], user: nil, pause: nil, in: Self.surroundings(clock))
    try log.exposure(experiment: "names", variant: variant)
    await #expect(throws: ConfigError.self) { try await log.send() }
    #expect(try log.waiting().events == 1)
    clock.advance(seconds: 60)
    try await RunningHost.serving(at: port, now: clock.now, in: folder) { host in
      let report = try await log.send()
      #expect(report.taken == 1 && report.refused.isEmpty, "\(report.refused)")
      #expect(try await host.service.experiments.report("names").exposed.reduce(0, +) == 1)
    }
  }
}

extension String {
  /// Ids of installations have 32 hexadecimal digits.
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: "0", count: count - utf8.count)
  }
}
#endif
