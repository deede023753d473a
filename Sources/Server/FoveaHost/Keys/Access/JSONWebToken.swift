// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import JWTKit

/// A JSON Web Token before any of it is verified.
///
/// RS256 is the only algorithm: the header's value is compared with it and never selects another.
///
/// **Source:** RFC 7519; RFC 8725, sections 3.1 to 3.3.
struct JSONWebToken: Sendable {
  /// The maximum size of a token in bytes.
  static let limit = 8_192

  let text: String
  /// `kid` of the header: the key claimed to have signed it.
  let keyID: String

  /// Reads the header.
  /// - Throws: `unauthenticated`.
  init(_ text: String) throws(HostError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= JSONWebToken.limit, parts.count == 3, let bytes = Base64URL.decode(parts[0]),
      Base64URL.decode(parts[1]) != nil, Base64URL.decode(parts[2]) != nil,
      let header = try? JSONValue.decode(Header.self, from: bytes)
    else { throw JSONWebToken.refused("The token is not a JSON Web Token") }
    guard header.alg == "RS256" else { throw JSONWebToken.refused("The token is not signed with RS256") }
    guard !header.hasExtensions else { throw JSONWebToken.refused("The token's header has extensions") }
    guard let keyID = header.kid else { throw JSONWebToken.refused("The token's header does not name a key") }
    self.text = text
    self.keyID = keyID
  }

  /// Checks the signature and returns the claims.
  /// - Throws: `unauthenticated`.
  func claims(signedBy key: Insecure.RSA.PublicKey) async throws(HostError) -> Claims {
    do {
      let keys = JWTKeyCollection()
      await keys.add(rsa: key, digestAlgorithm: .sha256)
      return try await keys.verify(text, as: Claims.self)
    } catch {
      throw JSONWebToken.refused("The token's signature or claims are not valid")
    }
  }

  static func refused(
    _ message: String, remedy: Advice = "Sign in again with a key of this host"
  ) -> HostError {
    HostError(.unauthenticated, message, remedy: remedy)
  }

  private struct Header: Decodable {
    let alg: String
    let kid: String?
    let hasExtensions: Bool

    enum Name: String, CodingKey { case alg, kid, crit }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Name.self)
      alg = try values.decode(String.self, forKey: .alg)
      kid = try values.decodeIfPresent(String.self, forKey: .kid)
      hasExtensions = values.contains(.crit)
    }
  }

  /// The claims that are read; times in seconds since 1970.
  struct Claims: JWTPayload {
    let iss: String
    let sub: String?
    let aud: OneOrMore?
    let scope: String?
    let iat: Double
    let exp: Double
    let nbf: Double?
    let jti: String?

    func verify(using algorithm: some JWTAlgorithm) {}
  }

  /// A string or a list of strings.
  struct OneOrMore: Codable {
    let texts: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        texts = [text]
      } else {
        texts = try container.decode([String].self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(texts)
    }
  }
}
#endif
