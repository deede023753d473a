// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A key of an S3 server.
struct S3Credentials: Sendable, Equatable {
  let key: String
  let secret: String
  /// The token of a key that expires; nil for one that does not.
  let token: String?
}

/// The place of the credentials; no address is asked for them.
package enum S3CredentialPlace: Sendable {
  /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for a key that expires, `AWS_SESSION_TOKEN`.
  case environment
  /// The path of a file like `~/.aws/credentials`, and the profile in it.
  case file(String, profile: String = "default")

  /// Reads the credentials.
  ///
  /// A file is read at each request, so that a key can be replaced while the host serves.
  /// - Throws: `invalid` if they are missing or malformed; never contains a secret.
  func read() throws(HostError) -> S3Credentials {
    switch self {
    case .environment:
      return try Self.credentials { name in
        Environment.value(name.uppercased())
      } missing: { name in
        HostError(
          .invalid, "The environment variable \(name.uppercased()) is not set",
          remedy: "Set it, or name a file with \(flag: "blobs-credentials")")
      }
    case .file(let path, let profile):
      let bytes: [UInt8]
      do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 16) } catch {
        throw HostError(
          .invalid, "The credentials cannot be read: \(error.message)",
          remedy: "Check the path of \(flag: "blobs-credentials") and its permissions", subject: path,
          cause: error)
      }
      let values = Self.values(of: profile, in: String(decoding: bytes, as: UTF8.self))
      return try Self.credentials {
        values[$0]
      } missing: { name in
        HostError(
          .invalid, "The profile '\(profile)' has no \(name)", remedy: "Add the line '\(name) = …'",
          subject: path)
      }
    }
  }

  private static func credentials(
    _ value: (String) -> String?, missing: (String) -> HostError
  ) throws(HostError) -> S3Credentials {
    var found: [String] = []
    for name in ["aws_access_key_id", "aws_secret_access_key"] {
      guard let text = value(name) else { throw missing(name) }
      found.append(text)
    }
    let token = value("aws_session_token")
    // They become header lines.
    guard (found + [token ?? "-"]).allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
      throw HostError(
        .invalid, "The credentials contain a space or a character beyond ASCII", remedy: "Copy them again")
    }
    return S3Credentials(key: found[0], secret: found[1], token: token)
  }

  /// Returns the values of a section of an INI file.
  private static func values(of section: String, in text: String) -> [String: String] {
    var values: [String: String] = [:]
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      let line = trimmed(line)
      if line.hasPrefix("[") {
        isInside = line == "[\(section)]"
      } else if isInside, let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
        values[trimmed(line[..<equals]).lowercased()] = String(trimmed(line[line.index(after: equals)...]))
      }
    }
    return values
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
    return text[..<end].drop(while: \.isWhitespace)
  }
}
#endif
