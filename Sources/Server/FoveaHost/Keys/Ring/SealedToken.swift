// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

extension KeyRing {
  /// Returns a token that contains the strings, and that only this host can create: `key.texts.signature`.
  ///
  /// Anyone who has the token can read the strings.
  package func seal(_ fields: [String], for purpose: Purpose) -> String {
    let body = Base64URL.encode(Array(fields.map { PercentText.encode($0) }.joined(separator: "&").utf8))
    let (key, signature) = sign(body, for: purpose)
    return "\(key).\(body).\(signature)"
  }

  /// Returns the strings of a token; nil if no current key sealed it for that purpose.
  package func open(_ token: String, for purpose: Purpose) -> [String]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      isSigned(String(parts[1]), for: purpose, key: String(parts[0]), signature: parts[2]),
      let bytes = Base64URL.decode(parts[1])
    else { return nil }
    let body = String(decoding: bytes, as: UTF8.self)
    var fields: [String] = []
    for coded in body.split(separator: "&", omittingEmptySubsequences: false) {
      guard let field = PercentText.decode(coded) else { return nil }
      fields.append(field)
    }
    return fields
  }
}

/// An installation of an app, which a device uses to identify itself.
package struct Installation: Sendable, Equatable {
  package let project: String
  /// Google's installation id.
  package let id: String

  package init(project: String, id: String) {
    self.project = project
    self.id = id
  }

  /// The lifetime of an installation's token in seconds: 7 days.
  package static let lifetime = 604_800
}

extension KeyRing {
  /// Returns a token of an installation, valid for 7 days.
  package func token(for installation: Installation, now: Timestamp) -> String {
    let expires = now.advanced(seconds: Double(Installation.lifetime))
    return seal([installation.project, installation.id, String(expires.milliseconds)], for: .installation)
  }

  /// Returns the installation of a token; nil if the host did not issue it or it has expired.
  package func installation(token: String, now: Timestamp) -> Installation? {
    guard let fields = open(token, for: .installation), fields.count == 3, let expires = Int64(fields[2]),
      now.milliseconds < expires
    else { return nil }
    return Installation(project: fields[0], id: fields[1])
  }

  /// Returns a token with which an installation gets new tokens; it does not expire.
  package func refreshToken(for installation: Installation) -> String {
    seal([installation.project, installation.id], for: .refresh)
  }

  /// Returns the installation of a refresh token.
  /// - Throws: `unauthenticated` if the host did not issue it, or its key was rotated out.
  package func installation(refreshToken: String) throws(HostError) -> Installation {
    guard let fields = open(refreshToken, for: .refresh), fields.count == 2 else {
      throw HostError(
        .unauthenticated, "The refresh token was not issued by this host",
        remedy: "Register the installation again")
    }
    return Installation(project: fields[0], id: fields[1])
  }
}
#endif
