// SPDX-License-Identifier: Apache-2.0

import FoveaCore

// SAFETY: it has one user at a time: the download, or the thread whose end the download waits for.
/// The file that a download grows in, the checksum of its content, and the server's tag for it.
final class PartialFile: @unchecked Sendable {
  let path: String
  /// The tag; nil if none is kept.
  let tag: Tag?
  private let descriptor: Int32
  private let sum = FileDigest()
  private(set) var count = 0

  /// The SHA-256 of what is there.
  var sha256: String { sum.sum() }

  /// Opens the file, which is made if it is missing, and reads what is in it.
  convenience init(path: String, tag: Tag? = nil) throws(ModelStoreError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw FileSystem.failure(errno, writing: path) }
    self.init(descriptor: descriptor, path: path, tag: tag)
    guard FileSystem.size(of: path) != nil else { throw FileSystem.unwritable(path, "it is not a file") }
    let sum = sum
    var count = 0
    _ = try FileSystem.read(path) { bytes throws(ModelStoreError) in
      sum.update(bytes)
      count += bytes.count
    }
    self.count = count
    guard lseek(descriptor, off_t(count), SEEK_SET) >= 0 else {
      throw FileSystem.failure(errno, writing: path)
    }
  }

  /// Takes over an open descriptor, at the beginning of an empty file.
  init(descriptor: Int32, path: String, tag: Tag? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.tag = tag
  }

  deinit { close(descriptor) }

  /// Forgets everything that is there.
  func restart() throws(ModelStoreError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FileSystem.failure(errno, writing: path)
    }
    sum.restart()
    count = 0
  }

  func append(_ bytes: Span<UInt8>) throws(ModelStoreError) {
    if let number = Descriptor.write(bytes, to: descriptor).error {
      // A part of it may have been written: back to the last byte that the checksum knows.
      _ = ftruncate(descriptor, off_t(count))
      throw FileSystem.failure(number, writing: path)
    }
    sum.update(bytes)
    count += bytes.count
  }

  /// Has everything written to the disk.
  func flush() throws(ModelStoreError) {
    guard fsync(descriptor) == 0 else { throw FileSystem.failure(errno, writing: path) }
  }

  /// Removes the file and its tag.
  func discard() throws(ModelStoreError) {
    try tag?.remove()
    try FileSystem.remove(path)
  }

  /// The server's tag for the content that a partial file is the beginning of, in a file next to it.
  struct Tag {
    let url: String
    let path: String

    /// The tag, if the partial file came from the same address; nil if nothing sound was kept.
    func read() -> String? {
      // Without a tag the file is continued only if a checksum decides in the end.
      guard let bytes = try? FileSystem.contents(of: path, limit: 4_096) else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      guard lines.count >= 2, lines[0] == url, HTTPHead.isStrongETag(lines[1]) else { return nil }
      return String(lines[1])
    }

    func write(_ tag: String) {
      guard read() != tag else { return }
      // What is not kept costs the next download some bytes, and this one nothing.
      try? FileSystem.replace(path, with: Array("\(url)\n\(tag)\n".utf8))
    }

    /// Forgets the tag; one that stays could be taken for the tag of another content.
    func remove() throws(ModelStoreError) { try FileSystem.remove(path) }
  }
}

/// The partial files of a model's downloads: one, or one for each SHA-256 that was wanted.
struct PartNames {
  /// The name of the model, or the SHA-256 of a model of the catalogue.
  let name: String
  let layout: StoreLayout

  /// The name of a file whose SHA-256 is known; no model has such a name, as it is too long for one.
  func part(_ sha256: String) -> String { name + "-" + sha256 }

  /// The names of the files that are there.
  func present() throws(ModelStoreError) -> [String] {
    try FileSystem.names(in: layout.partialFolder).compactMap { file in
      guard file.hasSuffix(".part") else { return nil }
      let part = String(file.dropLast(".part".count))
      let isOurs =
        part == name
        || part.hasPrefix(name + "-") && part.dropFirst(name.count + 1).isSHA256
      return isOurs ? part : nil
    }
  }

  /// Removes files and tags, but not those of `kept`; in a folder that cannot be listed, those of `name` alone.
  func remove(but kept: String? = nil) throws(ModelStoreError) {
    // What is left there takes space, and keeps no download from its end.
    for part in ((try? present()) ?? []) + [name] where part != kept {
      try FileSystem.remove(layout.tag(part))
      try FileSystem.remove(layout.part(part))
    }
  }
}
