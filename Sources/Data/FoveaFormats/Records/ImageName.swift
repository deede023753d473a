// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The name of an image in results, with the bytes of its path if the text is not a usable path.
public struct ImageName: Sendable, Hashable {
  /// The path; bytes that are not UTF-8 appear as U+FFFD.
  public let text: String
  /// The bytes of the path as base64; nil if the path is UTF-8, so that the text has them.
  package let base64: String?

  /// Creates a name from text.
  public init(_ text: String) {
    self.text = text
    base64 = nil
  }

  /// Creates the name of a file.
  package init(_ path: FilePath) {
    text = path.text
    base64 = path.isText ? nil : Base64.encode(path.bytes)
  }

  /// Creates a name from its form in results: the text, and the bytes as base64 if the results have them.
  package init(text: String, base64: String?) {
    self.text = text
    self.base64 = base64
  }

  /// The name as a single CSV column.
  ///
  /// A name that is not UTF-8 would make the whole file unreadable, and its replacement characters match no
  /// file; so it is written as "base64:" and its bytes. A name that begins with this prefix is written in the
  /// same way.
  package var csv: String {
    if let base64 { return Self.mark + base64 }
    return text.hasPrefix(Self.mark) ? Self.mark + Base64.encode(Array(text.utf8)) : text
  }

  /// Creates the name from a CSV column.
  package init(csv column: String) {
    let bytes = column.hasPrefix(Self.mark) ? Base64.decode(column.dropFirst(Self.mark.count)) : nil
    guard let bytes else {
      self.init(column)
      return
    }
    self.init(FilePath(bytes: bytes))
  }

  private static let mark = "base64:"
}

extension ImageName: ExpressibleByStringLiteral {
  /// Creates a name from text.
  public init(stringLiteral text: String) { self.init(text) }
}
