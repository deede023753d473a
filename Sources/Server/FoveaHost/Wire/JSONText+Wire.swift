// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

// The administrator's routes need no special writer: the properties of a reply are its members.
extension JSONText {
  /// Members that are omitted if nil, for example in a list of models or experiments.
  private static let details: Set = [
    "versions", "damaged", "warning", "repaired", "parameters", "rows", "overrides", "weights",
  ]

  /// Writes the properties of a value into an open object, under their names and in their order.
  /// - Parameters:
  ///   - value: A struct of strings, numbers, enumerations, lists, structs of these, and dictionaries, which
  ///     are sorted by key.
  ///   - hasNulls: Whether nil is written as null, except in details; otherwise each nil is omitted.
  package mutating func members(of value: Any, hasNulls: Bool = true) {
    for (name, value) in Mirror(reflecting: value).children {
      guard let name else { continue }
      if let value = JSONText.unwrapped(value) {
        key(named: name)
        append(value, hasNulls)
      } else if hasNulls, !JSONText.details.contains(name) {
        key(named: name)
        null()
      }
    }
  }

  private mutating func append(_ value: Any, _ hasNulls: Bool) {
    switch value {
    case let value as Bool: boolean(value)
    case let value as any JSONWritable: value.append(to: &self)
    case let value as any RawRepresentable: append(value.rawValue, hasNulls)
    case let values as [String: Any]:
      object { json in
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
          json.key(named: name)
          json.append(value, hasNulls)
        }
      }
    case let values as [Any]: array(values) { json, value in json.append(value, hasNulls) }
    default: object { $0.members(of: value, hasNulls: hasNulls) }
    }
  }

  /// Returns the value of an optional, or another value itself; nil for nil.
  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }
}

extension ModelFacts: JSONObject {
  /// Writes all members, unknown ones as null, the time in whole microseconds.
  package func appendMembers(to json: inout JSONText) {
    json.member("kind", kind)
    json.member("family", family)
    json.member("labelCount", labelCount)
    json.member("inputWidth", inputWidth)
    json.member("inputHeight", inputHeight)
    json.member("milliseconds", milliseconds, places: 3)
  }
}
#endif
