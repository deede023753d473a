// SPDX-License-Identifier: Apache-2.0

/// A JSON value as a tree: members in their order, numbers as written.
///
/// Does not use Foundation, whose decoder is larger than the rest of the C library's code.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number's digits as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Parses JSON text.
  ///
  /// If a name occurs twice, the first value is used. A trailing comma is allowed, since Google's own AutoML
  /// sample has one. Otherwise the parser is as strict as ``JSONReader`` with its default options.
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - name: The name of the text in error messages.
  /// - Throws: `JSONFailure`, with the position of the first error.
  package init(_ bytes: [UInt8], name: String) throws(JSONFailure) {
    var reader = JSONReader(bytes: bytes, name: name)
    reader.takesLastComma = true
    reader.takesHalfPairs = false
    reader.longestString = bytes.count
    self = try reader.wholeValue()
  }

  /// Returns the value of the first member with a name; nil if there is none or the value is not an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The content of a string; nil for other values.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean; nil for other values.
  package var flag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// The digits of a number as written; nil for other values.
  package var digits: String? { if case .number(let digits) = self { digits } else { nil } }

  /// The double nearest to a number, infinite if the number is too large; nil for other values.
  package var double: Double? { digits.flatMap { Double($0) } }

  /// The kind of value, for messages: "a number".
  package var kind: String {
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

extension JSONValue: JSONWritable {
  package func append(to json: inout JSONText) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.boolean(value)
    case .number(let digits): json.digits(digits)
    case .string(let text): json.string(text)
    case .array(let values): json.array(values) { json, value in value.append(to: &json) }
    case .object(let members): json.object { JSONValue.write(members, to: &$0) }
    }
  }

  /// Writes members into an open object.
  package static func write(_ members: [Member], to json: inout JSONText) {
    for member in members {
      json.key(named: member.key)
      member.value.append(to: &json)
    }
  }
}

extension JSONReader {
  /// Reads the only value of the text.
  package mutating func wholeValue() throws(JSONFailure) -> JSONValue {
    let whole = try value()
    try expectEnd()
    return whole
  }

  /// Reads a value of any kind.
  package mutating func value(depth: Int = 0) throws(JSONFailure) -> JSONValue {
    try checkDepth(depth)
    // The outermost value is not a member.
    guard valueCount <= maximumValues else {
      throw notJSON("there are more than \(DecimalText.grouped(maximumValues)) values")
    }
    valueCount += 1
    var isFirst = true
    switch try peek() {
    case UInt8(ascii: "{"):
      at += 1
      var object: [JSONValue.Member] = []
      while try nextKey(&isFirst) != nil {
        let key = lastKey
        object.append(JSONValue.Member(key, try value(depth: depth + 1)))
      }
      return .object(object)
    case UInt8(ascii: "["):
      at += 1
      var array: [JSONValue] = []
      while try nextElement(&isFirst) { array.append(try value(depth: depth + 1)) }
      return .array(array)
    case UInt8(ascii: "\""): return .string(try stringValue())
    case _ where takesAppleText: return try appleValue()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean(try flag("a value"))
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      try need(JSONReader.maximumNumberLength + 1)
      let start = at
      _ = try number()
      return .number(String(decoding: bytes[start..<at], as: UTF8.self))
    }
  }
}
