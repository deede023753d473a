// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The address of a transfer.
package struct DownloadAddress: Sendable, Hashable {
  package let url: String
  /// Whether the user named an unencrypted host.
  package let allowsHTTP: Bool
  package let allowsFile: Bool

  package init(url: String, allowsHTTP: Bool, allowsFile: Bool) {
    (self.url, self.allowsHTTP, self.allowsFile) = (url, allowsHTTP, allowsFile)
  }

  /// The address for messages and files, without user name, password, keys and signatures.
  package var shown: String { Self.shown(url) }

  /// The most bytes of a URL.
  package static let longest = 2_000

  /// Returns whether the text is not too long, and has only the characters that are allowed in a URL.
  package static func isPlain(_ url: String) -> Bool {
    url.utf8.count <= longest
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x3C, 0x3E, 0x5C, 0x60].contains($0) }
  }
}

extension DownloadAddress {
  /// The names of secret query parameters in lower case, including those of Google and Amazon.
  private static let secrets: Set<String> = [
    "key", "sig", "signature", "token", "x-goog-signature", "x-amz-signature", "x-amz-security-token",
  ]

  /// Returns an address for messages and files, without user name, password, keys and signatures.
  package static func shown(_ url: String) -> String { withoutSecrets(withoutUser(url)) }

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
        secrets.contains((PercentText.decode(pair[..<equals]) ?? "").lowercased())
      else { return pair }
      return pair[...equals] + "…"
    }
    return url[...mark] + shown.joined(separator: "&")
  }
}
