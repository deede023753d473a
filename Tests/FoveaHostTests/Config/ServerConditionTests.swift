// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct ServerConditionTests {
  private static func condition(_ json: String) throws -> ServerCondition? {
    let text = #"{"conditions": [{"name": "c", "condition": \#(json)}]}"#
    guard
      case .server(let condition)? = try ConfigTemplateTests.read(text, .servers).conditions.first?.rule
    else { return nil }
    return condition
  }

  private static func percent(_ body: String) -> String { #"{"percent": {"seed": "model_ab", \#(body)}}"# }
  private static func signal(_ name: String, _ targets: String) -> String {
    #"{"customSignal": {"customSignalOperator": "\#(name)", "customSignalKey": "k", "targetCustomSignalValues": [\#(targets)]}}"#
  }

  static let rows = [
    #"{"true": {}}"#, #"{"false": {}}"#,
    #"{"orCondition": {}}"#, #"{"andCondition": {}}"#,
    #"{"orCondition": {"conditions": [{"false": {}}, {"true": {}}]}}"#,
    #"{"andCondition": {"conditions": [{"false": {}}, {"true": {}}]}}"#,
    percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 18939258"#),
    percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 18939257"#),
    percent(#""percentOperator": "GREATER_THAN", "microPercent": 18939257"#),
    percent(
      #""percentOperator": "BETWEEN", "microPercentRange": {"microPercentLowerBound": 18939257, "microPercentUpperBound": 18939258}"#
    ),
    percent(
      #""percentOperator": "BETWEEN", "microPercentRange": {"microPercentLowerBound": 18939258, "microPercentUpperBound": 100000000}"#
    ),
    signal("STRING_CONTAINS", #""b""#),
    signal("STRING_DOES_NOT_CONTAIN", #""b""#),
    signal("STRING_EXACTLY_MATCHES", #""x", " abc ""#),
    signal("STRING_CONTAINS_REGEX", #""^a.c$""#),
    signal("NUMERIC_LESS_THAN", #""3""#), signal("NUMERIC_EQUAL", #""3.0""#),
    signal("NUMERIC_NOT_EQUAL", #""3""#),
    signal("NUMERIC_GREATER_EQUAL", #""0""#),
    signal("SEMANTIC_VERSION_GREATER_EQUAL", #""2.0""#),
    signal("SEMANTIC_VERSION_EQUAL", #""2""#),
    signal("SEMANTIC_VERSION_LESS_THAN", #""2""#),
  ]

  @Test(arguments: rows) func `a condition round-trips`(json: String) throws {
    let condition = try #require(try Self.condition(json))
    var text = JSONText()
    condition.json.append(to: &text)
    #expect(try Self.condition(text.text) == condition)
  }

  @Test func `ten levels are allowed`() throws {
    func nested(_ count: Int) -> String {
      (1..<count).reduce(#"{"true": {}}"#) { inner, _ in #"{"andCondition": {"conditions": [\#(inner)]}}"# }
    }
    #expect(try Self.condition(nested(10)) != nil)
    let error = #expect(throws: HostError.self) { try Self.condition(nested(11)) }
    #expect(error?.message.hasSuffix("conditions nest deeper than 10 levels") == true)
  }

  static let refused: [(String, String)] = [
    (
      "{}",
      ": a condition is an object with one of orCondition, andCondition, true, false, percent and customSignal"
    ),
    (#"{"notCondition": {}}"#, ".notCondition: unknown member; did you mean 'orCondition'?"),
    (
      #"{"percent": {"seed": "a b", "percentOperator": "BETWEEN"}}"#,
      ".percent.seed: a seed is 0 to 32 letters, digits, '-', '_' and '.'"
    ),
    (
      percent(#""percentOperator": "ABOVE""#),
      ".percent.percentOperator: LESS_OR_EQUAL, GREATER_THAN or BETWEEN is expected"
    ),
    (
      percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 100000001"#),
      ".percent.microPercent: a whole number from 0 to 100000000 is expected"
    ),
    (signal("STRING_LIKE", #""a""#), ".customSignal.customSignalOperator: unknown operator"),
    (signal("NUMERIC_EQUAL", ""), ".customSignal.targetCustomSignalValues: 1 to 100 values are expected"),
    (
      signal("NUMERIC_EQUAL", #""1", "2""#),
      ".customSignal.targetCustomSignalValues: NUMERIC_EQUAL accepts only one value"
    ),
    (
      signal("NUMERIC_EQUAL", #""x""#),
      ".customSignal.targetCustomSignalValues[0]: the value does not fit NUMERIC_EQUAL"
    ),
    (
      signal("STRING_CONTAINS_REGEX", #""(""#),
      ".customSignal.targetCustomSignalValues: a pattern cannot be used: the group has no ')' (at character 1)"
    ),
  ]

  @Test(arguments: refused)
  func `conditions that the Admin SDKs cannot evaluate are rejected`(json: String, message: String) {
    let error = #expect(throws: HostError.self) { try Self.condition(json) }
    #expect(error?.message == "conditions[0].condition" + message)
  }

  @Test func `expressions of a server's template become conditions`() throws {
    let template = try ConfigTemplateTests.read(
      #"{"conditions": [{"name": "c", "expression": "percent('s') <= 12.5 && app.customSignal['k'].matches(['a'])"}]}"#,
      .servers)
    let expected =
      #"{"conditions": [{"name": "c", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": ["#
      + #"{"percent": {"percentOperator": "LESS_OR_EQUAL", "microPercent": 12500000, "seed": "s"}}, "#
      + #"{"customSignal": {"customSignalOperator": "STRING_CONTAINS_REGEX", "customSignalKey": "k", "#
      + #""targetCustomSignalValues": ["a"]}}]}}]}}}]}"#
    #expect(template.json(nil, forServers: true) == expected)
    let error = #expect(throws: HostError.self) {
      try ConfigTemplateTests.read(
        #"{"conditions": [{"name": "c", "expression": "device.os == 'ios'"}]}"#, .servers)
    }
    #expect(
      error?.message
        == "conditions[0].expression: expressions of a server's template support only percent and app.customSignal"
    )
  }
}
#endif
