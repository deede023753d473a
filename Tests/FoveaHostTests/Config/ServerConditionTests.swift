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

  /// Conditions, and whether they are true for user-0 (18939258 with this seed) with the signal k.
  static let rows: [(String, String?, Bool)] = [
    (#"{"true": {}}"#, nil, true), (#"{"false": {}}"#, nil, false),
    (#"{"orCondition": {}}"#, nil, false), (#"{"andCondition": {}}"#, nil, true),
    (#"{"orCondition": {"conditions": [{"false": {}}, {"true": {}}]}}"#, nil, true),
    (#"{"andCondition": {"conditions": [{"false": {}}, {"true": {}}]}}"#, nil, false),
    (percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 18939258"#), nil, true),
    (percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 18939257"#), nil, false),
    (percent(#""percentOperator": "GREATER_THAN", "microPercent": 18939257"#), nil, true),
    (
      percent(
        #""percentOperator": "BETWEEN", "microPercentRange": {"microPercentLowerBound": 18939257, "microPercentUpperBound": 18939258}"#
      ), nil, true
    ),
    (
      percent(
        #""percentOperator": "BETWEEN", "microPercentRange": {"microPercentLowerBound": 18939258, "microPercentUpperBound": 100000000}"#
      ), nil, false
    ),
    (signal("STRING_CONTAINS", #""b""#), "abc", true),
    (signal("STRING_DOES_NOT_CONTAIN", #""b""#), "abc", false),
    (signal("STRING_EXACTLY_MATCHES", #""x", " abc ""#), "abc", true),
    (signal("STRING_CONTAINS_REGEX", #""^a.c$""#), "abc", true),
    (signal("STRING_CONTAINS", #""b""#), nil, false),
    (signal("NUMERIC_LESS_THAN", #""3""#), "2.5", true), (signal("NUMERIC_EQUAL", #""3.0""#), "3", true),
    (signal("NUMERIC_NOT_EQUAL", #""3""#), "x", false),
    (signal("NUMERIC_GREATER_EQUAL", #""0""#), "0", true),
    (signal("SEMANTIC_VERSION_GREATER_EQUAL", #""2.0""#), "2.10.1", true),
    (signal("SEMANTIC_VERSION_EQUAL", #""2""#), "2.0.0", true),
    (signal("SEMANTIC_VERSION_LESS_THAN", #""2""#), "-1", false),
  ]

  @Test(arguments: rows)
  func `a condition is what the Admin SDKs make of it`(json: String, value: String?, expected: Bool) throws {
    let condition = try #require(try Self.condition(json))
    #expect(condition.holds(id: "user-0", signals: value.map { ["k": $0] } ?? [:]) == expected)
  }

  @Test func `without an id no share counts, and ten levels are allowed`() throws {
    let all = try #require(
      try Self.condition(Self.percent(#""percentOperator": "LESS_OR_EQUAL", "microPercent": 100000000"#)))
    #expect(!all.holds(id: nil, signals: [:]))
    #expect(!all.holds(id: "", signals: [:]))
    func nested(_ count: Int) -> String {
      (1..<count).reduce(#"{"true": {}}"#) { inner, _ in #"{"andCondition": {"conditions": [\#(inner)]}}"# }
    }
    #expect(try Self.condition(nested(10))?.holds(id: "a", signals: [:]) == true)
    let error = #expect(throws: HostError.self) { try Self.condition(nested(11)) }
    #expect(error?.message.hasSuffix("conditions nest deeper than 10 levels") == true)
  }

  static let refused: [(String, String)] = [
    (
      "{}",
      ": a condition is an object with one of orCondition, andCondition, true, false, percent and customSignal"
    ),
    (#"{"notCondition": {}}"#, ".notCondition: there is no such member; did you mean 'orCondition'?"),
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
    (signal("STRING_LIKE", #""a""#), ".customSignal.customSignalOperator: there is no such operator"),
    (signal("NUMERIC_EQUAL", ""), ".customSignal.targetCustomSignalValues: 1 to 100 values are expected"),
    (
      signal("NUMERIC_EQUAL", #""1", "2""#),
      ".customSignal.targetCustomSignalValues: NUMERIC_EQUAL compares with one value"
    ),
    (
      signal("NUMERIC_EQUAL", #""x""#),
      ".customSignal.targetCustomSignalValues[0]: the value does not fit NUMERIC_EQUAL"
    ),
    (
      signal("STRING_CONTAINS_REGEX", #""(""#),
      ".customSignal.targetCustomSignalValues: a pattern cannot be used: the group has no ')' (its character 1)"
    ),
  ]

  @Test(arguments: refused)
  func `what the Admin SDKs cannot evaluate is refused`(json: String, message: String) {
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
        == "conditions[0].expression: expressions of a server's template have percent and app.customSignal alone"
    )
  }
}
#endif
