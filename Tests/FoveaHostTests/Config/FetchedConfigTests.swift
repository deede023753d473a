// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FetchedConfigTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)
  private static let started = Timestamp(milliseconds: 1_790_000_000_000)

  private func config(
    _ text: String, installation: String = "user-0", assignments: [ParameterAssignment] = []
  ) throws -> FetchedConfig {
    FetchedConfig(
      try ConfigTemplateTests.read(text), for: ConfigUnit(installation: installation, appID: "1:1:ios:a"),
      at: Self.now, assignments: assignments)
  }

  private func values(_ config: FetchedConfig) -> [String: String] {
    Dictionary(config.entries.map { ($0.key, $0.value) }) { first, _ in first }
  }

  @Test func `the first true condition with a value decides`() throws {
    let found = try config(
      #"{"conditions": [{"name": "no", "expression": "false"}, {"name": "a", "expression": "true"}, "#
        + #"{"name": "b", "expression": "true"}], "parameters": {"#
        + #""both": {"conditionalValues": {"b": {"value": "b"}, "a": {"value": "a"}, "no": {"value": "no"}}}, "#
        + #""second": {"conditionalValues": {"b": {"value": "b"}}, "defaultValue": {"value": "d"}}, "#
        + #""standard": {"conditionalValues": {"no": {"value": "b"}}, "defaultValue": {"value": "d"}}, "#
        + #""builtIn": {"conditionalValues": {"a": {"useInAppDefault": true}}, "defaultValue": {"value": "d"}}, "#
        + #""personal": {"conditionalValues": {"a": {"personalizationValue": {"personalizationId": "x"}}}, "#
        + #""defaultValue": {"value": "d"}}, "none": {}}, "#
        + #""parameterGroups": {"g": {"parameters": {"inner": {"defaultValue": {"value": ""}}}}}}"#)
    #expect(values(found) == ["both": "a", "second": "b", "standard": "d", "personal": "d", "inner": ""])
  }

  @Test func `a rollout has its share of the installations, and reports its members`() throws {
    // The hash of user-0 with the seed model_ab is 18,939,258.
    func text(_ percent: String) -> String {
      #"{"parameters": {"p": {"defaultValue": {"rolloutValue": {"rolloutId": "model_ab", "value": "new", "percent": \#(percent)}}}, "q": {"defaultValue": {"value": "q"}}}}"#
    }
    let isIn = try config(text("18.939259"))
    #expect(values(isIn) == ["p": "new", "q": "q"])
    #expect(isIn.rollouts.map(\.isEnabled) == [true])
    let isOut = try config(text("18.939258"))
    #expect(values(isOut) == ["q": "q"])
    #expect(isOut.rollouts.map(\.keys) == [["p"]])
    #expect(try config(text("100"), installation: "").entries.count == 1)
  }

  @Test func `each rollout lists its parameters once, in their order`() throws {
    func rollout(_ id: String) -> String {
      #"{"rolloutValue": {"rolloutId": "\#(id)", "value": "new", "percent": 0}}"#
    }
    let found = try config(
      #"{"conditions": [{"name": "a", "expression": "true"}, {"name": "b", "expression": "true"}], "#
        + #""parameters": {"p": {"conditionalValues": {"a": \#(rollout("r")), "b": \#(rollout("s"))}, "#
        + #""defaultValue": \#(rollout("r"))}, "q": {"defaultValue": \#(rollout("s"))}}, "#
        + #""parameterGroups": {"g": {"parameters": {"t": {"defaultValue": \#(rollout("r"))}}}}}"#)
    #expect(found.rollouts.map(\.id) == ["r", "s"])
    #expect(found.rollouts.map(\.keys) == [["p", "t"], ["p", "q"]])
    #expect(found.entries.isEmpty)
  }

  @Test func `a variant decides by its parameters and by the values of the template`() throws {
    let text =
      #"{"conditions": [{"name": "all", "expression": "true"}], "parameters": {"#
      + #""model": {"defaultValue": {"value": "m1"}}, "color": {"defaultValue": {"value": "red"}, "#
      + #""conditionalValues": {"all": {"experimentValue": {"experimentId": "birds", "variantValue": "#
      + #"[{"variantId": "a", "noChange": true}, {"variantId": "b", "value": "blue"}]}}}}}}"#
    func assignment(_ variant: String, _ parameters: [String: String]) -> ParameterAssignment {
      ParameterAssignment(
        experiment: "birds", variant: variant, started: Self.started, parameters: parameters)
    }
    #expect(values(try config(text)) == ["model": "m1", "color": "red"])
    let control = try config(text, assignments: [assignment("a", [:])])
    #expect(values(control) == ["model": "m1", "color": "red"])
    #expect(control.experiments.map(\.keys) == [["color"]])
    let changed = try config(text, assignments: [assignment("b", ["model": "m2", "extra": "x"])])
    #expect(values(changed) == ["model": "m2", "color": "blue", "extra": "x"])
    #expect(changed.experiments.map(\.keys) == [["extra", "model", "color"]])
    let answer = ConfigReply(changed, version: 3, project: "1", appName: "n", ifNoneMatch: nil)
    #expect(
      answer.body
        == #"{"appName": "n", "state": "UPDATE", "templateVersion": "3", "#
        + #""entries": {"model": "m2", "color": "blue", "extra": "x"}, "experimentDescriptions": "#
        + #"[{"experimentId": "birds", "variantId": "b", "experimentStartTime": "2026-09-21T14:13:20.000Z", "#
        + #""triggerTimeoutMillis": "15552000000", "timeToLiveMillis": "15552000000", "#
        + #""affectedParameterKeys": ["extra", "model", "color"]}]}"# + "\n")
  }

  @Test func `each state is answered, and no change only if the app is up to date`() throws {
    let empty = try config("{}")
    #expect(
      ConfigReply(empty, version: 0, project: "1", appName: nil, ifNoneMatch: nil).state == .noTemplate)
    #expect(ConfigReply(empty, version: 1, project: "1", appName: nil, ifNoneMatch: nil).state == .empty)
    let full = try config(#"{"parameters": {"p": {"defaultValue": {"value": "1"}}}}"#)
    let first = ConfigReply(full, version: 1, project: "1", appName: nil, ifNoneMatch: "*")
    #expect(first.state == .update)
    let again = ConfigReply(full, version: 1, project: "1", appName: nil, ifNoneMatch: first.tag)
    #expect(again.state == .noChange)
    #expect(again.tag == first.tag)
    #expect(again.body == #"{"state": "NO_CHANGE", "templateVersion": "1"}"# + "\n")
    let quoted = ConfigReply(full, version: 1, project: "1", appName: nil, ifNoneMatch: "\"\(first.tag)\"")
    #expect(quoted.state == .noChange)
    let next = ConfigReply(full, version: 2, project: "1", appName: nil, ifNoneMatch: first.tag)
    #expect(next.state == .update)
  }

  @Test func `a growing share keeps its members`() throws {
    for percent in stride(from: 1, through: 100, by: 9) {
      let small = try ConfigExpression("percent('s') <= \(percent - 1)")
      let large = try ConfigExpression("percent('s') <= \(percent)")
      for number in 0..<300 {
        let unit = ConfigUnit(installation: "id-\(number)", appID: "a")
        #expect(!small.holds(for: unit, at: Self.now) || large.holds(for: unit, at: Self.now))
      }
    }
  }
}
#endif
