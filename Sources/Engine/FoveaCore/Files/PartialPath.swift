// SPDX-License-Identifier: Apache-2.0

/// The path of a partial file, which is renamed when it is complete.
package enum PartialPath {
  /// The maximum length of a name on most file systems, in bytes.
  private static let longestName = 255
  /// The suffix of the name.
  package static let ending = ".partial"

  /// Returns a path next to `path`: with the suffix ".partial", and shortened if the name would be too long.
  ///
  /// A shortened name contains a checksum of the whole name, so that files written at the same time have
  /// different names.
  package static func of(_ path: String) -> String {
    let bytes = Array(path.utf8)
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard bytes.count - start + ending.utf8.count > longestName else { return path + ending }
    let mark = "-" + String(FNV1a.hash(bytes[start...]), radix: 16) + ending
    var end = start + longestName - mark.utf8.count
    // Does not cut a character.
    while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + mark
  }
}
