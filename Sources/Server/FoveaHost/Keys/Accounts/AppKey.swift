// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHTTP

/// The key with which an app identifies its project; it is in every copy of the app and grants no
/// permissions.
package struct AppKey: Sendable, Equatable {
  package let text: String

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Returns a new key of 39 characters, in Google's form.
  package static func random() -> AppKey {
    let chosen = Secret.bytes(35).map { letters[Int($0 & 63)] }
    return AppKey(unchecked: "AIza" + String(decoding: chosen, as: UTF8.self))
  }

  /// Accepts a chosen key: 8 to 128 letters, digits, `-`, `.` and `_`, which need no escaping in URLs.
  package init(_ text: String) throws(HostError) {
    let isPlain = text.utf8.allSatisfy { Self.letters.contains($0) || $0 == 0x2E }
    guard isPlain, (8...128).contains(text.utf8.count) else {
      throw HostError(
        .invalid, "An app's key has 8 to 128 letters, digits, '-', '.' and '_'",
        remedy: "Choose another key")
    }
    self.text = text
  }

  private init(unchecked text: String) { self.text = text }

  /// The SHA-256 in hexadecimal digits, which the host stores.
  package var digest: String { Self.digest(of: text) }

  package static func digest(of text: String) -> String {
    Hexadecimal.encode(Crypto.SHA256.hash(data: Array(text.utf8)))
  }

  /// The part shown in lists: its ends, which distinguish keys, or its start if it is short.
  private var shown: String {
    text.utf8.count >= 20 ? "\(text.prefix(4))…\(text.suffix(4))" : String(text.prefix(4))
  }

  /// Returns the data that the host stores.
  package func hostKey(
    project: String, created: Timestamp, expires: Timestamp? = nil, label: String? = nil
  ) -> HostKey {
    HostKey(
      id: String(digest.prefix(40)), project: project, role: .app, name: shown, publicKey: nil,
      digest: digest, created: created, expires: expires, label: label)
  }
}
#endif
