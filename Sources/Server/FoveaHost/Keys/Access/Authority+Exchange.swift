// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The response of the token endpoint to an assertion.
package struct AccessGrant: Sendable, Equatable {
  package let token: String
  /// The lifetime in seconds.
  package let expiresIn: Int
}

extension Authority {
  /// The audience that Google's clients always write, for any address.
  private static let googleAudience = "https://oauth2.googleapis.com/token"

  /// Exchanges an assertion signed by a service account for an access token.
  ///
  /// The host signs the token and does not store it; it ends after an hour, or with its key.
  /// - Parameter form: The request's body, form-encoded: `grant_type` and `assertion`.
  /// - Returns: The token and its lifetime.
  /// - Throws: `invalid` for another form, `unauthenticated` if the assertion is refused.
  ///
  /// **Source:** RFC 7523, section 2.1.
  package func exchange(form: String) async throws(HostError) -> AccessGrant {
    guard let items = QueryItems(form, plusIsSpace: true),
      items["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer",
      let assertion = items["assertion"]
    else {
      throw HostError(
        .invalid,
        "The token endpoint needs grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer and an assertion",
        remedy: "Use the file of a service account")
    }
    let (signer, claims) = try await verified(assertion)
    let audiences = [Authority.googleAudience, address + "/token"]
    guard let audience = claims.aud, audience.texts.allSatisfy(audiences.contains), !audience.texts.isEmpty
    else {
      throw JSONWebToken.refused("The assertion is for another audience")
    }
    let now = now()
    guard claims.iat >= Double(now.milliseconds) / 1000 - Authority.clockError else {
      throw JSONWebToken.refused(
        "The assertion is older than 5 minutes",
        remedy: "Set the clocks of this machine and of the host: they are more than 5 minutes apart")
    }
    guard let scope = claims.scope else { throw JSONWebToken.refused("The assertion does not name a scope") }
    let granted = signer.key.role.scopes(within: scope).map(\.rawValue).sorted().joined(separator: " ")
    let expires = now.advanced(seconds: Authority.lifetime)
    let token = ring.seal([signer.key.id, String(expires.milliseconds), granted], for: .access)
    return AccessGrant(token: token, expiresIn: Int(Authority.lifetime))
  }
}
#endif
