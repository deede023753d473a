// SPDX-License-Identifier: Apache-2.0

/// The addresses of catalogue models: the published URL, or the same file name on a mirror.
extension DownloadAddress {
  /// Creates the published address.
  init(_ entry: CatalogueEntry) { self.init(url: entry.url, allowsHTTP: false, allowsFile: false) }

  /// Creates the address of the file on a mirror, whose URL has already been checked.
  init(_ entry: CatalogueEntry, host: String) {
    var base = Substring(host)
    while base.hasSuffix("/") { base.removeLast() }
    // Only "file://" is the root folder.
    self.init(
      url: (base == "file:" ? "file://" : base) + "/" + entry.fileName,
      allowsHTTP: host.lowercased().hasPrefix("http://"), allowsFile: host.lowercased().hasPrefix("file://"))
  }

  /// Verifies a mirror's URL.
  /// - Throws: `invalidOption` if `host` is not the URL of a folder.
  static func check(host: String) throws(ModelStoreError) {
    let lower = host.lowercased()
    let schemes = ["https://", "http://", "file:///"]
    guard let scheme = schemes.first(where: { lower.hasPrefix($0) }), isPlain(host),
      scheme == "file:///" || lower.utf8.count > scheme.utf8.count, !host.contains("?"), !host.contains("#")
    else {
      throw ModelStoreError(
        .invalidOption, "'\(shown(host))' is not the address of a host that has the model files",
        remedy: "Use a URL such as https://mirror.example/models, http://… or file:///…, without '?' and '#'")
    }
  }
}
