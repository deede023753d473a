// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

extension KeyRing {
  /// A token that holds some texts and that only this host can make: `key.texts.signature`.
  ///
  /// The texts can be read by anyone who has the token.
  package func seal(_ fields: [String], for purpose: Purpose) -> String {
    let body = Base64URL.encode(Array(fields.map { PercentText.encode($0) }.joined(separator: "&").utf8))
    let (key, signature) = sign(body, for: purpose)
    return "\(key).\(body).\(signature)"
  }

  /// The texts of a token; nil where no live key sealed it for that purpose.
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

/// What a device shows to be drawn by the host: one installation of an app.
package struct Installation: Sendable, Equatable {
  package let project: String
  /// Google's installation id.
  package let id: String

  package init(project: String, id: String) {
    self.project = project
    self.id = id
  }

  /// How long a token of an installation is good for, in seconds: 7 days.
  package static let lifetime = 604_800
}

extension KeyRing {
  /// A token of an installation, good for 7 days.
  package func token(for installation: Installation, now: Timestamp) -> String {
    let expires = now.advanced(seconds: Double(Installation.lifetime))
    return seal([installation.project, installation.id, String(expires.milliseconds)], for: .installation)
  }

  /// The installation of a token; nil where the token is not ours or has expired.
  package func installation(token: String, now: Timestamp) -> Installation? {
    guard let fields = open(token, for: .installation), fields.count == 3, let expires = Int64(fields[2]),
      now.milliseconds < expires
    else { return nil }
    return Installation(project: fields[0], id: fields[1])
  }

  /// A token by which an installation gets new tokens; it does not expire.
  package func refreshToken(for installation: Installation) -> String {
    seal([installation.project, installation.id], for: .refresh)
  }

  /// The installation of a refresh token.
  /// - Throws: `unauthenticated` where it is not ours, or belongs to a key that was rotated away.
  package func installation(refreshToken: String) throws(HostError) -> Installation {
    guard let fields = open(refreshToken, for: .refresh), fields.count == 2 else {
      throw HostError(
        .unauthenticated, "The refresh token is not one of this host's",
        remedy: "Register the installation again")
    }
    return Installation(project: fields[0], id: fields[1])
  }
}
#endif
