// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// What results call an image, and the bytes of its path where the text does not lead to it.
struct ImageName: Sendable, Hashable {
  /// The path; bytes that are no UTF-8 appear as U+FFFD.
  let text: String
  /// The bytes of the path, as base64; nil where the path is UTF-8, so that the text has them.
  let base64: String?

  /// A name that is text.
  init(_ text: String) {
    self.text = text
    base64 = nil
  }

  /// The name of a file.
  init(_ path: FilePath) {
    text = path.text
    base64 = path.isText ? nil : Base64.encode(path.bytes)
  }

  /// A name as results hold it: the text, and the base64 of the bytes where there is one.
  init(text: String, base64: String?) {
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

  private static let mark = "base64:"
}
