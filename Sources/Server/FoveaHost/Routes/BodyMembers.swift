// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The members that a body may have: another member would be ignored, and the request would not do what its
/// sender meant.
struct BodyMembers: Sendable {
  private let names: [String]
  /// The members that are accepted and have no effect.
  private let ignored: Set<String>
  /// The members of values that are objects, or arrays of objects, with names defined by the host.
  private let inner: [String: BodyMembers]

  /// Creates the members with which a body is decoded.
  /// - Parameters:
  ///   - keys: The names of the members.
  ///   - ignored: The members that are accepted and have no effect.
  ///   - inner: The members of values that are objects, or arrays of objects, with names defined by the host.
  init<Key: CodingKey & CaseIterable & Hashable>(
    _ keys: Key.Type, ignored: Set<String> = [], inner: [Key: BodyMembers] = [:]
  ) {
    names = keys.allCases.map(\.stringValue)
    self.ignored = ignored
    self.inner = Dictionary(uniqueKeysWithValues: inner.map { ($0.key.stringValue, $0.value) })
  }

  private init() {
    names = []
    ignored = []
    inner = [:]
  }

  /// The members of an empty body.
  static let none = BodyMembers()

  /// Refuses an object that has another member.
  /// - Parameters:
  ///   - json: A value; the reader refuses anything but an object.
  ///   - path: The path of the value, for example `metric`; empty for the whole value.
  ///   - whole: The name of the whole value in errors.
  /// - Throws: `invalid`, with the member and the nearest name.
  func check(_ json: JSONValue, path: String = "", whole: String = "The body") throws(HostError) {
    switch json {
    case .object(let members):
      for member in members {
        guard names.contains(member.key) || ignored.contains(member.key) else {
          let place = path.isEmpty ? whole : "'\(path)'"
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

/// A body without unknown members.
protocol CheckedBody: Decodable {
  static var members: BodyMembers { get }
}

extension HostError {
  /// Returns the error for a name that a route does not support.
  static func unknownName(_ what: String, _ name: String, among names: [String]) -> HostError {
    let near = NameDistance.nearest(to: name, among: names).first
    let known = names.isEmpty ? "it has none" : "known names: \(names.joined(separator: ", "))"
    // Google's clients show only the message.
    return HostError(
      .invalid, "\(what) '\(ConfigFault.shortened(name))'; \(near.map { "did you mean '\($0)'?" } ?? known)",
      remedy: "Correct the request")
  }
}

extension Request {
  /// Checks the body of a request to a route without members: empty, or `{}`.
  /// - Throws: A refusal that names the first member.
  func checkNoMembers() async throws {
    let bytes = try await content(upTo: 1 << 16)
    guard !bytes.isEmpty else { return }
    let json = try JSONValue(strict: bytes, name: "The body")
    guard case .object = json else {
      throw HostError.invalidArgument("The body is neither '{}' nor empty, but this route has no body")
    }
    try BodyMembers.none.check(json)
  }

  /// Checks the query of a request to the host's own routes, or to those of a Google API, which may have the
  /// parameters of all Google APIs.
  /// - Throws: A refusal of a parameter that is unknown or occurs twice.
  func checkQuery(_ names: [String], isGoogle: Bool = false) throws {
    let query = try RequestQuery(of: self)
    if let unknown = query.items.first(where: { item in
      !names.contains(item.name) && !(isGoogle && GoogleParameters.contains(item.name))
    }) {
      throw HostError.unknownName("The query has no parameter", unknown.name, among: names)
    }
    if let name = query.duplicate {
      throw HostError.invalidArgument("The query has the parameter '\(name)' twice")
    }
  }
}
#endif
