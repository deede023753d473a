// SPDX-License-Identifier: Apache-2.0

/// Decodes one value of a tree, using only the standard library.
struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  /// A member's name or an element's index.
  enum Step: CodingKey {
    case name(String)
    case index(Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
      switch self {
      case .name(let name): name
      case .index(let index): "\(index)"
      }
    }

    var intValue: Int? { if case .index(let index) = self { index } else { nil } }
  }

  let value: JSONValue
  let conversions: JSONValue.Conversions
  /// The path of the object or array that contains the value, and the step to the value.
  var path: [any CodingKey] = []
  var step: Step?

  var codingPath: [any CodingKey] { step.map { path + [$0] } ?? path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self, "an object") }
    let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    return KeyedDecodingContainer(
      JSONObjectContainer<Key>(values: values, conversions: conversions, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([Any].self, "an array") }
    return JSONArrayContainer(values: values, conversions: conversions, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let conversion = conversions[ObjectIdentifier(type)] {
      return try checked(conversion(value), "a value of type \(type)")
    }
    if type == String.self { return try checked(value.text, "a string") }
    if type == Bool.self { return try checked(value.flag, "true or false") }
    if type == Double.self { return try checked(finite(Double.self), "a number") }
    if type == Float.self { return try checked(finite(Float.self), "a number") }
    if let type = type as? any FixedWidthInteger.Type { return try checked(whole(type), "a whole number") }
    return try type.init(from: self)
  }

  private func finite<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type
  ) -> Number? {
    guard let digits = value.digits, let number = Number(digits), number.isFinite else { return nil }
    return number
  }

  /// Returns a number without a fraction; with a point or an exponent, such as `1e3`, it must be below 2^53.
  private func whole<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
    guard let digits = value.digits else { return nil }
    if let number = Number(digits) { return number }
    guard let double = Double(digits), double.magnitude < 0x1p53 else { return nil }
    return Number(exactly: double)
  }

  private func checked<Value>(_ found: Any?, _ expected: String) throws -> Value {
    guard let found = found as? Value else { throw mismatch(Value.self, expected) }
    return found
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    var found = value.kind
    // A number that is too large or not whole.
    if let digits = value.digits, expected.hasSuffix("number") { found = String(digits.prefix(40)) }
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), got \(found)")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: JSONValue]
  let conversions: JSONValue.Conversions
  let codingPath: [any CodingKey]

  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder("super", values["super"] ?? .null) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> JSONValueDecoder {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "the member '\(key.stringValue)' is missing"))
    }
    return decoder(key.stringValue, value)
  }

  private func decoder(_ name: String, _ value: JSONValue) -> JSONValueDecoder {
    JSONValueDecoder(value: value, conversions: conversions, path: codingPath, step: .name(name))
  }
}

private struct JSONArrayContainer: UnkeyedDecodingContainer {
  let values: [JSONValue]
  let conversions: JSONValue.Conversions
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Decodes the next value; on an error, the position does not change.
  private mutating func next<Value>(_ decode: (JSONValueDecoder) throws -> Value) throws -> Value {
    let step = JSONValueDecoder.Step(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: codingPath + [step], debugDescription: "the array ends"))
    }
    let decoder = JSONValueDecoder(
      value: values[currentIndex], conversions: conversions, path: codingPath, step: step)
    let value = try decode(decoder)
    currentIndex += 1
    return value
  }
}
