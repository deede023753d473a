// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// The resources that all callers of a host share, as listed in docs/explanation/threat-model.md: one caller
/// takes its share, another is served.
///
/// Checks are tested in `PublishRouteTests`.
@Suite struct HostShareTests {
  struct Share: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The number of a caller's requests, and of those served.
    let asked: Int
    let got: Int
    /// The limit that rejects the rest.
    let refusal: Int
    /// Sends one request; returns the response's status.
    let ask: @Sendable (RunningHost, _ caller: Caller, _ number: Int) throws -> Int
    /// The status of a served request.
    var served = 200
    /// Callers of the same address with a valid key, besides those of another one.
    var servesNeighbour = true
  }

  /// A caller: its address, its service key, and whether its keys are valid.
  struct Caller: Sendable {
    let address: String
    let role: HostKey.Role
    var isGood = true
  }

  private static let project = "/v1/host/projects/test-project"

  private static func send(
    _ host: RunningHost, _ caller: Caller, _ method: String, _ target: String, key: String? = nil,
    body: String = ""
  ) throws -> Int {
    var headers = ["X-Forwarded-For": caller.address]
    if let key {
      headers["x-goog-api-key"] = caller.isGood ? key : "wrong"
    } else {
      headers["Authorization"] = "Bearer \(caller.isGood ? host.tokens[caller.role] ?? "" : "wrong")"
    }
    return try host.send(method, target, headers: headers, body: Array(body.utf8)).status
  }

  static let shares: [Share] = [
    Share(
      testDescription: "wrong bearer tokens", asked: 70, got: 0, refusal: 429,
      ask: { host, caller, _ in try send(host, caller, "GET", "\(project)/models") }),
    Share(
      testDescription: "wrong keys of an app", asked: 70, got: 0, refusal: 429,
      ask: { host, caller, _ in
        try send(
          host, caller, "POST", "/v1/projects/test-project/installations", key: RunningHost.appKey,
          body: #"{"fid": "device"}"#)
      }),
    Share(
      testDescription: "uploads that are not finished", asked: 260, got: 250, refusal: 429,
      ask: { host, caller, number in
        try send(
          host, caller, "POST", "\(RunningHost.uploads)?uploadType=resumable",
          body: #"{"name": "\#(number)"}"#)
      }),
    Share(
      testDescription: "reports", asked: 40, got: 30, refusal: 429,
      ask: { host, caller, _ in
        try send(
          host, caller, "POST", "\(project)/reports", key: RunningHost.appKey,
          body: #"{"model": "birds", "version": "1", "outcome": "loaded"}"#)
      }, servesNeighbour: false),
    Share(
      testDescription: "events", asked: 15, got: 10, refusal: 429,
      ask: { host, caller, _ in
        let events = Array(repeating: #"{"kind": "metric"}"#, count: 500).joined(separator: ",")
        return try send(
          host, caller, "POST", "/v1/projects/test-project/events:batch", key: RunningHost.appKey,
          body: "{\"events\": [\(events)]}")
      }, servesNeighbour: false),
  ]

  @Test(arguments: shares)
  func `one caller cannot take everything that others need`(share: Share) async throws {
    try await RunningHost.run(isBehindProxy: true) { host throws in
      let made = try host.send(
        as: .publisher, "POST", "\(Self.project)/models/birds/versions", body: markedModel("one"))
      #expect(made.status == 200)
      let greedy = Caller(address: "192.0.2.1", role: .publisher, isGood: share.got > 0)
      let statuses = try (0..<share.asked).map { try share.ask(host, greedy, $0) }
      #expect(statuses.count { $0 == share.served } == share.got, "\(statuses)")
      #expect(statuses.last == share.refusal)
      // Another address with another key, and, if only keys are counted, the same address.
      #expect(try share.ask(host, Caller(address: "192.0.2.2", role: .admin), 1_000) == share.served)
      guard share.servesNeighbour else { return }
      #expect(try share.ask(host, Caller(address: "192.0.2.1", role: .admin), 1_001) == share.served)
    }
  }
}
#endif
