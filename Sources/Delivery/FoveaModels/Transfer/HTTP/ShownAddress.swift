// SPDX-License-Identifier: Apache-2.0

/// Addresses for people and for files: without user name and password, and without keys and signatures of a query.
package enum ShownAddress {
  /// What a query's secrets are called, in lower case; of the two large clouds, too.
  private static let secrets: Set<String> = [
    "key", "sig", "signature", "token", "x-goog-signature", "x-amz-signature", "x-amz-security-token",
  ]

  package static func of(_ url: String) -> String { withoutSecrets(withoutUser(url)) }

  private static func withoutUser(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://")?.upperBound else { return url }
    let rest = url[scheme...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return url }
    return url[..<scheme] + "…" + rest[at...]
  }

  private static func withoutSecrets(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = pairs.map { pair -> Substring in
      guard let equals = pair.firstIndex(of: "="),
        secrets.contains(decoded(pair[..<equals]).lowercased())
      else { return pair }
      return pair[...equals] + "…"
    }
    return url[...mark] + shown.joined(separator: "&")
  }

  /// A name with its `%6B` and the like decoded.
  private static func decoded(_ name: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
