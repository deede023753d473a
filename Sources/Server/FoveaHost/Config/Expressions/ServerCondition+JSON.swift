// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
import FoveaModels

extension ServerCondition {
  /// Reads a condition of a template.
  /// - Throws: `invalid`, with the path of the member.
  init(_ json: JSONValue, path: String, depth: Int = 1) throws(HostError) {
    guard depth <= ServerCondition.deepest else {
      throw ConfigFault.at(path, "conditions nest deeper than \(ServerCondition.deepest) levels")
    }
    guard case .object(let members) = json, members.count == 1, let member = members.first else {
      throw ConfigFault.at(
        path,
        "a condition is an object with one of orCondition, andCondition, true, false, percent "
          + "and customSignal"
      )
    }
    let place = "\(path).\(member.key)"
    switch member.key {
    case "orCondition": self = .any(try Self.list(member.value, place, depth))
    case "andCondition": self = .all(try Self.list(member.value, place, depth))
    case "true": self = .constant(true)
    case "false": self = .constant(false)
    case "percent": self = .percent(try PercentTest(member.value, path: place))
    case "customSignal": self = .signal(try SignalTest(member.value, path: place))
    default: throw ConfigFault.at(place, "unknown condition")
    }
  }

  private static func list(
    _ json: JSONValue, _ path: String, _ depth: Int
  ) throws(HostError) -> [ServerCondition] {
    guard case .array(let items) = json["conditions"] ?? .array([]) else {
      throw ConfigFault.at("\(path).conditions", "an array of conditions is expected")
    }
    var conditions: [ServerCondition] = []
    for (index, item) in items.enumerated() {
      conditions.append(try ServerCondition(item, path: "\(path).conditions[\(index)]", depth: depth + 1))
    }
    return conditions
  }

  /// The condition in the form of a template.
  package var json: JSONValue {
    func nested(_ name: String, _ conditions: [ServerCondition]) -> JSONValue {
      .object([.init(name, .object([.init("conditions", .array(conditions.map(\.json)))]))])
    }
    switch self {
    case .any(let conditions): return nested("orCondition", conditions)
    case .all(let conditions): return nested("andCondition", conditions)
    case .constant(let value): return .object([.init(value ? "true" : "false", .object([]))])
    case .percent(let test): return .object([.init("percent", test.json)])
    case .signal(let test): return .object([.init("customSignal", test.json)])
    }
  }

  /// Converts an expression into a condition of a server's template.
  /// - Throws: `invalid` if it has a term that servers do not support.
  init(_ expression: ConfigExpression, path: String) throws(HostError) {
    var conditions: [ServerCondition] = []
    for term in expression.terms {
      switch term {
      case .constant(let value): conditions.append(.constant(value))
      case .percent(let test): conditions.append(.percent(test))
      default:
        guard let test = SignalTest(term) else {
          throw ConfigFault.at(
            path, "expressions of a server's template support only percent and app.customSignal")
        }
        conditions.append(.signal(test))
      }
    }
    self = .any([.all(conditions)])
  }
}

extension PercentTest {
  fileprivate init(_ json: JSONValue, path: String) throws(HostError) {
    var seed = ""
    if let member = json["seed"] {
      guard case .string(let text) = member, PercentTest.isSeed(text) else {
        throw ConfigFault.at("\(path).seed", "a seed is 0 to 32 letters, digits, '-', '_' and '.'")
      }
      seed = text
    }
    guard case .string(let operation)? = json["percentOperator"] else {
      throw ConfigFault.at("\(path).percentOperator", "LESS_OR_EQUAL, GREATER_THAN or BETWEEN is expected")
    }
    switch operation {
    case "LESS_OR_EQUAL": self.init(seed: seed, upTo: try Self.share(json, "microPercent", path))
    case "GREATER_THAN": self.init(seed: seed, above: try Self.share(json, "microPercent", path))
    case "BETWEEN":
      let range = json["microPercentRange"] ?? .object([])
      let place = "\(path).microPercentRange"
      let lower = try Self.share(range, "microPercentLowerBound", place)
      let upper = try Self.share(range, "microPercentUpperBound", place)
      guard lower <= upper else { throw ConfigFault.at(place, "the lower bound is above the upper one") }
      self.init(seed: seed, above: lower, upTo: upper)
    default:
      throw ConfigFault.at("\(path).percentOperator", "LESS_OR_EQUAL, GREATER_THAN or BETWEEN is expected")
    }
  }

  /// Returns 0 to 100,000,000; 0 if the member is missing, as in all of Google's JSON.
  private static func share(_ json: JSONValue, _ name: String, _ path: String) throws(HostError) -> Int {
    switch json[name] {
    case nil: return 0
    case .number(let digits)?, .string(let digits)?:
      if let value = Int(digits), (0...PercentHash.count).contains(value) { return value }
    default: break
    }
    throw ConfigFault.at("\(path).\(name)", "a whole number from 0 to \(PercentHash.count) is expected")
  }

  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = []
    func number(_ value: Int) -> JSONValue { .number(String(value)) }
    switch (above, upTo) {
    case (let above?, let upTo?):
      members = [
        .init("percentOperator", .string("BETWEEN")),
        .init(
          "microPercentRange",
          .object([
            .init("microPercentLowerBound", number(above)), .init("microPercentUpperBound", number(upTo)),
          ])),
      ]
    case (let above?, nil):
      members = [.init("percentOperator", .string("GREATER_THAN")), .init("microPercent", number(above))]
    case (nil, let upTo):
      members = [
        .init("percentOperator", .string("LESS_OR_EQUAL")),
        .init("microPercent", number(upTo ?? PercentHash.count)),
      ]
    }
    if !seed.isEmpty { members.append(.init("seed", .string(seed))) }
    return .object(members)
  }
}
#endif
