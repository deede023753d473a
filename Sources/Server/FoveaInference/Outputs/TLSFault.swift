// SPDX-License-Identifier: Apache-2.0
#if Server

/// The reason why TLS failed with a receiver: a web hook or a broker.
enum TLSFault: Sendable, Equatable {
  /// The file of trusted authorities cannot be used.
  case authorities
  /// The certificate is for other names.
  case misnamed
  /// The certificate has expired, or is not valid yet.
  case expired
  /// No trusted authority has signed the certificate.
  case untrusted
  /// The certificate is not for servers, for example only for clients.
  case misused
  /// The receiver wants a certificate of the server, which has none.
  case anonymous
  /// The receiver has ended the handshake: with TLS 1.2, this may mean ``anonymous``.
  case declined
  /// The certificate is not valid, for a reason that the library does not have.
  case invalid
  /// The receiver answers without TLS.
  case unencrypted

  /// The parts of messages in lower case, without underscores, the most specific first.
  ///
  /// **Source:** libcurl's messages with OpenSSL and with GnuTLS; BoringSSL's names of errors.
  private static let parts: [(fault: TLSFault, texts: [String])] = [
    (.authorities, ["trust anchor", "verify locations", "setting certificate"]),
    (.misnamed, ["target host name", "target ip", "subject name", "name in the certificate"]),
    (.expired, ["has expired", "not yet valid", "expiration date", "not activated"]),
    (.untrusted, ["self-signed", "self signed", "issuer", "unable to verify the first"]),
    (.misused, ["certificate purpose"]),
    (.anonymous, ["alert certificate required"]),
    (.declined, ["alert handshake failure"]),
    (.invalid, ["certificate verify failed", "verification failed", "certificate problem"]),
    (
      .unencrypted,
      ["wrong version number", "packet length too long", "http request", "unexpected tls packet"]
    ),
  ]

  /// Finds the reason in a library's message; nil for other messages.
  init?(_ message: String) {
    let message = message.lowercased().replacing("_", with: " ")
    guard let found = Self.parts.first(where: { $0.texts.contains { message.contains($0) } }) else {
      return nil
    }
    self = found.fault
  }

  /// Returns the next step for the operator.
  /// - Parameters:
  ///   - setting: The setting with the trusted authorities.
  ///   - scheme: The start of an address without TLS.
  /// - Returns: A sentence without its full stop.
  func remedy(authorities setting: String, withoutTLS scheme: String) -> String {
    let trust = "Set \(setting) to the certificate of the authority that signed it"
    return switch self {
    case .authorities: "Check the file of \(setting)"
    case .misnamed: "Use a name that the certificate has in the address"
    case .expired: "Renew the certificate, or set the clock of this machine if it is wrong"
    case .untrusted: trust
    case .misused: "Give the receiver a certificate for servers (serverAuth in its extended key usage)"
    case .anonymous: "Make the receiver accept clients without a certificate: this server has none"
    case .declined: "Make the receiver accept TLS 1.2 or 1.3, and clients without a certificate"
    case .invalid: trust + ", or renew it if it has expired or is not for servers"
    case .unencrypted: "Use \(scheme) in the address, or the port for TLS"
    }
  }
}
#endif
