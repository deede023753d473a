// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// The counts of a unit, for any order of its events.
@Suite struct EventCountingTests {
  /// An event of unit `u`: seconds after the start, and a value; none for an exposure.
  private struct Step: Sendable {
    let after: Double
    let value: Double?
    let id: String

    init(_ after: Double, _ value: Double? = nil, id: String? = nil) {
      self.after = after
      self.value = value
      self.id = id ?? "event-number-\(Int(after))-\(value.map { String($0) } ?? "exposure")"
    }
  }

  private static let mean: [([Step], Double)] = [
    ([Step(10)], 0),
    ([Step(10), Step(20, 2), Step(30, 3.5)], 5.5),
    // Values that arrive before their exposure wait for it; those dated before it do not count.
    ([Step(20, 2), Step(30, 3.5), Step(10)], 5.5),
    ([Step(5, 100), Step(20, 2), Step(10)], 2),
    // Both ends of the window are included.
    ([Step(10), Step(10, 1), Step(3_610, 2), Step(3_611, 4)], 3),
    // Below 0, and back.
    ([Step(10), Step(20, 2), Step(30, -2)], 0),
    ([Step(10), Step(20, 1e9), Step(30, -1e9), Step(40, 0.5)], 0.5),
    // An id counts once, also with another value.
    ([Step(10), Step(20, 2, id: "the-same-event-id"), Step(30, 3, id: "the-same-event-id")], 2),
    // The first exposure to arrive counts.
    ([Step(10), Step(20), Step(3_615, 1)], 0),
  ]

  @Test(arguments: mean) private func `values add up within a unit's window`(
    _ steps: [Step], _ sum: Double
  ) async throws {
    try await Self.expect(steps, kind: "mean", sum: sum)
    try await Self.expect(steps, kind: "mean", sum: sum, inOneBatch: true)
  }

  @Test(
    arguments: [
      ([Step(10)], 0), ([Step(10), Step(20, 1)], 1), ([Step(10), Step(20, 1), Step(30, 1)], 1),
      ([Step(10), Step(20, 7)], 1), ([Step(20, 1), Step(10)], 1), ([Step(10), Step(4_000, 1)], 0),
    ] as [([Step], Double)])
  private func `a unit converts once`(_ steps: [Step], _ sum: Double) async throws {
    try await Self.expect(steps, kind: "conversion", sum: sum)
  }

  private static func expect(
    _ steps: [Step], kind: String, sum: Double, inOneBatch: Bool = false
  ) async throws {
    let clock = TestClock()
    let start = clock.now()
    let body: @Sendable (RunningHost) throws -> String = { host in
      let draft =
        #"{"id": "e", "variants": [{}, {}], "metric": {"name": "seen", "kind": "\#(kind)", "window": 3600}}"#
      let answer = try host.send(
        as: .admin, "POST", "/v1/host/projects/test-project/experiments", body: draft)
      guard answer.status == 200 else { throw TestFailure("not started: \(answer.body)") }
      let variant = try #require(try host.service.experiments.experiment("e").variant(of: "u")).id
      clock.advance(seconds: 5_000)
      let rows = steps.map { step in
        let time = start.advanced(seconds: step.after).text
        return step.value.map {
          #"{"id": "\#(step.id)", "kind": "metric", "name": "seen", "unit": "u", "value": \#($0), "time": "\#(time)"}"#
        }
          ?? #"{"id": "\#(step.id)", "kind": "exposure", "experiment": "e", "unit": "u", "variant": "\#(variant)", "time": "\#(time)"}"#
      }
      for batch in inOneBatch ? [rows.joined(separator: ",")] : rows {
        let answer = try host.send(
          "POST", "/v1/projects/test-project/events:batch?key=\(RunningHost.appKey)",
          body: Array(#"{"events": [\#(batch)]}"#.utf8))
        guard answer.status == 200, answer.body.contains("\"refused\": []") else {
          throw TestFailure("not counted: \(answer.body)")
        }
      }
      return variant
    }
    try await RunningHost.serving(now: clock.now) { host in
      let variant = try await onOwnThread { try body(host) }
      clock.advance(seconds: 3 * 86_400)
      let report = try await host.service.experiments.report("e")
      let arm = report.experiment.index(of: variant) ?? 0
      #expect(report.counts.totals[arm].units == 1)
      #expect(abs(report.counts.totals[arm].sum - sum) < 1e-6)
      #expect(report.counts.totals[1 - arm].units == 0)
      #expect(report.exposed[arm] == 1)
    }
  }
}
#endif
