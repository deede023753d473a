// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import JWTKit

extension ServiceAccount {
  /// Returns a token that the account signs for itself, which the commands send.
  /// - Parameters:
  ///   - scopes: The scopes of the token, limited by the key's role.
  ///   - lifetime: The lifetime in seconds; an hour by default, the maximum that a host accepts.
  ///   - now: The current time.
  /// - Returns: A JSON web token.
  /// - Throws: `invalid` if the private key cannot sign.
  package func token(
    _ scopes: Set<Scope>, lifetime: Int = 3_600, now: Timestamp
  ) async throws(HostError) -> String {
    let issued = Int(now.milliseconds / 1000)
    return try await signed(
      OwnClaims(
        iss: email, sub: email, scope: scopes.map(\.rawValue).sorted().joined(separator: " "),
        iat: Double(issued), exp: issued + lifetime))
  }

  /// The lifetime of a link to the console in seconds.
  package static let linkLifetime = 600

  /// Returns a token that only signs in to the console of a host, once.
  /// - Throws: `invalid` if the private key cannot sign.
  package func link(to address: String, now: Timestamp) async throws(HostError) -> String {
    // Not in whole seconds: a host knows which links were made before its start.
    try await signed(
      OwnClaims(
        iss: email, sub: email, aud: Authority.consoleAudience(address),
        iat: Double(now.milliseconds) / 1000, exp: Int(now.milliseconds / 1000) + Self.linkLifetime,
        jti: Hexadecimal.encode(Secret.bytes(16))))
  }

  private func signed(_ claims: OwnClaims) async throws(HostError) -> String {
    do {
      let kid = JWKIdentifier(string: keyID)
      let keys = JWTKeyCollection()
      await keys.add(rsa: try Insecure.RSA.PrivateKey(pem: privateKey), digestAlgorithm: .sha256, kid: kid)
      return try await keys.sign(claims, kid: kid)
    } catch {
      throw HostError(.invalid, "The private key of \(email) cannot sign", remedy: "Use another key file")
    }
  }
}

private struct OwnClaims: JWTPayload {
  let iss: String
  let sub: String
  var aud: String?
  var scope: String?
  let iat: Double
  let exp: Int
  var jti: String?

  func verify(using algorithm: some JWTAlgorithm) {}
}
#endif
