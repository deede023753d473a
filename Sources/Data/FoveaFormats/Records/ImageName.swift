// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// What results call an image, and the bytes of its path where the text does not lead to it.
public struct ImageName: Sendable, Hashable {
  /// The path; bytes that are no UTF-8 appear as U+FFFD.
  public let text: String
  /// The bytes of the path, as base64; nil where the path is UTF-8, so that the text has them.
  public let base64: String?

  /// A name that is text.
  public init(_ text: String) {
    self.text = text
    base64 = nil
  }

  /// The name of a file.
  package init(_ path: FilePath) {
    text = path.text
    base64 = path.isText ? nil : Base64.encode(path.bytes)
  }

  /// A name as results hold it: the text, and the base64 of the bytes where there is one.
  public init(text: String, base64: String?) {
    self.text = text
    self.base64 = base64
  }

  /// How the one column of CSV holds the name.
  ///
  /// A name that is no UTF-8 would make the whole file unreadable, and its replacement characters lead to no file; it
  /// stands as "base64:" and its bytes, and so does a name that begins with this word itself.
  var csv: String {
    if let base64 { return Self.mark + base64 }
    return text.hasPrefix(Self.mark) ? Self.mark + Base64.encode(Array(text.utf8)) : text
  }

  /// The name that a column of CSV holds.
  init(csv column: String) {
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
  /// A name that is text.
  public init(stringLiteral text: String) { self.init(text) }
}
