// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

/// The steps of a fetch, counted and not measured.
@Suite struct FetchWorkTests {
  private static func template(_ expressions: [String]) -> String {
    let conditions = expressions.enumerated().map {
      "{\"name\": \"c\($0.offset)\", \"expression\": \"\($0.element)\"}"
    }
    return "{\"conditions\": [\(conditions.joined(separator: ","))]}"
  }

  /// An expression, its steps, and those for each character of a field.
  static let expressions: [(String, Int, [ConfigField: Int])] = [
    ("true", 2, [:]), ("true && false", 4, [:]), ("device.os == 'ios'", 7, [:]),
    ("device.os != 'ios'", 7, [:]), ("device.country in ['US', 'CA']", 54, [.country: 2]),
    ("app.version.>=(['2.1'])", 42, [.version: 2]),
    ("app.customSignal['n'] > 5", 42, [.signal("n"): 2]), ("percent <= 10", 102, [.installation: 1]),
    ("app.version.exactlyMatches(['1', '22'])", 9, [:]),
    ("app.version.contains(['a', 'bc'])", 45, [.version: 2]),
    ("app.version.notContains(['a'])", 23, [.version: 1]),
    ("app.version.matches(['a'])", 24, [.version: 4]),
    ("app.version.matches(['a', 'a']) && app.build.matches(['a'])", 70, [.version: 8, .build: 4]),
    ("app.version.matches(['a']) && app.version.matches(['b'])", 48, [.version: 8]),
    ("app.audiences.inAll(['x'])", 2, [:]), ("dateTime < dateTime('2026-01-31T00:00:00')", 2, [:]),
  ]

  @Test(arguments: expressions)
  func `each term has its steps`(expression: String, fixed: Int, perCharacter: [ConfigField: Int]) throws {
    let work = FetchWork(of: try ConfigTemplateTests.read(Self.template([expression])))
    #expect(work.fixed == 10 + fixed)
    #expect(work.perCharacter == perCharacter)
    // A second condition adds the same.
    let twice = FetchWork(of: try ConfigTemplateTests.read(Self.template([expression, expression])))
    #expect(twice.fixed == 2 * work.fixed && twice.most == 2 * work.most)
  }

  /// The body of a parameter `p`, its steps, and those for each character of the installation's id.
  static let parameters: [(String, Int, Int?)] = [
    ("{}", 24, nil), (#"{"defaultValue": {"value": "abc"}}"#, 46, nil),
    (#"{"defaultValue": {"useInAppDefault": true}}"#, 34, nil),
    (
      #"{"defaultValue": {"value": "a"}, "conditionalValues": {"c0": {"value": "abc"}}}"#, 56, nil
    ),
    (
      #"{"defaultValue": {"rolloutValue": {"rolloutId": "r", "value": "new", "percent": 5}}}"#, 146, 1
    ),
    (
      #"{"conditionalValues": {"c0": {"experimentValue": {"experimentId": "e", "variantValue": "#
        + #"[{"variantId": "a", "value": "12"}, {"variantId": "b", "noChange": true}]}}}}"#, 56, nil
    ),
  ]

  @Test(arguments: parameters)
  func `each parameter has its steps, the longest value once`(body: String, steps: Int, id: Int?) throws {
    let text = #"{"conditions": [{"name": "c0", "expression": "true"}], "parameters": {"p": \#(body)}}"#
    let work = FetchWork(of: try ConfigTemplateTests.read(text))
    #expect(work.fixed == 12 + steps)
    #expect(work.perCharacter[.installation] == id)
    #expect(work.perCharacter.count == (id == nil ? 0 : 1))
  }

  /// The version that an app sends, and the steps.
  static let versions: [(String?, Int)] = [
    (nil, 34), ("", 38), ("abc", 50), ("é", 46), (String(repeating: "a", count: 500), 2_038),
  ]

  @Test(arguments: versions)
  func `the steps of a fetch follow from the lengths of what the app sends`(version: String?, steps: Int)
    throws
  {
    let template = try ConfigTemplateTests.read(Self.template(["app.version.matches(['a'])"]))
    let work = FetchWork(of: template)
    var unit = ConfigUnit(installation: "id", appID: "1:1:ios:a")
    unit.version = version
    unit.properties = ["version": "not the version"]
    unit.signals = ["version": "nor this"]
    #expect(work.steps(for: unit) == steps)
    #expect(work.most == 2_038)
  }

  @Test func `a template takes effect with its steps added up`() throws {
    let board = ConfigBoard()
    #expect(board.current(.apps).work == FetchWork())
    let template = try ConfigTemplateTests.read(Self.template(["app.version.matches(['a'])"]))
    let version = ConfigVersion(number: 1, time: Timestamp(milliseconds: 0), kind: .update, author: "ci")
    board.enter(template, version)
    #expect(board.current(.apps).work == FetchWork(of: template))
    #expect(board.current(.apps).work.fixed == 34)
  }

  @Test func `a template whose fetch takes too many steps is refused, and a stored one is read`() throws {
    let parts = Array(repeating: "'a'", count: 4_900).joined(separator: ",")
    let expression = "app.version.contains([\(parts)])"
    let most = Self.template(Array(repeating: expression, count: 7))
    #expect(throws: Never.self) { try ConfigTemplateTests.read(most) }
    let text = Self.template(Array(repeating: expression, count: 8))
    let error = #expect(throws: HostError.self) { try ConfigTemplateTests.read(text) }
    #expect(error?.code == .invalid)
    #expect(
      error?.message
        == "template: a fetch takes up to 20,462,496 steps; at most 20,000,000 are allowed")
    let stored = try ConfigTemplate(Array(text.utf8), namespace: .apps, isStored: true)
    #expect(FetchWork(of: stored).most == 20_462_496)
  }
}
#endif
