// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore

/// The secret with which a web hook recognizes the server's requests.
///
/// **Source:** Standard Webhooks 1.0.0, sections "Signature scheme" and "Symmetric signatures".
struct WebhookSecret: Sendable {
  private let key: [UInt8]

  /// The fewest bytes of a key.
  private static let shortest = 24

  /// Reads a secret: base64, also after `whsec_`.
  /// - Returns: nil if it is not base64, or has fewer than 24 bytes.
  init?(_ text: some StringProtocol) {
    let digits = text.hasPrefix("whsec_") ? text.dropFirst(6) : text[...]
    guard let key = Base64.decode(digits), key.count >= WebhookSecret.shortest else { return nil }
    self.key = key
  }

  /// Reads a file that only its owner can read.
  /// - Throws: `option-invalid`, without any of its content.
  init(path: String) throws(FoveaError) {
    guard let secret = WebhookSecret(try OwnerFile.line(path, "secret of a web hook")) else {
      throw .optionInvalid(
        "'\(path.printable)' is not the secret of a web hook: base64 of 24 bytes or more",
        remedy: "Make one with 'openssl rand -base64 32'")
    }
    self = secret
  }

  /// Returns the value of the header `webhook-signature`.
  /// - Parameters:
  ///   - id: The value of `webhook-id`.
  ///   - timestamp: The value of `webhook-timestamp`: seconds since 1970.
  ///   - body: The body of the request.
  /// - Returns: The value.
  func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    let code = HMAC<Crypto.SHA256>.authenticationCode(
      for: Array("\(id).\(timestamp).".utf8) + body, using: SymmetricKey(data: key))
    return "v1," + Base64.encode(Array(code))
  }
}
#endif
