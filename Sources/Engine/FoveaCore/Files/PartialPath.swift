// SPDX-License-Identifier: Apache-2.0

/// Where a file is written before it gets its name.
package enum PartialPath {
  /// The bytes that most file systems allow a name.
  private static let longestName = 255
  /// What stands at the end of the name.
  package static let ending = ".partial"

  /// A path next to `path`: with ".partial" at its end, and shortened where the name would be too long for that.
  ///
  /// A shortened name has a checksum of the whole one in it, so that files written at the same time differ.
  package static func of(_ path: String) -> String {
    let bytes = Array(path.utf8)
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard bytes.count - start + ending.utf8.count > longestName else { return path + ending }
    let mark = "-" + String(FNV1a.hash(bytes[start...]), radix: 16) + ending
    var end = start + longestName - mark.utf8.count
    // Not within a character.
    while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + mark
  }
}
