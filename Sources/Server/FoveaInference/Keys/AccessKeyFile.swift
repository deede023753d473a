// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
import FoveaHTTP

/// The file with a server's keys: `{"keys": [{"name", "sha256", "scopes", "rate"}]}`.
///
/// It stores only digests, so that a reader of the file cannot use the keys.
package struct AccessKeyFile: Sendable {
  package let path: String
  package private(set) var keys: [AccessKey]

  private static let limit = 1 << 20
  private static let remedy: Advice = "Create keys with \(command: "serve key add")"

  /// Reads a file.
  /// - Parameters:
  ///   - path: The file.
  ///   - mayBeMissing: Whether a missing file counts as having no keys.
  /// - Throws: `keys-invalid` if the file cannot be read or is not a key file.
  package init(_ path: String, mayBeMissing: Bool = false) throws(FoveaError) {
    self.path = path
    if mayBeMissing, FileStatus(FilePath(path)) == nil {
      keys = []
      return
    }
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(of: path, limit: AccessKeyFile.limit) } catch {
      throw FoveaError(
        .keysInvalid, "The key file '\(path)' cannot be read: \(error.message)",
        remedy: AccessKeyFile.remedy)
    }
    do throws(JSONFailure) { keys = try AccessKeyFile.read(bytes) } catch {
      throw FoveaError(
        .keysInvalid, "'\(path)' is not a key file: \(error.message)",
        remedy: AccessKeyFile.remedy)
    }
  }

  /// Adds a key with a new secret.
  /// - Returns: The secret, which is stored nowhere else.
  /// - Throws: `keys-invalid` for a name that is taken or invalid.
  package mutating func add(
    _ name: String, scopes: Set<AccessKey.Scope>, rate: Double?
  ) throws(FoveaError) -> String {
    guard AccessKey.isName(name) else {
      throw FoveaError(
        .keysInvalid, "'\(name)' cannot be the name of a key",
        remedy:
          "Give 1 to 64 characters without a control character, as in \(command: "serve key add camera")")
    }
    guard !keys.contains(where: { $0.name == name }) else {
      throw FoveaError(
        .keysInvalid, "'\(path)' already has a key named '\(name)'",
        remedy: "Choose another name, or revoke the existing key")
    }
    let secret = "fovea_" + Hexadecimal.encode(Secret.bytes(32))
    keys.append(
      AccessKey(
        name: name, digest: SHA256.hexadecimal(of: Array(secret.utf8).span), scopes: scopes, rate: rate))
    return secret
  }

  /// Removes a key.
  /// - Throws: `keys-invalid` if there is no key of that name.
  package mutating func revoke(_ name: String) throws(FoveaError) {
    guard let index = keys.firstIndex(where: { $0.name == name }) else {
      throw FoveaError(
        .keysInvalid, "'\(path)' has no key named '\(name)'",
        remedy: "Run \(command: "serve key list") to list the keys")
    }
    keys.remove(at: index)
  }

  /// Writes the file atomically.
  /// - Throws: `keys-invalid` with the system's reason.
  package func write() throws(FoveaError) {
    var json = JSONText()
    json.object { json in
      json.objects("keys", keys) { json, key in
        json.member("name", key.name)
        json.member("sha256", key.digest)
        json.member("scopes", AccessKey.Scope.allCases.filter(key.scopes.contains).map(\.rawValue))
        if let rate = key.rate { json.member("rate", rate) }
      }
    }
    json.endLine()
    do { try ReplacedFile.write(Array(json.text.utf8), to: path) } catch {
      throw FoveaError(
        .keysInvalid, "The key file '\(path)' cannot be written: \(error.message)",
        remedy: "Choose a file in a writable folder")
    }
  }

  private static func read(_ bytes: [UInt8]) throws(JSONFailure) -> [AccessKey] {
    var reader = JSONReader(bytes: bytes, name: "the key file")
    var keys: [AccessKey] = []
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      guard member == "keys" else { throw reader.unknownMember(of: "the file", among: ["keys"]) }
      try reader.list("a list of keys", hasLimit: false) { reader throws(JSONFailure) in
        keys.append(try readKey(&reader))
      }
    }
    try reader.expectEnd()
    guard Set(keys.map(\.name)).count == keys.count else {
      throw reader.mismatch("two keys have the same name")
    }
    return keys
  }

  private static func readKey(_ reader: inout JSONReader) throws(JSONFailure) -> AccessKey {
    var name = ""
    var digest = ""
    var scopes: Set<AccessKey.Scope> = []
    var rate: Double?
    try reader.object("a key as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "name": name = try text(&reader, "'name'")
      case "sha256": digest = try text(&reader, "'sha256'")
      case "scopes":
        try reader.list("a list of scopes") { reader throws(JSONFailure) in
          let word = try text(&reader, "a scope")
          guard let scope = AccessKey.Scope(rawValue: word) else {
            throw reader.mismatch("'\(word)' is not a scope")
          }
          scopes.insert(scope)
        }
      case "rate": rate = try reader.double("'rate'")
      default: throw reader.unknownMember(of: "a key", among: ["name", "sha256", "scopes", "rate"])
      }
    }
    guard !name.isEmpty, Hexadecimal.decode(digest)?.count == 32 else {
      throw reader.mismatch("a key needs a name and a sha256 of 64 hexadecimal digits")
    }
    guard rate.map({ $0 > 0 && $0.isFinite }) ?? true else { throw reader.mismatch("a rate must be above 0") }
    return AccessKey(name: name, digest: digest, scopes: scopes, rate: rate)
  }

  private static func text(_ reader: inout JSONReader, _ what: String) throws(JSONFailure) -> String {
    guard let text = try reader.optionalString() else { throw reader.mismatch("\(what) is not a string") }
    return text
  }
}
#endif
