// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct ConfigTemplateTests {
  static func read(_ text: String, _ namespace: ConfigNamespace = .apps) throws(HostError) -> ConfigTemplate {
    try ConfigTemplate(Array(text.utf8), namespace: namespace)
  }

  private static func parameter(_ body: String) -> String { #"{"parameters": {"p": \#(body)}}"# }
  private static let long = String(repeating: "a", count: 257)
  private static let conditions = #""conditions": [{"name": "ios", "expression": "device.os == 'ios'"}]"#

  static let refused: [(String, String)] = [
    ("", "The template is not JSON: a value is expected, but the text ends at line 1, column 1, byte 0"),
    ("[]", "template: expected an object, got an array"),
    (#"{"a": 1, "a": 2}"#, "The template: the member 'a' occurs twice at line 1, column 13, byte 12"),
    (#"{"parameters": []}"#, "parameters: expected an object, got an array"),
    (
      #"{"parameters": {"1p": {}}}"#,
      "parameters.1p: a key is 1 to 256 letters, digits and '_', and does not begin with a digit"
    ),
    (
      #"{"parameters": {"": {}}}"#,
      "parameters.: a key is 1 to 256 letters, digits and '_', and does not begin with a digit"
    ),
    (
      #"{"parameters": {"\#(long)": {}}}"#,
      "parameters.\(long): a key is 1 to 256 letters, digits and '_', and does not begin with a digit"
    ),
    (
      #"{"parameters": {"__proto__": {}}}"#,
      "parameters.__proto__: the key is a name that every object of JavaScript has"
    ),
    (parameter("3"), "parameters.p: expected an object, got a number"),
    (
      parameter(#"{"defaultValue": {}}"#),
      "parameters.p.defaultValue: one of value, useInAppDefault, personalizationValue, rolloutValue, experimentValue is expected"
    ),
    (
      parameter(#"{"defaultValue": {"value": 3}}"#),
      "parameters.p.defaultValue.value: expected a string, got a number"
    ),
    (
      parameter(#"{"defaultValue": {"useInAppDefault": false}}"#),
      "parameters.p.defaultValue.useInAppDefault: the value must be true, or the member omitted"
    ),
    (
      parameter(#"{"valueType": "BOOLEAN", "defaultValue": {"value": "yes"}}"#),
      "parameters.p.defaultValue.value: a BOOLEAN is 'true' or 'false', not 'yes'"
    ),
    (
      parameter(#"{"defaultValue": {"value": "1e3"}, "valueType": "NUMBER"}"#),
      "parameters.p.defaultValue.value: a NUMBER is written with digits, not '1e3'"
    ),
    (
      parameter(#"{"valueType": "JSON", "defaultValue": {"value": "{a}"}}"#),
      "parameters.p.defaultValue.value: the value is not JSON: a key is expected, found 'a' at line 1, column 2, byte 1"
    ),
    (
      parameter(#"{"valueType": "DATE"}"#),
      "parameters.p.valueType: STRING, BOOLEAN, NUMBER or JSON is expected"
    ),
    (
      parameter(#"{"description": "\#(long)"}"#),
      "parameters.p.description: a string of at most 256 characters is expected"
    ),
    (
      #"{\#(conditions), "parameters": {"p": {"conditionalValues": {"iso": {"value": ""}}}}}"#,
      "parameters.p.conditionalValues.iso: there is no condition with that name; did you mean 'ios'?"
    ),
    (
      #"{"parameters": {"p": {}}, "parameterGroups": {"g": {"parameters": {"p": {}}}}}"#,
      "parameterGroups.g.parameters.p: parameters.p has the same name"
    ),
    (
      #"{"parameters": {"g": {}}, "parameterGroups": {"g": {}}}"#, "parameters.g: a group has the same name"
    ),
    (#"{"parameterGroups": {"": {}}}"#, "parameterGroups.: the name of a group has 1 to 256 characters"),
    (#"{"conditions": {}}"#, "conditions: expected an array, got an object"),
    (#"{"conditions": [{"name": "a"}]}"#, "conditions[0]: an expression is expected"),
    (
      #"{"conditions": [{"name": " a", "expression": "true"}]}"#,
      "conditions[0].name: the name of a condition is 1 to 256 letters, digits, spaces and -_'!%. without spaces at either end"
    ),
    (
      #"{"conditions": [{"name": "a", "expression": "true"}, {"name": "a", "expression": "true"}]}"#,
      "conditions[1].name: conditions[0] has the same name"
    ),
    (
      #"{"conditions": [{"name": "a", "expression": "percent < 3"}]}"#,
      "conditions[0].expression: at character 9: expected '<=', '>' or 'between', got '<'"
    ),
    (
      #"{"conditions": [{"name": "a", "expression": "true", "tagColor": "MAUVE"}]}"#,
      "conditions[0].tagColor: unknown colour"
    ),
    (
      #"{"conditions": [{"name": "a", "condition": {"true": {}}}]}"#,
      "conditions[0].condition: templates for apps have an expression; this form is for firebase-server"
    ),
    (
      #"{"version": {"description": "\#(String(repeating: "a", count: 1025))"}}"#,
      "version.description: the text has more than 1,024 characters"
    ),
  ]

  @Test(arguments: refused)
  func `a forbidden value is rejected with the path of the member`(text: String, message: String) {
    let error = #expect(throws: HostError.self) { try Self.read(text) }
    #expect(error?.message == message)
    #expect(error?.code == .invalid)
  }

  static let limits: [(String, Int, @Sendable (Int) -> String, String)] = [
    (
      "parameters", 3_000,
      { "{\"parameters\": {" + (0..<$0).map { "\"p\($0)\": {}" }.joined(separator: ",") + "}}" },
      "parameters: there are 3001 parameters up to here; at most 3000 are allowed"
    ),
    (
      "conditions", 2_000,
      { count in
        let all = (0..<count).map { "{\"name\": \"c\($0)\", \"expression\": \"true\"}" }
        return "{\"conditions\": [" + all.joined(separator: ",") + "]}"
      }, "conditions: there are 2001 conditions; at most 2000 are allowed"
    ),
    (
      "bytes", 1_050_000,
      { #"{"parameters": {"p": {"defaultValue": {"value": "\#(String(repeating: "a", count: $0))"}}}}"# },
      "parameters.p: the values up to here have 1,050,001 bytes; at most 1,050,000 are allowed"
    ),
    (
      "groups", 1_000,
      { "{\"parameterGroups\": {" + (0..<$0).map { "\"g\($0)\": {}" }.joined(separator: ",") + "}}" },
      "parameterGroups: there are 1001 groups; at most 1000 are allowed"
    ),
  ]

  @Test func `each limit holds exactly`() throws {
    for (name, most, text, message) in Self.limits {
      #expect(throws: Never.self, "\(name)") { try Self.read(text(most)) }
      let error = #expect(throws: HostError.self, "\(name)") { try Self.read(text(most + 1)) }
      #expect(error?.message == message)
    }
  }

  @Test func `patterns of a template share a limit`() throws {
    let conditions = (0..<20).map {
      #"{"name": "c\#($0)", "expression": "app.version.matches(['(abcdefghij){99}'])"}"#
    }
    #expect(throws: Never.self) {
      try Self.read("{\"conditions\": [\(conditions.joined(separator: ","))]}")
    }
    let more = conditions + [#"{"name": "d", "expression": "app.version.matches(['(abcdefghij){99}'])"}"#]
    let error = #expect(throws: HostError.self) {
      try Self.read("{\"conditions\": [\(more.joined(separator: ","))]}")
    }
    #expect(error?.message.hasPrefix("conditions[20].expression: the patterns up to here have ") == true)
  }

  static let unknown: [(String, String)] = [
    (#"{"paramters": {"p": {}}}"#, "paramters: unknown member; did you mean 'parameters'?"),
    (
      #"{"future": 1}"#,
      "future: unknown member; known members: conditions, parameters, parameterGroups, version, etag"
    ),
    (
      #"{"conditions": [{"name": "a", "expresion": "true"}]}"#,
      "conditions[0].expresion: unknown member; did you mean 'expression'?"
    ),
    (
      parameter(#"{"defaultvalue": {"value": "1"}}"#),
      "parameters.p.defaultvalue: unknown member; did you mean 'defaultValue'?"
    ),
    (
      parameter(#"{"defaultValue": {"valeu": "1"}}"#),
      "parameters.p.defaultValue.valeu: unknown member; did you mean 'value'?"
    ),
    (
      #"{\#(conditions), "parameters": {"p": {"conditionalValues": {"ios": {"value": "", "y": null}}}}}"#,
      "parameters.p.conditionalValues.ios.y: unknown member; known members: value, useInAppDefault, "
        + "personalizationValue, rolloutValue, experimentValue"
    ),
    (
      parameter(#"{"defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "1", "precent": 5}}}"#),
      "parameters.p.defaultValue.rolloutValue.precent: unknown member; did you mean 'percent'?"
    ),
    (
      #"{"parameterGroups": {"g": {"paramaters": {}}}}"#,
      "parameterGroups.g.paramaters: unknown member; did you mean 'parameters'?"
    ),
    (
      #"{"tag": "x"}"#,
      "tag: unknown member; known members: conditions, parameters, parameterGroups, version, etag"
    ),
    (
      #"{"version": {"descripton": "x"}}"#,
      "version.descripton: unknown member; did you mean 'description'?"
    ),
  ]

  @Test(arguments: unknown)
  func `an unknown member of a template is an error with the nearest name`(
    _ text: String, _ message: String
  ) {
    let error = #expect(throws: HostError.self) { try Self.read(text) }
    #expect(error?.message == message)
    #expect(error?.code == .invalid)
  }

  @Test func `a misspelt member of a server's condition is an error`() {
    let error = #expect(throws: HostError.self) {
      try Self.read(
        #"{"conditions": [{"name": "a", "condition": {"orCondition": {"conditions": [{"percent": "#
          + #"{"percentOperator": "LESS_OR_EQUAL", "microPercents": 5}}]}}}]}"#, .servers)
    }
    #expect(
      error?.message
        == "conditions[0].condition.orCondition.conditions[0].percent.microPercents: unknown member; "
        + "did you mean 'microPercent'?")
  }

  @Test func `each member that Google's templates have is accepted`() throws {
    let value =
      #"{"experimentValue": {"experimentId": "e", "exposurePercent": 50, "variantValue": "#
      + #"[{"variantId": "a", "value": "1"}, {"variantId": "b", "noChange": true}]}}"#
    let text =
      #"{\#(Self.conditions), "parameters": {"p": {"defaultValue": {"value": "1"}, "valueType": "STRING", "#
      + #""description": "d", "conditionalValues": {"ios": \#(value)}}, "q": {"defaultValue": "#
      + #"{"personalizationValue": {"personalizationId": "i"}}}, "r": {"conditionalValues": {"ios": "#
      + #"{"rolloutValue": {"rolloutId": "r", "value": "1", "percent": 5}}}}}, "parameterGroups": {"g": "#
      + #"{"description": "e", "parameters": {}}}, "etag": "e", "version": {"versionNumber": "3", "#
      + #""updateTime": "2024-01-01T00:00:00Z", "updateUser": {"name": "n", "email": "a@b", "imageUrl": "u"}, "#
      + #""updateOrigin": "CONSOLE", "updateType": "ROLLBACK", "rollbackSource": "2", "description": "x", "#
      + #""isLegacy": true}}"#
    #expect(try Self.read(text).allParameters.count == 3)
  }

  @Test func `a stored template keeps unknown members, and values in the order of conditions`()
    throws
  {
    let text =
      #"{"conditions": [{"name": "a", "expression": "true", "tagColor": "BLUE", "x": 1.50}, "#
      + #"{"name": "b", "expression": "false"}], "parameters": {"p": {"defaultValue": {"value": "1", "y": null}, "#
      + #""conditionalValues": {"a": {"value": "2"}, "b": {"useInAppDefault": true}}, "description": "d", "#
      + #""z": [1, {"q": "é"}], "valueType": "NUMBER"}}, "parameterGroups": {"g": {"description": "e", "#
      + #""parameters": {}}}, "future": {"deep": [[]]}}"#
    func stored(_ text: String) throws -> String {
      try ConfigTemplate(Array(text.utf8), namespace: .apps, isStored: true).json(nil)
    }
    #expect(try stored(text) == text)
    let swapped = text.replacing(
      #""a": {"value": "2"}, "b": {"useInAppDefault": true}"#,
      with: #""b": {"useInAppDefault": true}, "a": {"value": "2"}"#)
    #expect(try stored(swapped) == text)
  }

  @Test func `parts that have no effect here are noted`() throws {
    let template = try Self.read(
      #"{"conditions": [{"name": "a", "expression": "app.audiences.inAll(['x'])"}, "#
        + #"{"name": "b", "expression": "app.browserAndVersion.matches(['x'])"}], "#
        + #""parameters": {"p": {"defaultValue": {"personalizationValue": {"personalizationId": "i"}}}}}"#)
    #expect(
      template.notes == [
        "condition 'a': audiences are not available here: no app belongs to one",
        "condition 'b': app.browserAndVersion is not supported here: the condition is always false",
        "parameter 'p': personalization is not available here, so that value is ignored",
      ])
  }

  @Test func `the defaults have three forms, escaped`() throws {
    let template = try Self.read(
      #"{"parameters": {"b": {"defaultValue": {"value": "<&>\u0001"}}, "a": {"defaultValue": {"value": "1"}}, "#
        + #""c": {"defaultValue": {"useInAppDefault": true}}}}"#)
    #expect(ConfigDefaults.json.text(of: template) == "{\"a\": \"1\", \"b\": \"<&>\\u0001\"}\n")
    #expect(ConfigDefaults.xml.text(of: template).contains("<value>&lt;&amp;&gt;\u{FFFD}</value>"))
    #expect(
      ConfigDefaults.plist.text(of: template).contains(
        "  <key>a</key>\n  <string>1</string>\n  <key>b</key>"))
  }

  @Test func `a change lists additions, removals and differences`() throws {
    let old = try Self.read(
      #"{"conditions": [{"name": "x", "expression": "true"}, {"name": "y", "expression": "true"}], "#
        + #""parameters": {"a": {}, "b": {"defaultValue": {"value": "1"}}}}"#)
    let new = try Self.read(
      #"{"conditions": [{"name": "y", "expression": "true"}, {"name": "x", "expression": "false"}], "#
        + #""parameters": {"c": {}, "b": {"defaultValue": {"value": "2"}}}}"#)
    let change = ConfigChange(from: old, to: new)
    #expect(change.parameters.added == ["c"])
    #expect(change.parameters.removed == ["a"])
    #expect(change.parameters.changed == ["b"])
    #expect(change.conditions.changed == ["x"])
    #expect(change.hasOtherOrder)
    let none = ConfigChange(from: old, to: old)
    #expect(none.parameters.changed + none.conditions.changed == [] && !none.hasOtherOrder)
  }

  @Test(
    arguments: [
      (#""g": {"parameters": {"a": {}}}"#, #""g": {"parameters": {"a": {}}}"#, [], [], []),
      ("", #""g": {"parameters": {"a": {}}}"#, ["g"], [], []),
      (#""g": {"parameters": {"a": {}}}"#, "", [], ["g"], []),
      (
        #""g": {"parameters": {"a": {}}}, "h": {"parameters": {"b": {}}}"#,
        #""g": {"parameters": {"a": {}, "b": {}}}"#, [], ["h"], ["g"]
      ),
      (
        #""g": {"parameters": {"a": {}}}"#, #""g": {"description": "of g", "parameters": {"a": {}}}"#, [], [],
        ["g"]
      ),
      // The parameter has changed, not its group.
      (
        #""g": {"parameters": {"a": {}}}"#,
        #""g": {"parameters": {"a": {"defaultValue": {"value": "1"}}}}"#, [], [], []
      ),
    ] as [(String, String, [String], [String], [String])])
  func `a change lists the groups whose parameters or description differ`(
    _ old: String, _ new: String, _ added: [String], _ removed: [String], _ changed: [String]
  ) throws {
    let groups = try ConfigChange(
      from: Self.read(#"{"parameterGroups": {\#(old)}}"#), to: Self.read(#"{"parameterGroups": {\#(new)}}"#)
    ).groups
    #expect(groups.added == added && groups.removed == removed && groups.changed == changed)
  }

  @Test func `mutated templates are read or rejected, and nothing else`() {
    var mutator = TextMutator(seed: 34)
    let text =
      Array(
        #"{"conditions": [{"name": "a", "expression": "app.version.matches(['(a+)+$']) && percent <= 5"}], "#
          .utf8)
      + Array(
        #""parameters": {"p": {"defaultValue": {"value": "1"}, "conditionalValues": {"a": {"value": "2"}}}}}"#
          .utf8
      )
    for _ in 0..<1_000 { _ = try? ConfigTemplate(mutator.mutated(text), namespace: .apps) }
  }
}
#endif
