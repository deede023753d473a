// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The `Content-Range` of a piece of an upload: `bytes 0-99/1000`, `bytes 0-99/*`, `bytes */1000` or
/// `bytes */*`.
package struct ContentRange: Equatable, Sendable {
  /// The range of the bytes sent; nil if the caller asks for the progress of the upload.
  package let bytes: Range<Int64>?
  /// The total size; nil if it is not known yet.
  package let total: Int64?

  /// Nil if the text has a different form.
  package init?(_ text: String) {
    guard text.hasPrefix("bytes "), let slash = text.firstIndex(of: "/") else { return nil }
    let range = text[text.index(text.startIndex, offsetBy: 6)..<slash]
    let total = text[text.index(after: slash)...]
    if total == "*" {
      self.total = nil
    } else {
      guard let number = ContentRange.number(total) else { return nil }
      self.total = number
    }
    if range == "*" {
      bytes = nil
      return
    }
    guard let dash = range.firstIndex(of: "-"), let first = ContentRange.number(range[..<dash]),
      let last = ContentRange.number(range[range.index(after: dash)...]), first <= last, last < .max,
      self.total.map({ last < $0 }) ?? true
    else { return nil }
    bytes = first..<(last + 1)
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }
}
#endif
