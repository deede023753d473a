// SPDX-License-Identifier: Apache-2.0
#if Server
@testable import FoveaHost
import Testing

@Suite struct ConfigSummaryTests {
  private static func template(_ keys: [String: String], _ conditions: [String] = []) throws
    -> ConfigTemplate
  {
    let parameters = keys.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\": {\"defaultValue\": {\"value\": \"\($0.value)\"}}"
    }
    let list = conditions.map { "{\"name\": \"\($0)\", \"expression\": \"true\"}" }
    let text =
      "{\"conditions\": [\(list.joined(separator: ","))], \"parameters\": {\(parameters.joined(separator: ","))}}"
    return try ConfigTemplate(Array(text.utf8), namespace: .apps)
  }

  @Test(
    arguments: [
      ([:], [], [:], [], ["Parameters and conditions do not change."]),
      ([:], [], ["a": "1", "b": "2"], [], ["New parameters: a, b."]),
      (["a": "1", "b": "2"], [], ["a": "3"], [], ["Changed parameters: a.", "Removed parameters: b."]),
      (
        [:], ["x", "y"], [:], ["y", "x"],
        ["The order of the conditions has changed, which affects the values."]
      ),
      ([:], ["x"], [:], ["z"], ["New conditions: z.", "Removed conditions: x."]),
    ] as [([String: String], [String], [String: String], [String], [String])])
  func `a template's changes are described in words`(
    _ old: [String: String], _ oldConditions: [String], _ new: [String: String], _ newConditions: [String],
    _ expected: [String]
  ) throws {
    let change = ConfigChange(
      from: try Self.template(old, oldConditions), to: try Self.template(new, newConditions))
    #expect(ConfigSummary.sentences(change) == expected)
  }

  @Test func `long lists are shortened`() throws {
    let keys = Dictionary(uniqueKeysWithValues: (10..<35).map { ("k\($0)", "1") })
    let change = ConfigChange(from: try Self.template([:]), to: try Self.template(keys))
    #expect(ConfigSummary.sentences(change).first?.hasSuffix("k29 and 5 more.") == true)
  }
}
#endif
