// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore

extension Authority {
  /// How long a token may be good for, in seconds.
  static let lifetime = 3_600.0
  /// How far a caller's clock may be off, in seconds.
  static let clockError = 300.0

  /// Who sends a request with `Authorization: Bearer TOKEN`.
  ///
  /// A token is one that ``exchange(form:)`` gave out, or one that a service account signed for itself, with `scope`.
  /// - Throws: `unauthenticated` where it is neither, has expired, or its key is not live.
  package func identity(bearer token: String) async throws(HostError) -> Identity {
    token.hasPrefix("eyJ") ? try await identity(selfSigned: token) : try identity(access: token)
  }

  /// The holder of a key that has proved itself before, with all that its role may do; nil where the key is not live.
  package func identity(key id: String) -> Identity? {
    signer(id).map { Authority.identity($0.key, $0.key.role.scopes) }
  }

  /// A check that the key of a request is still live: files take a while to come and to be checked.
  package func keyCheck(of identity: Identity) -> KeyCheck {
    return { () throws(HostError) in
      guard self.identity(key: identity.key) != nil else {
        throw HostError(
          .unauthenticated, "The key of the request was revoked, or has expired, since it was sent",
          remedy: "Send it again with another key")
      }
    }
  }

  /// The most bytes of a private key: one of 4096 bits has 3,272.
  private static let longestPrivateKey = 4_096

  /// Compares a key file with the public half of the key that it names, before it signs anything: a stranger's private key
  /// may be one that takes a second for each signature.
  /// - Throws: `unauthenticated` where the key is not live, or another one; `invalid` for a private key that cannot be read.
  package func check(_ account: ServiceAccount) throws(HostError) {
    guard let signer = signer(account.keyID) else {
      throw JSONWebToken.refused(
        "The key is unknown, revoked or expired", remedy: "Sign in with a key of this host")
    }
    guard account.privateKey.utf8.count <= Authority.longestPrivateKey,
      try account.publicKey == signer.publicKey.pemRepresentation
    else {
      throw JSONWebToken.refused(
        "The private key of the file is not that of the key that it names",
        remedy: "Sign in with a key file as the host has made it")
    }
  }

  /// A link to the console that a key has signed.
  package struct Link: Sendable, Equatable {
    /// Who comes by it, with all that the key's role may do.
    package let identity: Identity
    /// No other link has it.
    package let id: String
    /// When it was made; the begin of that second if a program of before has made it.
    package let issued: Timestamp
    package let expires: Timestamp
  }

  /// What a link to the console says; whether it was used is not known here.
  /// - Throws: `unauthenticated` where it is a token for something else, has expired, or its key is not live.
  package func link(_ text: String) async throws(HostError) -> Link {
    let (signer, claims) = try await verified(text)
    guard claims.aud?.texts == [Authority.consoleAudience(address)], let id = claims.jti,
      (16...64).contains(id.utf8.count), claims.exp - claims.iat <= Double(ServiceAccount.linkLifetime)
    else {
      throw JSONWebToken.refused(
        "The token is not a link to the console", remedy: "Make one with \(call: "host console")")
    }
    return Link(
      identity: Authority.identity(signer.key, signer.key.role.scopes), id: "\(signer.key.id) \(id)",
      issued: Timestamp(milliseconds: Int64((claims.iat * 1000).rounded())),
      expires: Timestamp(milliseconds: Int64(claims.exp) * 1000))
  }

  /// The audience of links to the console, which no route takes for a bearer's.
  static func consoleAudience(_ address: String) -> String { address + "/console" }

  private func identity(selfSigned text: String) async throws(HostError) -> Identity {
    let (signer, claims) = try await verified(text)
    // An assertion for the token endpoint is none for a route.
    guard claims.aud.map({ $0.texts.allSatisfy { $0 == address || $0 == address + "/" } }) ?? true else {
      throw JSONWebToken.refused("The token is for another audience")
    }
    guard let scope = claims.scope else { throw JSONWebToken.refused("The token does not name a scope") }
    return Authority.identity(signer.key, signer.key.role.scopes(within: scope))
  }

  /// The key and claims of a token whose signature, issuer and times are right.
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
        "The token is from the future",
        remedy: "Set the clocks of this machine and of the host: they are more than 5 minutes apart")
    }
    guard claims.exp > seconds else {
      throw JSONWebToken.refused(
        "The token has expired",
        remedy: "Sign in again; where it is new, set the clocks of this machine and of the host")
    }
    guard claims.exp - claims.iat <= Authority.lifetime else {
      throw JSONWebToken.refused("The token is good for more than an hour")
    }
    return (signer, claims)
  }

  private func identity(access token: String) throws(HostError) -> Identity {
    guard token.utf8.count <= JSONWebToken.limit, let fields = ring.open(token, for: .access),
      fields.count == 3,
      let expires = Int64(fields[1])
    else { throw JSONWebToken.refused("The token is not one of this host's") }
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
