// SPDX-License-Identifier: Apache-2.0

/// What a connection is made to.
package struct DownloadAddress: Sendable, Hashable {
  package let url: String
  /// Whether the user named a host that is not encrypted.
  package let allowsHTTP: Bool
  package let allowsFile: Bool

  package init(url: String, allowsHTTP: Bool, allowsFile: Bool) {
    self.url = url
    self.allowsHTTP = allowsHTTP
    self.allowsFile = allowsFile
  }

  /// The address for people and for files: without user name, password, keys and signatures.
  package var shown: String { ShownAddress.of(url) }

  package static func shown(_ url: String) -> String { ShownAddress.of(url) }

  /// Whether a text has only the characters that a URL may have.
  package static func isPlain(_ url: String) -> Bool {
    url.utf8.count <= 2_000
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x3C, 0x3E, 0x5C, 0x60].contains($0) }
  }
}
