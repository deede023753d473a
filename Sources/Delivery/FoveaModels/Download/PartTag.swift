// SPDX-License-Identifier: Apache-2.0

/// The server's tag for the content that a part file is the beginning of, kept next to it.
struct PartTag {
  let url: String
  let path: String?

  /// The tag, where the part came from the same address; nil where nothing sound was kept.
  func read() -> String? {
    // Without a tag the server is asked for the rest all the same; the checksum decides.
    guard let path, let bytes = try? FileSystem.contents(of: path, limit: 4_096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 2, lines[0] == url, HTTPHead.isStrongETag(lines[1]) else { return nil }
    return String(lines[1])
  }

  func write(_ tag: String) {
    guard let path, read() != tag else { return }
    try? FileSystem.replace(path, with: Array("\(url)\n\(tag)\n".utf8))
  }

  /// Forgets the tag.
  func remove() {
    if let path { try? FileSystem.remove(path) }
  }
}
