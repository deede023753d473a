// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The status and headers of an answer.
///
/// **Source:** RFC 9110, sections 8.8.2 (Last-Modified), 8.8.3 (ETag), 10.2.3 (Retry-After) and 14.4
/// (Content-Range).
package struct HTTPHead: Sendable, Hashable {
  /// 0 for `file://`, which has none.
  package private(set) var status = 0
  package private(set) var contentLength: Int?
  package private(set) var contentType: String?
  package private(set) var contentRange: ContentRange?
  /// A validator that guarantees that two answers are equal byte by byte; nil for a weak one.
  package private(set) var strongETag: String?
  /// The validator that shows later whether the content is still the same.
  package private(set) var validator = HTTPValidator()
  /// The unchanged tag of the header, for a protocol whose tags have no quotation marks.
  package private(set) var rawTag: String?
  private var retryAfter: Substring?
  private var date: Int?
  package private(set) var location: String?

  package init() {}

  /// Returns the pause that the server asks for: a number of seconds, or a time by the server's clock.
  ///
  /// `now`, in seconds since 1970, replaces the server's time if the answer has none; default: this
  /// machine's.
  package func retryAfterSeconds(now: Int? = nil) -> Int? {
    guard let retryAfter else { return nil }
    if let seconds = Self.count(retryAfter) { return seconds }
    return HTTPDate.seconds(retryAfter).map { max(0, $0 - (date ?? now ?? HTTPDate.now)) }
  }

  /// `bytes 500-999/1234`, `bytes 500-999/*` or `bytes */1234`.
  package struct ContentRange: Sendable, Hashable {
    package var first: Int?
    package var total: Int?

    init?(_ text: String) {
      let words = text.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
      let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      if parts[0] != "*" {
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { HTTPHead.count($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        self.first = first
      }
      if parts[1] != "*" {
        guard let total = HTTPHead.count(parts[1]) else { return nil }
        self.total = total
      }
    }
  }

  /// Reads the next line; a status line starts over, because a redirect is followed by another response.
  package mutating func take(line: String) {
    if line.hasPrefix("HTTP/") {
      self = HTTPHead()
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\r" || $0 == "\n" || $0 == "\r\n" })
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = Self.trimmed(line[line.index(after: colon)...])
    switch line[..<colon].lowercased() {
    case "content-length": contentLength = Self.count(value)
    case "content-type": contentType = String(value.prefix { $0 != ";" }).lowercased()
    case "content-range": contentRange = ContentRange(String(value))
    case "etag":
      rawTag = String(value)
      strongETag = Self.isStrongETag(value) ? String(value) : nil
      validator.etag = HTTPValidator.isETag(value) ? String(value) : nil
    case "last-modified": validator.lastModified = HTTPValidator.isDate(value) ? String(value) : nil
    case "retry-after": retryAfter = value
    case "date": date = HTTPDate.seconds(value)
    case "location": location = String(value)
    default: break
    }
  }

  /// Returns whether this may be sent back in `If-Range`: quoted, not weak, and without line breaks.
  package static func isStrongETag(_ text: some StringProtocol) -> Bool {
    text.utf8.count >= 2 && text.utf8.count <= 500 && text.hasPrefix("\"") && text.hasSuffix("\"")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Parses a number of bytes or seconds; nil for other text, including signs and numbers beyond `Int`.
  package static func count(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}
