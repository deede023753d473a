// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import JWTKit

extension ServiceAccount {
  /// A token that the account signs for itself: what the commands send.
  /// - Parameters:
  ///   - scopes: What it is good for, as far as the key's role allows it.
  ///   - lifetime: For how many seconds, an hour by default, which is the most that a host takes.
  ///   - now: The present.
  /// - Returns: A JSON web token.
  /// - Throws: `invalid` where the private key cannot sign.
  package func token(
    _ scopes: Set<Scope>, lifetime: Int = 3_600, now: Timestamp
  ) async throws(HostError) -> String {
    let issued = Int(now.milliseconds / 1000)
    return try await signed(
      OwnClaims(
        iss: email, sub: email, scope: scopes.map(\.rawValue).sorted().joined(separator: " "),
        iat: Double(issued), exp: issued + lifetime))
  }

  /// For how many seconds a link to the console is good.
  package static let linkLifetime = 600

  /// A token that signs in to the console of a host once, and is good for nothing else.
  /// - Throws: `invalid` where the private key cannot sign.
  package func link(to address: String, now: Timestamp) async throws(HostError) -> String {
    // Not in whole seconds: a host knows which links came before its start.
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
