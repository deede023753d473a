// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import FoveaHTTP

/// A service account with its private key, in the form that Google's clients read.
///
/// The host creates it, issues it once and keeps only the public half.
package struct ServiceAccount: Sendable, Equatable {
  package let project: String
  /// 40 hexadecimal digits.
  package let keyID: String
  /// For example `admin-1a2b@PROJECT.iam.gserviceaccount.com`.
  package let email: String
  /// 21 decimal digits.
  package let clientID: String
  /// PEM, PKCS #8.
  package let privateKey: String
  /// The URL at which Google's clients exchange their assertions: the host's URL and `/token`.
  package let tokenURI: String
  /// If set, Google's clients sign each request themselves without a token exchange; nil for Google's own.
  package let universe: String?

  package init(
    project: String, keyID: String, email: String, clientID: String, privateKey: String, tokenURI: String,
    universe: String? = nil
  ) {
    self.project = project
    self.keyID = keyID
    self.email = email
    self.clientID = clientID
    self.privateKey = privateKey
    self.tokenURI = tokenURI
    self.universe = universe
  }

  /// Creates an account with a 2048-bit key, for every role except `app`, whose keys are strings.
  package static func make(
    role: HostKey.Role, project: String, tokenURI: String, universe: String? = nil
  ) throws(HostError) -> ServiceAccount {
    guard role != .app else {
      throw HostError(.invalid, "An app has no service account", remedy: "Create a key of the role app")
    }
    let key: _RSA.Signing.PrivateKey
    do { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) } catch {
      throw HostError(.inner, "An RSA key could not be created: \(error)", remedy: "Try again")
    }
    let random = Secret.bytes(2)
    return ServiceAccount(
      project: project, keyID: Hexadecimal.encode(Secret.bytes(20)),
      email: "\(role.rawValue)-\(Hexadecimal.encode(random))@\(project).iam.gserviceaccount.com",
      clientID: "1" + Secret.bytes(20).map { String($0 % 10) }.joined(),
      privateKey: key.pkcs8PEMRepresentation, tokenURI: tokenURI, universe: universe)
  }

  /// Returns the data that the host stores.
  package func hostKey(
    role: HostKey.Role, created: Timestamp, expires: Timestamp? = nil, label: String? = nil
  ) throws(HostError) -> HostKey {
    HostKey(
      id: keyID, project: project, role: role, name: email, publicKey: try publicKey, digest: nil,
      created: created, expires: expires, label: label)
  }

  /// The public half as PEM.
  package var publicKey: String {
    get throws(HostError) {
      do {
        return try _RSA.Signing.PrivateKey(pemRepresentation: privateKey).publicKey.pemRepresentation
      } catch {
        throw HostError(
          .invalid, "The private key of \(email) cannot be read", remedy: "Use another key file")
      }
    }
  }
}
#endif
