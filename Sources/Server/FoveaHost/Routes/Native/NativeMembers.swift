// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The members that a body of the host's own routes may have: one with another name would be passed over, and the request
/// would do something else than its sender meant.
struct NativeMembers: Sendable {
  private let names: [String]
  /// The members of those that are objects, or arrays of objects, with names of the host's.
  private let inner: [String: NativeMembers]

  /// The members that a body is decoded by.
  /// - Parameters:
  ///   - keys: Their names.
  ///   - inner: What those may have that are objects, or arrays of objects, with names of the host's.
  init<Key: CodingKey & CaseIterable & Hashable>(_ keys: Key.Type, inner: [Key: NativeMembers] = [:]) {
    names = keys.allCases.map(\.stringValue)
    self.inner = Dictionary(uniqueKeysWithValues: inner.map { ($0.key.stringValue, $0.value) })
  }

  private init() {
    names = []
    inner = [:]
  }

  /// The members of a body that has none.
  static let none = NativeMembers()

  /// Refuses an object that has another member.
  /// - Parameters:
  ///   - json: A value; what is no object is its reader's to refuse.
  ///   - path: Where it is, as `metric`; empty for the whole body.
  /// - Throws: `invalid`, with the member and the nearest name.
  func check(_ json: JSONValue, path: String = "") throws(HostError) {
    switch json {
    case .object(let members):
      for member in members {
        guard names.contains(member.key) else {
          let place = path.isEmpty ? "The body" : "'\(path)'"
          throw HostError.unknownName("\(place) has no member", member.key, among: names)
        }
        guard let known = inner[member.key] else { continue }
        try known.check(member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)")
      }
    case .array(let values) where !path.isEmpty:
      for (index, value) in values.enumerated() { try check(value, path: "\(path)[\(index)]") }
    default: break
    }
  }
}

/// A body of a route of the host's own.
protocol NativeBody: Decodable {
  static var members: NativeMembers { get }
}

extension HostError {
  /// The error for a name that a route does not know.
  static func unknownName(_ what: String, _ name: String, among names: [String]) -> HostError {
    let near = NameDistance.nearest(to: name, among: names).first
    let known = names.isEmpty ? "it has none" : "there are \(names.joined(separator: ", "))"
    return .invalidArgument(
      "\(what) '\(ConfigFault.shortened(name))'; \(near.map { "did you mean '\($0)'?" } ?? known)")
  }
}

extension Request {
  /// The body of a route of the host's own as JSON; an empty one as `{}`.
  /// - Throws: A refusal that names the member, also one that is not known.
  func native<Value: NativeBody>(_ type: Value.Type) async throws -> Value {
    try await json(type) { bytes in try type.members.check(JSONValue(strict: bytes, name: "The body")) }
  }

  /// Checks the body of a route of the host's own that needs none: an empty one, or `{}`.
  /// - Throws: A refusal that names the first member.
  func checkNoMembers() async throws {
    let bytes = try await content(upTo: 1 << 16)
    guard !bytes.isEmpty else { return }
    let json = try JSONValue(strict: bytes, name: "The body")
    guard case .object = json else {
      throw HostError.invalidArgument("The body is not '{}' or empty, and the route has no other")
    }
    try NativeMembers.none.check(json)
  }

  /// Checks the query of a route of the host's own.
  /// - Throws: A refusal of a parameter that is not among these, or is there twice.
  func checkQuery(_ names: [String]) throws {
    let query = try RequestQuery(of: self)
    if let unknown = query.items.first(where: { !names.contains($0.name) }) {
      throw HostError.unknownName("The query has no parameter", unknown.name, among: names)
    }
    guard !query.hasDuplicates else {
      throw HostError.invalidArgument("A parameter of the query is there twice")
    }
  }
}
#endif
