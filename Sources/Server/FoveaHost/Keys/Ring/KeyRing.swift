// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import Synchronization
import FoveaHTTP

/// The secret keys with which the host recognizes its own strings: tokens and URLs of files.
///
/// The latest key signs. The previous one still verifies, so that signatures from before a rotation work
/// until they expire.
package final class KeyRing: Sendable {
  /// The purpose of a string: a signature for one purpose is not valid for another.
  package enum Purpose: String, Sendable {
    case access, installation, refresh, download, upload, console, form
  }

  struct Key: Codable, Equatable {
    let id: String
    /// 64 hexadecimal digits.
    let secret: String
  }

  /// Latest first; one or two.
  private let keys: Mutex<[Key]>
  private let path: String?

  private init(keys: [Key], path: String?) {
    self.keys = Mutex(keys)
    self.path = path
  }

  /// Creates a ring with one new key, without a file.
  package convenience init() { self.init(keys: [Self.newKey()], path: nil) }

  /// Creates a new key and its file.
  package static func create(at path: String) throws(HostError) -> KeyRing {
    let keys = [newKey()]
    try SecretFile.write(text(keys), to: path)
    return KeyRing(keys: keys, path: path)
  }

  /// Reads the file.
  /// - Throws: `folder` if it is damaged or other users can read it; `unavailable`.
  package convenience init(path: String) throws(HostError) {
    let bytes = try SecretFile.read(path)
    let file = try? JSONValue.decode(File.self, from: bytes)
    let isSound = file?.keys.allSatisfy { Hexadecimal.decode($0.secret)?.count == 32 && !$0.id.isEmpty }
    guard let file, isSound == true, (1...2).contains(file.keys.count) else {
      throw HostError(
        .folder, "'\(path)' is not a file of the host's secret keys", remedy: "Restore it from a backup")
    }
    self.init(keys: file.keys, path: path)
  }

  /// Adds a new key in front of the current one and drops the oldest key, whose signatures become void.
  package func rotate() throws(HostError) {
    let path = path
    try keys.withLock { keys throws(HostError) in
      let next = [Self.newKey()] + keys.prefix(1)
      if let path { try SecretFile.write(Self.text(next), to: path) }
      keys = next
    }
  }

  /// Returns a signature of a string, with the id of the key that made it.
  func sign(_ text: String, for purpose: Purpose) -> (key: String, signature: String) {
    let key = keys.withLock { $0[0] }
    let code = HMAC<Crypto.SHA256>.authenticationCode(
      for: Self.message(text, purpose, key), using: Self.symmetric(key))
    return (key.id, Base64URL.encode(Array(code)))
  }

  /// Returns whether the current key with that id signed the text; compares in constant time.
  func isSigned(_ text: String, for purpose: Purpose, key id: String, signature: some StringProtocol)
    -> Bool
  {
    guard let key = keys.withLock({ keys in keys.first { $0.id == id } }),
      let code = Base64URL.decode(signature)
    else { return false }
    return HMAC<Crypto.SHA256>.isValidAuthenticationCode(
      code, authenticating: Self.message(text, purpose, key), using: Self.symmetric(key))
  }

  private static func message(_ text: String, _ purpose: Purpose, _ key: Key) -> [UInt8] {
    Array("fovea 1 \(purpose.rawValue)\n\(key.id)\n\(text)".utf8)
  }

  private static func symmetric(_ key: Key) -> SymmetricKey {
    SymmetricKey(data: Hexadecimal.decode(key.secret) ?? [])
  }

  private static func newKey() -> Key {
    Key(id: Hexadecimal.encode(Secret.bytes(4)), secret: Hexadecimal.encode(Secret.bytes(32)))
  }

  private static func text(_ keys: [Key]) -> String {
    JSONText.line { json in
      json.objects("keys", keys) { json, key in
        json.member("id", key.id)
        json.member("secret", key.secret)
      }
    }
  }

  private struct File: Decodable {
    let keys: [Key]
  }
}
#endif
