// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHTTP

/// The key by which an app says which project it belongs to; it is in every copy of the app and allows nothing.
package struct AppKey: Sendable, Equatable {
  package let text: String

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// A new one of 39 characters, in the form of Google's.
  package static func random() -> AppKey {
    let chosen = Secret.bytes(35).map { letters[Int($0 & 63)] }
    return AppKey(unchecked: "AIza" + String(decoding: chosen, as: UTF8.self))
  }

  /// A key that someone chose: 8 to 128 letters, digits, `-`, `.` and `_`, which addresses take as they are.
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

  /// SHA-256 in hexadecimal digits: what the host keeps.
  package var digest: String { Self.digest(of: text) }

  package static func digest(of text: String) -> String {
    Hexadecimal.encode(Crypto.SHA256.hash(data: Array(text.utf8)))
  }

  /// What lists show of it: its ends, which distinguish keys, or its beginning where it is short.
  private var shown: String {
    text.utf8.count >= 20 ? "\(text.prefix(4))…\(text.suffix(4))" : String(text.prefix(4))
  }

  /// What the host keeps of it.
  package func hostKey(
    project: String, created: Timestamp, expires: Timestamp? = nil, label: String? = nil
  ) -> HostKey {
    HostKey(
      id: String(digest.prefix(40)), project: project, role: .app, name: shown, publicKey: nil,
      digest: digest, created: created, expires: expires, label: label)
  }
}
#endif
