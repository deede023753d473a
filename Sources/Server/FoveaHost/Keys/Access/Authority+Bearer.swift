// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore

extension Authority {
  /// The maximum lifetime of a token, in seconds.
  static let lifetime = 3_600.0
  /// The maximum deviation of a caller's clock, in seconds.
  static let clockError = 300.0

  /// Returns the sender of a request with `Authorization: Bearer TOKEN`.
  ///
  /// A token comes from ``exchange(form:)``, or a service account signed it for itself, with `scope`.
  /// - Throws: `unauthenticated` if it is neither, has expired, or its key is no longer valid.
  package func identity(bearer token: String) async throws(HostError) -> Identity {
    token.hasPrefix("eyJ") ? try await identity(selfSigned: token) : try identity(access: token)
  }

  /// Returns the holder of a key verified earlier, with all permissions of its role; nil if the key is not
  /// valid any more.
  package func identity(key id: String) -> Identity? {
    signer(id).map { Authority.identity($0.key, $0.key.role.scopes) }
  }

  /// Returns a check that the key of a request is still valid: files take a while to arrive and to be
  /// checked.
  package func keyCheck(of identity: Identity) -> KeyCheck {
    return { () throws(HostError) in
      guard self.identity(key: identity.key) != nil else { throw Authority.keyEnded }
    }
  }

  /// The error for a request whose key is no longer valid when its result is stored.
  static let keyEnded = HostError(
    .unauthenticated, "The key of the request was revoked, or has expired, since it was sent",
    remedy: "Send it again with another key")

  /// The maximum size of a private key in bytes: one of 4096 bits has 3,272.
  private static let longestPrivateKey = 4_096

  /// Compares a key file with the public half of the key that it names, before anything is signed: an
  /// untrusted private key may take a second for each signature.
  /// - Throws: `unauthenticated` if the key is no longer valid, or has been replaced; `invalid` for an
  ///   unreadable private key.
  package func check(_ account: ServiceAccount) throws(HostError) {
    guard let signer = signer(account.keyID) else {
      throw JSONWebToken.refused(
        "The key is unknown, revoked or expired", remedy: "Sign in with a key of this host")
    }
    guard account.privateKey.utf8.count <= Authority.longestPrivateKey,
      try account.publicKey == signer.publicKey.pemRepresentation
    else {
      throw JSONWebToken.refused(
        "The private key of the file does not belong to the key that it names",
        remedy: "Sign in with an unchanged key file of the host")
    }
  }

  /// A link to the console signed by a key.
  package struct Link: Sendable, Equatable {
    /// The user, with all permissions of the key's role.
    package let identity: Identity
    /// Unique among all links.
    package let id: String
    /// The time of creation; the start of that second if an older program created it.
    package let issued: Timestamp
    package let expires: Timestamp
  }

  /// Reads a link to the console, without knowing whether it was used.
  /// - Throws: `unauthenticated` if it is another kind of token, has expired, or its key is not valid any
  ///   more.
  package func link(_ text: String) async throws(HostError) -> Link {
    let (signer, claims) = try await verified(text)
    guard claims.aud?.texts == [Authority.consoleAudience(address)], let id = claims.jti,
      (16...64).contains(id.utf8.count), claims.exp - claims.iat <= Double(ServiceAccount.linkLifetime)
    else {
      throw JSONWebToken.refused(
        "The token is not a link to the console", remedy: "Create one with \(call: "host console")")
    }
    return Link(
      identity: Authority.identity(signer.key, signer.key.role.scopes), id: "\(signer.key.id) \(id)",
      issued: Timestamp(milliseconds: Int64((claims.iat * 1000).rounded())),
      expires: Timestamp(milliseconds: Int64(claims.exp) * 1000))
  }

  /// Returns the audience of links to the console, which no route accepts as a bearer's.
  static func consoleAudience(_ address: String) -> String { address + "/console" }

  private func identity(selfSigned text: String) async throws(HostError) -> Identity {
    let (signer, claims) = try await verified(text)
    // Routes do not accept an assertion for the token endpoint.
    guard claims.aud.map({ $0.texts.allSatisfy { $0 == address || $0 == address + "/" } }) ?? true else {
      throw JSONWebToken.refused("The token is for another audience")
    }
    guard let scope = claims.scope else { throw JSONWebToken.refused("The token does not name a scope") }
    return Authority.identity(signer.key, signer.key.role.scopes(within: scope))
  }

  /// Returns the key and claims of a token with a valid signature, issuer and times.
  func verified(_ text: String) async throws(HostError) -> (signer: Signer, claims: JSONWebToken.Claims) {
    let token = try JSONWebToken(text)
    guard let signer = signer(token.keyID) else {
      throw JSONWebToken.refused("The token's key is unknown, revoked or expired")
    }
    let claims = try await token.claims(signedBy: signer.tokenKey)
    guard claims.iss == signer.key.name, claims.sub ?? claims.iss == claims.iss else {
      throw JSONWebToken.refused("The token's issuer is not the owner of its key")
    }
    let seconds = Double(now().milliseconds) / 1000
    guard claims.iat <= seconds + Authority.clockError, claims.nbf ?? 0 <= seconds + Authority.clockError
    else {
      throw JSONWebToken.refused(
        "The token's time is in the future",
        remedy: "Set the clocks of this machine and of the host: they are more than 5 minutes apart")
    }
    guard claims.exp > seconds else {
      throw JSONWebToken.refused(
        "The token has expired",
        remedy: "Sign in again; for a new token, set the clocks of this machine and of the host")
    }
    guard claims.exp - claims.iat <= Authority.lifetime else {
      throw JSONWebToken.refused("The token is valid for more than an hour")
    }
    return (signer, claims)
  }

  private func identity(access token: String) throws(HostError) -> Identity {
    guard token.utf8.count <= JSONWebToken.limit, let fields = ring.open(token, for: .access),
      fields.count == 3,
      let expires = Int64(fields[1])
    else { throw JSONWebToken.refused("The token was not issued by this host") }
    guard now().milliseconds < expires else { throw JSONWebToken.refused("The token has expired") }
    guard let signer = signer(fields[0]) else {
      throw JSONWebToken.refused("The token's key is unknown, revoked or expired")
    }
    return Authority.identity(signer.key, signer.key.role.scopes(within: fields[2]))
  }

  static func identity(_ key: HostKey, _ scopes: Set<Scope>) -> Identity {
    Identity(name: key.name, key: key.id, project: key.project, role: key.role, scopes: scopes)
  }
}
#endif
