// SPDX-License-Identifier: Apache-2.0

/// The values by which a server identifies content, so that it can report later whether the content has
/// changed.
///
/// **Source:** RFC 9110, sections 13.1.2 (If-None-Match) and 13.1.3 (If-Modified-Since).
package struct HTTPValidator: Codable, Sendable, Hashable {
  /// The tag with its quotation marks; may be weak.
  package var etag: String?
  /// The date of the last change, as the server wrote it.
  package var lastModified: String?

  /// The header line that requests only changed content; nil without a valid tag or date.
  ///
  /// A date is sent only without a tag, as it does not distinguish two changes within a second.
  package var condition: String? {
    if let etag, Self.isETag(etag) { return "If-None-Match: \(etag)" }
    if let lastModified, Self.isDate(lastModified) { return "If-Modified-Since: \(lastModified)" }
    return nil
  }

  /// Returns whether this may be sent back: a strong tag, or one with `W/` in front.
  package static func isETag(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("W/") ? HTTPHead.isStrongETag(text.dropFirst(2)) : HTTPHead.isStrongETag(text)
  }

  /// Returns whether the text has only the characters of a date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func isDate(_ text: some StringProtocol) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x20, 0x2B, 0x2C, 0x2D].contains(byte)
      }
  }
}
