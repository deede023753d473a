// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// An experiment over HTTP, from its start to its analysis.
@Suite struct ExperimentWayTests {
  private static let native = "/v1/host/projects/test-project"
  private static let events = "/v1/projects/test-project/events:batch?key=\(RunningHost.appKey)"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"
  private static let day = 86_400.0

  private static func start(_ host: RunningHost, _ extra: String = "") throws -> RunningHost.Answer {
    for (text, channel) in [("one", "stable"), ("two", "beta")] {
      let answer = try host.send(
        as: .publisher, "POST", "\(native)/models/birds/versions?channel=\(channel)",
        body: markedModel(text))
      guard answer.status == 200 else { throw TestFailure("not published: \(answer.body)") }
    }
    let body =
      #"{"id": "birds-2", "model": "birds", "planned": 4000, "metric": {"name": "confirmed"}, "#
      + #""variants": [{"id": "a", "weight": 50, "version": 1}, {"id": "b", "weight": 50, "version": 2}]\#(extra)}"#
    return try host.send(as: .admin, "POST", "\(native)/experiments", body: body)
  }

  private static func exposure(
    _ unit: Int, _ variant: String, _ time: Timestamp, name: String? = nil
  ) -> String {
    #"{"id": "exposure-of-unit-\#(unit)", "kind": "exposure", "experiment": "birds-2", "#
      + #""unit": "\#(name ?? "device-\(unit)")", "variant": "\#(variant)", "time": "\#(time.text)"}"#
  }

  private static func metric(_ unit: Int, _ time: Timestamp) -> String {
    #"{"id": "metric-of-a-unit-\#(unit)", "kind": "metric", "name": "confirmed", "#
      + #""unit": "device-\#(unit)", "value": 1, "time": "\#(time.text)"}"#
  }

  @discardableResult
  private static func log(_ host: RunningHost, _ rows: [String]) throws -> [String] {
    try stride(from: 0, to: rows.count, by: 500).map { start in
      let batch = rows[start..<min(start + 500, rows.count)].joined(separator: ", ")
      let answer = try host.send("POST", events, body: Array(#"{"events": [\#(batch)]}"#.utf8))
      guard answer.status == 200 else { throw TestFailure("not taken: \(answer.body)") }
      return answer.body
    }
  }

  @Test(arguments: [(13, Verdict.better), (10, .open), (7, .worse)])
  func `a planted lift is found, and none between two equal arms`(
    _ ofFifty: Int, _ verdict: Verdict
  ) async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host in
      let started = try Self.start(host)
      #expect(started.status == 200, "\(started.body)")
      #expect(try host.send("GET", Self.download).body.contains(#""experiment": "birds-2""#))
      let experiment = try host.service.experiments.experiment("birds-2")
      // Each arm converts in a fixed pattern, so the counts only depend on the random assignment.
      var units = ["a": 0, "b": 0]
      var sums = ["a": 0, "b": 0]
      for part in 0..<2 {
        var rows: [String] = []
        for unit in (part * 2_000)..<(part * 2_000 + 2_000) {
          let variant = try #require(experiment.variant(of: "device-\(unit)")).id
          let number = units[variant, default: 0]
          units[variant] = number + 1
          rows.append(Self.exposure(unit, variant, clock.now()))
          if number % 50 < (variant == "a" ? 10 : ofFifty) {
            sums[variant, default: 0] += 1
            rows.append(Self.metric(unit, clock.now().advanced(seconds: 60)))
          }
        }
        clock.advance(seconds: 120)
        // A third arrives twice, some of it out of order.
        try Self.log(host, rows + rows.indices.filter { $0 % 3 == 0 }.reversed().map { rows[$0] })
        clock.advance(seconds: Self.day)
      }
      clock.advance(seconds: 2 * Self.day)
      let report = try Self.report(host, at: clock.now())
      #expect(report.arms.map(\.units) == [units["a"], units["b"]])
      #expect(report.arms.map(\.sum) == [sums["a"].map(Double.init), sums["b"].map(Double.init)])
      #expect(report.counts.looks.count == 2)
      let analysis = try ExperimentAnalysis(report.counts.metric)
      let comparison = try #require(report.comparisons.first)
      #expect(report.comparisons.map(\.verdict) == [verdict])
      #expect(analysis.comparisons[0].map(\.verdict) == [verdict])
      #expect(comparison.p == analysis.comparisons[0][0].p)
      #expect(comparison.difference == analysis.comparisons[0][0].difference)
      #expect(report.sampleRatio.p == analysis.sampleRatio)
    }
  }

  @Test func `impossible events are rejected, each with its reason`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host in
      _ = try Self.start(host)
      let experiment = try host.service.experiments.experiment("birds-2")
      let assigned = try #require(experiment.variant(of: "device-1")).id
      let now = clock.now().advanced(seconds: 1)
      clock.advance(seconds: 60)
      let rows = [
        (Self.exposure(1, assigned == "a" ? "b" : "a", now), "wrong-variant"),
        (Self.exposure(2, "c", now), "unknown-variant"),
        (Self.exposure(3, assigned, now.advanced(seconds: 3_600)), "future"),
        (Self.exposure(4, assigned, now.advanced(seconds: -8 * Self.day)), "too-late"),
        (Self.exposure(5, assigned, now.advanced(seconds: -3_600)), "not-running"),
        (Self.exposure(6, assigned, now).replacing("birds-2", with: "fish"), "unknown-experiment"),
        (Self.exposure(7, assigned, now).replacing("exposure-of-unit-7", with: "short"), "malformed"),
        (Self.metric(8, now).replacing("confirmed", with: "bought"), "unknown-metric"),
        (Self.metric(9, now).replacing("\"value\": 1", with: "\"value\": \"x\""), "malformed"),
        (Self.metric(10, now).replacing("metric\", \"name", with: "visit\", \"name"), "unknown-kind"),
      ]
      for (row, reason) in rows {
        let answer = try #require(try Self.log(host, [row]).first)
        #expect(answer.contains("\"reason\": \"\(reason)\""), "\(row): \(answer)")
      }
      // The next valid one counts.
      let good = try Self.log(host, [Self.exposure(1, assigned, now)])
      #expect(good.first?.contains("\"counted\": 1") == true, "\(good)")
      let again = try Self.log(host, [Self.exposure(1, assigned, now)])
      #expect(again.first?.contains("\"repeated\": 1") == true, "\(again)")
    }
  }

  @Test(arguments: [
    "", "[]", "{", #"{"events": 1}"#,
    "{\"events\": [" + Array(repeating: "{}", count: 501).joined(separator: ",") + "]}",
  ])
  func `an invalid batch is rejected as a whole`(_ body: String) async throws {
    try await RunningHost.run { host in
      let answer = try host.send("POST", Self.events, body: Array(body.utf8))
      #expect(answer.status == 400, "\(answer.body)")
    }
  }

  @Test(arguments: [
    (#""version": 2"#, #""version": 9"#, "version"),
    (#""weight": 50, "version": 2"#, #""weight": -1, "version": 2"#, "weight"),
    (#""id": "birds-2""#, #""id": "Birds 2""#, "id"), (#""name": "confirmed""#, #""name": """#, "metric"),
    (#""name": "confirmed""#, #""name": "confirmed", "window": 2505600"#, "window"),
    (#""name": "confirmed""#, #""name": "confirmed", "window": 0.5"#, "0.5 is not a whole number of seconds"),
    (
      #""name": "confirmed""#, #""name": "confirmed", "window": -1"#,
      "Choose a window of 0 seconds to 28 days"
    ),
    (#""name": "confirmed""#, #""name": "confirmed", "window": -1"#, "metric.window: -1 seconds are not"),
    (#""model": "birds""#, #""model": "none""#, "model"),
    (#""planned": 4000"#, #""planned": 0"#, "planned"),
    (#""planned": 4000"#, #""planned": 4000, "share": 1e300"#, "share"),
    (#""planned": 4000"#, #""planned": 4000, "holdout": 1e300"#, "holdout"),
    (
      #""variants": ["#,
      #""variants": ["# + String(repeating: #"{"weight": 1, "version": 1}, "#, count: 19),
      "Give 20 or fewer"
    ),
  ])
  func `an impossible experiment is rejected with the member's path`(
    _ from: String, _ to: String, _ path: String
  ) async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      _ = try host.send(as: .admin, "POST", "\(Self.native)/experiments/birds-2:stop")
      let body =
        #"{"id": "birds-2", "model": "birds", "planned": 4000, "metric": {"name": "confirmed"}, "#
        + #""variants": [{"id": "a", "weight": 50, "version": 1}, {"id": "b", "weight": 50, "version": 2}]}"#
      let changed = body.replacing(from, with: to)
      #expect(changed != body)
      let answer = try host.send(
        as: .admin, "POST", "\(Self.native)/experiments",
        body: path == "id" ? changed : changed.replacing("birds-2", with: "birds-3"))
      #expect((400..<500).contains(answer.status) && answer.body.contains(path), "\(answer.body)")
    }
  }

  @Test func `a state that is set again changes nothing`() async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      let experiment = "\(Self.native)/experiments/birds-2"
      for change in ["resume", "pause", "pause", "resume", "resume", "stop"] {
        let first = try host.send(as: .admin, "POST", "\(experiment):\(change)")
        let again = try host.send(as: .admin, "POST", "\(experiment):\(change)")
        #expect(first.status == 200 && again.status == 200 && again.body == first.body, "\(again.body)")
      }
      #expect(try host.send(as: .admin, "POST", "\(experiment):pause").status == 400)
    }
  }

  @Test(
    arguments: [
      ("rollout", "a", "experiment: birds-2, state: running → rolledOut, winner: a"),
      ("rollout", "b", "channel stable: 1 → 2, experiment: birds-2, state: running → rolledOut, winner: b"),
      ("stop", nil, "experiment: birds-2, state: running → stopped"),
    ] as [(String, String?, String)])
  func `the history of an experiment has what it changes in the model`(
    _ change: String, _ variant: String?, _ text: String
  ) async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      let answers = [
        try host.send(
          as: .admin, "POST", "\(Self.native)/experiments/birds-2:\(change)",
          body: variant.map { #"{"variant": "\#($0)"}"# } ?? ""),
        try host.send(as: .viewer, "GET", "\(Self.native)/models/birds/history?limit=2"),
      ]
      #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.body))")
      let history = try HostClient.Reply(json: answers[1].body).decode(HostAnswer.History.self)
      let start = "experiment: birds-2, state: running, weights: 50:50"
      #expect(history.entries.map(\.changeText) == [text, start])
    }
  }

  @Test(arguments: [("", true), (#", "draft": true"#, false)])
  func `without a stable version no device gets a variant, and no experiment starts or resumes`(
    _ extra: String, _ isRunning: Bool
  ) async throws {
    try await RunningHost.serving(hasConsole: true) { host in
      let id = try await onOwnThread {
        let started = try Self.start(host, extra)
        guard started.status == 200 else { throw TestFailure("not started: \(started.body)") }
        #expect(try host.send("GET", Self.download).status == 200)
        return try host.models.model("birds").id
      }
      try await host.models.change(id, actor: "test", action: "channel.set") { $0.unpublish() }
      try await onOwnThread {
        let experiment = "\(Self.native)/experiments/birds-2"
        #expect(try host.send("GET", Self.download).status == 404)
        if isRunning { #expect(try host.send(as: .admin, "POST", "\(experiment):pause").status == 200) }
        let before = try host.service.experiments.experiment("birds-2")
        let refused = try host.send(as: .admin, "POST", "\(experiment):resume")
        #expect(refused.status == 400 && refused.body.contains("is not published"), "\(refused.body)")
        let asked = try Person(host).opens("/console/experiments/birds-2/resume")
        #expect(asked.status == 400 && asked.body.contains("is not published"), "\(asked.body)")
        #expect(try host.service.experiments.experiment("birds-2") == before)
        let pointed = try host.send(
          as: .publisher, "PUT", "\(Self.native)/models/birds/channels/stable", body: #"{"version": 1}"#)
        #expect(pointed.status == 200, "\(pointed.body)")
        let resumed = try host.send(as: .admin, "POST", "\(experiment):resume")
        #expect(resumed.status == 200 && resumed.body.contains(#""state": "running""#), "\(resumed.body)")
        #expect(try host.send("GET", Self.download).body.contains(#""experiment": "birds-2""#))
      }
    }
  }

  @Test(
    arguments: [
      ("", nil, false, "running"), ("", nil, true, "running"), ("", "pause", false, "paused"),
      (#", "draft": true"#, nil, true, "draft"),
    ] as [(String, String?, Bool, String)])
  func `the deletion of a model stops its experiment, and the history has both`(
    _ extra: String, _ change: String?, _ isGoogles: Bool, _ state: String
  ) async throws {
    try await RunningHost.serving { host in
      let id = try await onOwnThread {
        let started = try Self.start(host, extra)
        guard started.status == 200 else { throw TestFailure("not started: \(started.body)") }
        if let change {
          #expect(
            try host.send(as: .admin, "POST", "\(Self.native)/experiments/birds-2:\(change)").status == 200)
        }
        let id = try host.models.model("birds").id
        let target = isGoogles ? "/v1beta2/projects/test-project/models/\(id)" : "\(Self.native)/models/birds"
        let deleted = try host.send(as: .publisher, "DELETE", target)
        #expect(deleted.status == 200, "\(deleted.body)")
        let answer = try host.send(as: .viewer, "GET", "\(Self.native)/models/birds/history?limit=2").body
        let history = try HostClient.Reply(json: answer).decode(HostAnswer.History.self).entries
        #expect(history.map(\.action) == ["model.delete", "experiment.stop"])
        #expect(history.last?.changeText == "experiment: birds-2, state: \(state) → stopped")
        return id
      }
      let stopped = try host.service.experiments.experiment("birds-2")
      #expect(stopped.state == .stopped && stopped.ended != nil && stopped.model == id)
      #expect(stopped.rows.last?.isDrawn == false)
      let stored = try await host.models.metadata.experiments(project: host.models.project)
      #expect(stored == [stopped])
    }
  }

  @Test func `an ended experiment does not change if its model is deleted`() async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      let done = try host.send(
        as: .admin, "POST", "\(Self.native)/experiments/birds-2:rollout", body: #"{"variant": "b"}"#)
      #expect(done.status == 200, "\(done.body)")
      let ended = try host.service.experiments.experiment("birds-2")
      #expect(try host.send(as: .publisher, "DELETE", "\(Self.native)/models/birds").status == 200)
      #expect(try host.service.experiments.experiment("birds-2") == ended)
    }
  }

  @Test func `an experiment on a model does not stop after its rollout`() async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      let experiment = "\(Self.native)/experiments/birds-2"
      let done = try host.send(as: .admin, "POST", "\(experiment):rollout", body: #"{"variant": "b"}"#)
      #expect(done.status == 200, "\(done.body)")
      let refused = try host.send(as: .admin, "POST", "\(experiment):stop")
      #expect(
        refused.status == 400 && refused.body.contains("is rolled out and cannot be stopped"),
        "\(refused.body)")
      // Whatever `stable` points at: nothing else is left of the experiment.
      let back = try host.send(
        as: .admin, "PUT", "\(Self.native)/models/birds/channels/stable", body: #"{"version": 1}"#)
      #expect(back.status == 200, "\(back.body)")
      #expect(try host.send(as: .admin, "POST", "\(experiment):stop").status == 400)
      let shown = try host.send(as: .viewer, "GET", experiment).body
      #expect(shown.contains(#""state": "rolledOut""#) && shown.contains(#""winner": "b""#), "\(shown)")
    }
  }

  @Test func `a change of a finished experiment is rejected with its state`() async throws {
    try await RunningHost.run { host in
      _ = try Self.start(host)
      let experiment = "\(Self.native)/experiments/birds-2"
      let set = try host.send(
        as: .admin, "PUT", "\(experiment)/overrides", body: #"{"unit": "mine", "variant": "b"}"#)
      #expect(set.status == 200, "\(set.body)")
      let done = try host.send(as: .admin, "POST", "\(experiment):rollout", body: #"{"variant": "b"}"#)
      #expect(done.status == 200, "\(done.body)")
      for (method, place, body, said) in [
        (
          "PUT", "/overrides", #"{"unit": "mine", "variant": "a"}"#,
          "does not accept test devices any more"
        ),
        ("PUT", "/overrides", #"{"unit": "mine"}"#, "does not accept test devices any more"),
        ("PUT", "/weights", #"{"weights": [1, 2]}"#, "does not accept new weights"),
        ("POST", ":pause", "", "cannot be paused"), ("POST", ":resume", "", "cannot be resumed"),
        ("POST", ":rollout", #"{"variant": "a"}"#, "cannot be rolled out"),
      ] {
        let answer = try host.send(as: .admin, method, experiment + place, body: body)
        #expect(
          answer.status == 400 && answer.body.contains("'birds-2' is rolled out and \(said)"),
          "\(place): \(answer.body)")
      }
      let shown = try host.send(as: .viewer, "GET", experiment).body
      #expect(shown.contains(#""mine": "b""#), "\(shown)")
    }
  }

  @Test(arguments: ["Birds", "birds_2", "%2e%2e", String(repeating: "a", count: 23)])
  func `an impossible id of an experiment is invalid, and an unused one is not found`(_ id: String)
    async throws
  {
    try await RunningHost.run { host in
      for (method, place, body) in [
        ("GET", "", ""), ("GET", "/report", ""), ("PUT", "/weights", #"{"weights": [1]}"#),
        ("PUT", "/overrides", #"{"unit": "u"}"#), ("POST", ":stop", ""),
        ("POST", ":rollout", #"{"variant": "a"}"#),
      ] {
        let answer = try host.send(
          as: .admin, method, "\(Self.native)/experiments/\(id)\(place)", body: body)
        #expect(
          answer.status == 400 && answer.body.contains("is not the id of an experiment"), "\(answer.body)")
        let none = try host.send(
          as: .admin, method, "\(Self.native)/experiments/birds-9\(place)", body: body)
        #expect(none.status == 404, "\(none.body)")
      }
    }
  }

  // MARK: The report

  private struct Report: Decodable {
    struct Arm: Decodable {
      let units: Int
      let sum: Double
    }
    struct Comparison: Decodable {
      let p: Double
      let difference: Double?
      let verdict: Verdict
    }
    struct Ratio: Decodable { let p: Double }
    struct Counts: Decodable {
      struct Look: Decodable {
        let units: [Int]
        let sum: [Double]
        let squares: [Double]
      }
      let planned: Double
      let kind: MetricKind
      let weights: [Double]
      let looks: [Look]

      var metric: MetricCounts {
        MetricCounts(
          planned: planned, kind: kind, weights: weights,
          looks: looks.map { look in
            MetricCounts.Look(
              arms: look.units.indices.map {
                ArmSums(units: look.units[$0], sum: look.sum[$0], squares: look.squares[$0])
              })
          })
      }
    }
    let arms: [Arm]
    let comparisons: [Comparison]
    let sampleRatio: Ratio
    let counts: Counts
  }

  /// The tests' own tokens have expired by then.
  private static func report(_ host: RunningHost, at time: Timestamp) throws -> Report {
    let account = try #require(try RunningHost.accounts.get()[.viewer])
    let expires = String(time.advanced(seconds: 60).milliseconds)
    let token = host.ring.seal([account.keyID, expires, "models.read"], for: .access)
    let answer = try host.send(
      "GET", "\(native)/experiments/birds-2/report", headers: ["Authorization": "Bearer \(token)"])
    guard answer.status == 200 else { throw TestFailure("no report: \(answer.body)") }
    return try JSONValue.decode(Report.self, from: Array(answer.body.utf8))
  }
}
#endif
