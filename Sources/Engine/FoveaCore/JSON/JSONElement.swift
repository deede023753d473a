// SPDX-License-Identifier: Apache-2.0

/// A JSON text as a tree of values, for small files that people write.
///
/// Takes a comma after the last element or member, which Google's own AutoML sample has; otherwise strict, as
/// `JSONReader`. Needs nothing of Foundation, whose decoder is larger than the rest of the C library's code.
package indirect enum JSONElement: Equatable {
  case null
  case flag(Bool)
  /// The nearest double; infinite where the number is too large.
  case number(Double)
  case text(String)
  case array([JSONElement])
  case object([Member])

  /// A name and its value.
  package struct Member: Equatable {
    package let name: String
    package let value: JSONElement
  }

  /// Reads a text.
  /// - Parameters:
  ///   - bytes: UTF-8.
  ///   - name: What messages call it.
  /// - Throws: `JSONFailure` where it is not JSON.
  package init(_ bytes: [UInt8], name: String) throws(JSONFailure) {
    var reader = JSONReader(bytes: bytes, name: name)
    reader.takesLastComma = true
    reader.takesHalfPairs = false
    reader.longestString = bytes.count
    self = try reader.element()
    try reader.expectEnd()
  }

  /// The value of the first member of that name; nil for none, for null, and where this is no object.
  package subscript(_ name: String) -> JSONElement? {
    guard case .object(let members) = self else { return nil }
    let value = members.first { $0.name == name }?.value
    return value == .null ? nil : value
  }

  /// What it is, for messages: "a number".
  package var kind: String {
    switch self {
    case .null: "null"
    case .flag: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONReader {
  fileprivate mutating func element(depth: Int = 0) throws(JSONFailure) -> JSONElement {
    guard depth < JSONReader.maximumDepth else {
      throw notJSON("values are nested deeper than \(JSONReader.maximumDepth) levels")
    }
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .text(try stringValue())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try flag("a value"))
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: return .number(try number().double)
    }
  }

  private mutating func members(depth: Int) throws(JSONFailure) -> [JSONElement.Member] {
    var members: [JSONElement.Member] = []
    var isFirst = true
    try expect(UInt8(ascii: "{"), "an object")
    while try nextKey(&isFirst) != nil {
      let name = lastKey
      members.append(JSONElement.Member(name: name, value: try element(depth: depth + 1)))
    }
    return members
  }

  private mutating func elements(depth: Int) throws(JSONFailure) -> [JSONElement] {
    var elements: [JSONElement] = []
    var isFirst = true
    try expect(UInt8(ascii: "["), "a list")
    while try nextElement(&isFirst) { elements.append(try element(depth: depth + 1)) }
    return elements
  }
}
