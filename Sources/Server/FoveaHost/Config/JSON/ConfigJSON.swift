// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// A JSON value of which every member is kept, in its order, and every number as it was written.
///
/// A template of an earlier version may have members that this program does not know: they are there when it is read
/// back.
package indirect enum ConfigJSON: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// The digits as they came.
  case number(String)
  case string(String)
  case array([ConfigJSON])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: ConfigJSON

    package init(_ key: String, _ value: ConfigJSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a member; nil where this is no object, or has none of that name.
  package subscript(key key: String) -> ConfigJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// What it is, in words of a message.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension ConfigJSON: JSONWritable {
  package func append(to json: inout JSONText) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.boolean(value)
    case .number(let digits): json.digits(digits)
    case .string(let text): json.string(text)
    case .array(let values): json.array(values) { json, value in value.append(to: &json) }
    case .object(let members): json.object { ConfigJSON.write(members, to: &$0) }
    }
  }

  /// Writes members into an object that is open.
  static func write(_ members: [Member], to json: inout JSONText) {
    for member in members {
      json.key(named: member.key)
      member.value.append(to: &json)
    }
  }
}
#endif
