// SPDX-License-Identifier: Apache-2.0

/// Where a model is fetched from: its published URL, or the same file name on a mirror.
struct DownloadAddress: Sendable, Hashable {
  let url: String
  /// Whether the user named a host that is not encrypted.
  let allowsHTTP: Bool
  let allowsFile: Bool

  init(url: String, allowsHTTP: Bool, allowsFile: Bool) {
    self.url = url
    self.allowsHTTP = allowsHTTP
    self.allowsFile = allowsFile
  }

  /// The published address.
  init(_ entry: CatalogueEntry) {
    url = entry.url
    allowsHTTP = false
    allowsFile = false
  }

  /// The file on a host, which was checked before.
  init(_ entry: CatalogueEntry, host: String) {
    var base = Substring(host)
    while base.hasSuffix("/") { base.removeLast() }
    // "file://" alone is the root folder.
    url = (base == "file:" ? "file://" : base) + "/" + entry.fileName
    allowsHTTP = host.lowercased().hasPrefix("http://")
    allowsFile = host.lowercased().hasPrefix("file://")
  }

  /// The address for people and for files: without user name, password, keys and signatures.
  var shown: String { ShownAddress.of(url) }

  static func shown(_ url: String) -> String { ShownAddress.of(url) }

  /// - Throws: `invalidOption` where `host` is not the URL of a folder.
  static func check(host: String) throws(ModelStoreError) {
    let lower = host.lowercased()
    let schemes = ["https://", "http://", "file:///"]
    guard let scheme = schemes.first(where: { lower.hasPrefix($0) }), isPlain(host),
      scheme == "file:///" || lower.utf8.count > scheme.utf8.count, !host.contains("?"), !host.contains("#")
    else {
      throw ModelStoreError(
        .invalidOption, "'\(shown(host))' is not the address of a host that has the model files",
        remedy: "Name one such as https://mirror.example/models, http://… or file:///…, without '?' and '#'")
    }
  }

  /// Whether a text has only the characters that a URL may have.
  static func isPlain(_ url: String) -> Bool {
    url.utf8.count <= 2_000
      && url.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![0x22, 0x3C, 0x3E, 0x5C, 0x60].contains($0) }
  }
}
