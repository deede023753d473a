// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

@Suite struct HostAnswerTests {
  private static func text(_ reply: Any, hasNulls: Bool = true) -> String {
    var json = JSONText()
    json.object { $0.members(of: reply, hasNulls: hasNulls) }
    return json.text
  }

  static let facts: ModelFacts = {
    var facts = ModelFacts()
    facts.kind = "detector"
    facts.labelCount = 90
    facts.milliseconds = 1.25
    return facts
  }()

  static let models: [(HostAnswer.Model, String)] = [
    (
      HostAnswer.Model(
        name: "bird", id: "7", published: false, channels: [:], rollout: nil, latest: nil, updated: "",
        versions: nil),
      #"{"name": "bird", "id": "7", "published": false, "channels": {}, "rollout": null, "latest": null, "#
        + #""updated": ""}"#
    ),
    (
      HostAnswer.Model(
        name: "bird", id: "7", published: true, channels: ["stable": 2, "beta": 3],
        rollout: HostAnswer.Model.Share(version: 3, percent: 12.5, halted: true), latest: 3, updated: "t",
        versions: []),
      #"{"name": "bird", "id": "7", "published": true, "channels": {"beta": 3, "stable": 2}, "rollout": "#
        + #"{"version": 3, "percent": 12.5, "halted": true}, "latest": 3, "updated": "t", "versions": []}"#
    ),
    (
      HostAnswer.Model(
        name: "bird", id: nil, published: true, channels: [:], rollout: nil, latest: 1, updated: "t",
        versions: [
          HostAnswer.Version(
            version: 1, sha256: "a", size: 9, created: "c", author: "x", notes: "a \"b\"\n", withdrawn: true,
            facts: facts, loads: HostAnswer.Version.Loads(loaded: 1, failed: 2, left: 3))
        ]),
      #"{"name": "bird", "id": null, "published": true, "channels": {}, "rollout": null, "latest": 1, "#
        + #""updated": "t", "versions": [{"version": 1, "sha256": "a", "size": 9, "created": "c", "author": "x", "#
        + #""notes": "a \"b\"\n", "withdrawn": true, "facts": {"kind": "detector", "family": null, "#
        + #""labelCount": 90, "inputWidth": null, "inputHeight": null, "milliseconds": 1.25}, "#
        + #""loads": {"loaded": 1, "failed": 2, "left": 3}}]}"#
    ),
  ]

  @Test(arguments: models)
  func `a model is read as written`(model: HostAnswer.Model, text: String) throws {
    #expect(Self.text(model) == text)
    #expect(try HostClient.Reply(json: text).decode(HostAnswer.Model.self) == model)
  }

  @Test(
    arguments: [
      (nil, "null"), (0, "0"), (12, "12"), (1.25, "1.25"), (0.12345, "0.123"), (1.9996, "2"),
    ] as [(Double?, String)])
  func `a model's time is in whole microseconds, without zeros at its end`(
    _ milliseconds: Double?, _ text: String
  ) {
    struct Reply {
      let facts: ModelFacts
    }
    var facts = ModelFacts()
    facts.milliseconds = milliseconds
    #expect(
      Self.text(Reply(facts: facts))
        == #"{"facts": {"kind": null, "family": null, "labelCount": null, "inputWidth": null, "#
        + #""inputHeight": null, "milliseconds": \#(text)}}"#)
  }

  static let operations: [(Int?, String)] = [
    (4, #"{"model": "m", "operation": "id", "state": "waiting", "before": 4}"#),
    (nil, #"{"model": "m", "operation": "id", "state": "waiting"}"#),
  ]

  @Test(arguments: operations)
  func `an operation has no nulls`(before: Int?, text: String) throws {
    let operation = HostAnswer.Operation(model: "m", operation: "id", state: "waiting", before: before)
    #expect(Self.text(operation, hasNulls: false) == text)
    #expect(try HostClient.Reply(json: text).decode(HostAnswer.Operation.self) == operation)
  }

  @Test(arguments: [
    (false, #""winner": null}"#),
    (true, #""winner": null, "rows": [{"from": "1970-01-01T00:00:00.000Z", "#),
  ])
  func `only a single experiment has its rows and test devices`(isWhole: Bool, text: String) throws {
    let variants = ["a", "b"].map { FoveaHost.Experiment.Variant(id: $0, parameters: ["key \"1\"": $0]) }
    var experiment = FoveaHost.Experiment(
      project: "p", id: "e", created: Timestamp(milliseconds: 0), updated: Timestamp(milliseconds: 0),
      unit: .user, range: DrawRange(seed: "s", start: 0, end: 100_000_000, holdout: 100_000_000), model: nil,
      variants: variants,
      condition: nil,
      metric: ExperimentMetric(name: "m"), planned: 100, state: .running,
      rows: [.init(from: Timestamp(milliseconds: 0), weights: [1, 3], isDrawn: true)])
    experiment.overrides = ["z": "b", "mine": "a"]
    let answer = HostAnswer.Experiment(experiment, model: nil, isWhole: isWhole)
    let written = Self.text(answer)
    #expect(
      written.hasPrefix(
        #"{"id": "e", "state": "running", "unit": "user", "model": null, "variants": [{"id": "a", "weight": 1, "#
          + #""version": null, "parameters": {"key \"1\"": "a"}}, "#))
    #expect(written.contains(#""share": 100.0, "holdout": 0.0}, "created": "1970-01-01T00:00:00.000Z", "#))
    #expect(written.contains(text))
    #expect(written.hasSuffix(#""overrides": {"mine": "a", "z": "b"}}"#) == isWhole)
    #expect(try HostClient.Reply(json: written).decode(HostAnswer.Experiment.self) == answer)
  }

  static let looks: [(String, String, [Double])] = [
    (#""kind": "conversion""#, #""units": [10, 20], "sum": [1, 2]"#, [1, 2]),
    (
      #""kind": "conversion", "alpha": 0.1"#, #""units": [10, 20], "sum": [1, 2], "squares": [1, 3]"#,
      [1, 3]
    ),
    (#""kind": "mean""#, #""units": [10, 20], "sum": [1, 2]"#, []),
    (#""kind": "mean""#, #""units": [10], "sum": [1, 2], "squares": [1, 2]"#, []),
  ]

  @Test(arguments: looks)
  func `counts without squares are those of conversions`(
    _ members: String, _ look: String, _ squares: [Double]
  ) throws {
    let json = "{\(members), \"planned\": 100, \"weights\": [1, 1], \"looks\": [{\(look)}]}"
    let counts = try HostClient.Reply(json: json).decode(HostAnswer.Report.Counts.self).metric
    #expect(counts.looks.map { $0.arms.map(\.squares) } == [squares])
    #expect(counts.alpha == (members.contains("alpha") ? 0.1 : 0.05))
    let written = Self.text(HostAnswer.Report.Counts(counts))
    #expect(
      try HostClient.Reply(json: written).decode(HostAnswer.Report.Counts.self).metric == counts)
    #expect(!written.contains("null"))
  }
}
#endif
