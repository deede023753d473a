// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// The `ETag` of templates: `etag-{number of the project}-{version}`.
package struct ConfigTag: Sendable, Equatable {
  /// A number of twelve digits that identifies the project.
  package let number: String

  package init(project: String) {
    let digest = SHA256.digest(of: Array(project.utf8).span)
    let value = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    number = String(100_000_000_000 + value % 900_000_000_000)
  }

  /// Returns the tag of a version; 0 for no template, and for one that was only checked.
  package func text(_ version: Int) -> String { "etag-\(number)-\(version)" }

  /// Returns the version of a tag, with or without quotes; nil for a tag of another project.
  package func version(of text: String) -> Int? {
    var text = text.trimmingBlanks[...]
    if text.hasPrefix("W/") { text = text.dropFirst(2) }
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 { text = text.dropFirst().dropLast() }
    let start = "etag-\(number)-"
    guard text.hasPrefix(start) else { return nil }
    let digits = text.dropFirst(start.count)
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int(digits)
  }
}
#endif
