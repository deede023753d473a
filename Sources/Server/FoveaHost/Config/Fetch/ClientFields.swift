// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The members of requests of Google's clients, under either of their names.
struct ClientFields {
  private var values: [String: JSONValue] = [:]

  /// The maximum size of a body in bytes, as received and decompressed.
  static let limits = (body: 64 << 10, decoded: 256 << 10)
  /// The maximum number of characters of a string.
  private static let longestText = 500
  /// The maximum number of signals or properties.
  private static let mostSignals = 200

  /// Reads a body.
  /// - Parameters:
  ///   - body: The bytes.
  ///   - coding: `Content-Encoding`. The Web client declares gzip but sends plain text: a body without gzip's
  ///     header is text.
  /// - Throws: `invalid`.
  init(_ body: [UInt8], coding: String?) throws(HostError) {
    var bytes = body
    let coding = coding?.lowercased() ?? ""
    if !coding.contains("gzip") {
      bytes = try Self.decoded(body, coding)
    } else if body.starts(with: [0x1F, 0x8B]) {
      bytes = try Self.decoded(body, "gzip")
    }
    // The first of two equal names counts.
    values = Dictionary(try Self.members(of: bytes).map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Returns the members of an object in JSON, or in Apple's text that is nearly JSON.
  private static func members(of bytes: [UInt8]) throws(HostError) -> [JSONValue.Member] {
    var reader = JSONReader(bytes: bytes, name: "The body")
    reader.takesAppleText = true
    reader.takesLastComma = true
    reader.longestString = bytes.count
    reader.maximumDepth = 8
    reader.maximumValues = 1_000
    do throws(JSONFailure) {
      let json = try reader.wholeValue()
      guard case .object(let members) = json else {
        throw reader.mismatch("expected an object, got \(json.kind)")
      }
      return members
    } catch {
      throw refused("The body is not the JSON of Firebase's clients: \(error.reason)")
    }
  }

  private static func decoded(_ body: [UInt8], _ coding: String) throws(HostError) -> [UInt8] {
    do throws(Refusal) { return try ContentCoding.decoded(body, coding, upTo: limits.decoded) } catch {
      guard error.code != "coding-unknown" else {
        throw refused("\(error.message); gzip and deflate are supported")
      }
      throw refused("The body is not \(coding) of at most \(DecimalText.grouped(limits.decoded)) bytes")
    }
  }

  static func refused(_ what: String) -> HostError {
    HostError(.invalid, what, remedy: "Send the fields of Firebase's clients; see the reference of routes")
  }

  private func value(_ names: [String]) -> (name: String, value: JSONValue)? {
    for name in names { if let value = values[name] { return (name, value) } }
    return nil
  }

  /// Returns a string, or a number as text; nil if the field is missing or null.
  func text(_ names: String...) throws(HostError) -> String? {
    guard let (name, value) = value(names) else { return nil }
    if case .null = value { return nil }
    return try Self.text(value, name)
  }

  /// Returns the strings of an object by their names.
  func texts(_ names: String...) throws(HostError) -> [String: String] {
    guard let (name, value) = value(names) else { return [:] }
    switch value {
    case .object(let members):
      guard members.count <= Self.mostSignals else {
        throw Self.refused("The field '\(name)' has more than \(Self.mostSignals) members")
      }
      var texts: [String: String] = [:]
      for member in members {
        if case .null = member.value { continue }
        guard member.key.unicodeScalars.count <= Self.longestText else {
          throw Self.refused("The field '\(name)' has a name that is too long")
        }
        texts[member.key] = try Self.text(member.value, "\(name).\(ConfigFault.shortened(member.key))")
      }
      return texts
    // Apple's client sends an empty object as a string, or null.
    case .null, .string(""): return [:]
    default: throw Self.refused("The field '\(name)' is not an object")
    }
  }

  private static func text(_ value: JSONValue, _ path: String) throws(HostError) -> String {
    let text: String
    switch value {
    case .string(let string): text = string
    case .number(let digits): text = digits
    case .boolean(let flag): text = flag ? "true" : "false"
    default: throw refused("The field '\(path)' is not a string or a number")
    }
    guard text.unicodeScalars.count <= longestText else {
      throw refused("The field '\(path)' has more than \(longestText) characters")
    }
    return text
  }
}
#endif
