// SPDX-License-Identifier: Apache-2.0

/// A value of a small JSON file.
enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  /// A whole number that fits into 32 bits.
  var integer: Int? {
    guard case .number(let value) = self else { return nil }
    return Int32(exactly: value).map { Int($0) }
  }

  var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    let strings = values.compactMap(\.string)
    return strings.count == values.count ? strings : nil
  }

  var integers: [Int]? {
    guard case .array(let values) = self else { return nil }
    let integers = values.compactMap(\.integer)
    return integers.count == values.count ? integers : nil
  }

  /// What kind of value this is, for error texts.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
