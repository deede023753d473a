// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The values of a manifest by key; a missing or null one is nil.
struct ManifestValues {
  private let name: String
  private let members: [String: JSONValue]

  /// Parses a manifest.
  /// - Throws: `JSONFailure` for text that is not a JSON object.
  init(_ bytes: [UInt8], name: String) throws(JSONFailure) {
    self.name = name
    guard case .object(let members) = try JSONValue(bytes, name: name) else {
      throw JSONFailure(.mismatch, name, "is JSON, but not an object")
    }
    self.members = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
      .filter { $0.value != .null }
  }

  /// The keys of strings, sorted.
  var textKeys: [String] {
    members.filter { if case .string = $0.value { true } else { false } }.map(\.key).sorted()
  }

  func text(_ key: String) throws(JSONFailure) -> String? {
    guard let value = members[key] else { return nil }
    return try text(value, at: key)
  }

  func texts(_ key: String) throws(JSONFailure) -> [String]? {
    try list(key) { value, place throws(JSONFailure) in try text(value, at: place) }
  }

  func wholeNumber(_ key: String) throws(JSONFailure) -> Int? {
    guard let value = members[key] else { return nil }
    return try wholeNumber(value, at: key)
  }

  func wholeNumbers(_ key: String) throws(JSONFailure) -> [Int]? {
    try list(key) { value, place throws(JSONFailure) in try wholeNumber(value, at: place) }
  }

  private func list<Value>(
    _ key: String, _ each: (JSONValue, String) throws(JSONFailure) -> Value
  ) throws(JSONFailure) -> [Value]? {
    guard let value = members[key] else { return nil }
    guard case .array(let elements) = value else { throw mismatch(key, "a list", value.kind) }
    var values: [Value] = []
    for (index, element) in elements.enumerated() { values.append(try each(element, "\(key)[\(index)]")) }
    return values
  }

  private func text(_ value: JSONValue, at place: String) throws(JSONFailure) -> String {
    guard case .string(let text) = value else { throw mismatch(place, "a string", value.kind) }
    return text
  }

  private func wholeNumber(_ value: JSONValue, at place: String) throws(JSONFailure) -> Int {
    guard let number = value.double, let exact = Int32(exactly: number) else {
      let found = value.double.map { "\($0)" } ?? value.kind
      throw mismatch(place, "a whole number of at most 32 bits", found)
    }
    return Int(exact)
  }

  private func mismatch(_ place: String, _ expected: String, _ found: String) -> JSONFailure {
    JSONFailure(.mismatch, name, "has a wrong value at '\(place)': expected \(expected), found \(found)")
  }
}
