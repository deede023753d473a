// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A value in a file of parameters.
enum ParameterValue: CustomStringConvertible {
  case number(Double)
  case flag(Bool)
  case null
  /// A number that is too large for a `Double`, as written.
  case excessive(String)
  /// A value of another kind, in words.
  case other(String)

  /// Returns the values of a JSON object by name, several for a repeated name; nil for other strings.
  static func values(json: [UInt8]) -> [String: [ParameterValue]]? {
    guard case .object(let members)? = try? JSONValue(json, name: "the configuration") else { return nil }
    return Dictionary(grouping: members) { $0.key }.mapValues { $0.map { ParameterValue($0.value) } }
  }

  private init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let flag): self = .flag(flag)
    case .number:
      let number = json.double ?? .infinity
      self = number.isFinite ? .number(number) : .excessive(String((json.digits ?? "").prefix(40)))
    case .string, .array, .object: self = .other(json.kind)
    }
  }

  var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .null: "null"
    case .excessive(let digits): digits
    case .other(let kind): kind
    }
  }
}
