// SPDX-License-Identifier: Apache-2.0

import FoveaCore

// SAFETY: it is used by one owner at a time: the download, or the thread that the download waits for.
/// The partial file of a download, with the checksum of its content and the server's tag for it.
final class PartialFile: @unchecked Sendable {
  let path: String
  /// The place for the server's tag; nil for a file that is never resumed.
  let tag: Tag?
  private let descriptor: Int32
  private let sum = FileDigest()
  private(set) var count = 0

  /// The SHA-256 of the bytes so far.
  var sha256: String { sum.sum() }

  /// Opens the file, creating it if it is missing, and reads its content.
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

  /// Adopts an open descriptor, at the start of an empty file.
  init(descriptor: Int32, path: String, tag: Tag? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.tag = tag
  }

  deinit { close(descriptor) }

  /// Discards all bytes.
  func restart() throws(ModelStoreError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FileSystem.failure(errno, writing: path)
    }
    sum.restart()
    count = 0
  }

  func append(_ bytes: Span<UInt8>) throws(ModelStoreError) {
    if let number = Descriptor.write(bytes, to: descriptor).error {
      // Some bytes may have been written: truncate to the last byte in the checksum.
      _ = ftruncate(descriptor, off_t(count))
      throw FileSystem.failure(number, writing: path)
    }
    sum.update(bytes)
    count += bytes.count
  }

  /// Flushes the file to disk.
  func flush() throws(ModelStoreError) {
    guard fsync(descriptor) == 0 else { throw FileSystem.failure(errno, writing: path) }
  }

  /// Removes the file and its tag.
  func discard() throws(ModelStoreError) {
    try tag?.remove()
    try FileSystem.remove(path)
  }

  /// The server's tag for the content of a partial file, in a file next to it.
  struct Tag {
    let url: String
    let path: String

    /// Returns the tag if the partial file came from the same address; nil if there is no valid one.
    func read() -> String? {
      // Without a tag, the file is resumed only if there is a checksum to verify.
      guard let bytes = try? FileSystem.contents(of: path, limit: 4_096) else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      guard lines.count >= 2, lines[0] == url, HTTPHead.isStrongETag(lines[1]) else { return nil }
      return String(lines[1])
    }

    func write(_ tag: String) {
      guard read() != tag else { return }
      // If this fails, only the next download has to fetch more bytes.
      try? FileSystem.replace(path, with: Array("\(url)\n\(tag)\n".utf8))
    }

    /// Removes the tag; a stale one could be mistaken for the tag of other content.
    func remove() throws(ModelStoreError) { try FileSystem.remove(path) }
  }
}

/// The partial files of a model's downloads: one, or one for each requested SHA-256.
struct PartialFileNames {
  /// The name of the model, or the SHA-256 of a catalogue model.
  let name: String
  let layout: StoreLayout

  /// Returns the name for a file whose SHA-256 is known; it is too long to be a model's name.
  func part(_ sha256: String) -> String { name + "-" + sha256 }

  /// Returns the names of the existing files.
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

  /// Removes all partial files and tags except those of `kept`; if the folder cannot be listed, removes only
  /// those of `name`.
  func remove(but kept: String? = nil) throws(ModelStoreError) {
    // Remaining files take space, but do not prevent a download.
    for part in ((try? present()) ?? []) + [name] where part != kept {
      try FileSystem.remove(layout.tag(part))
      try FileSystem.remove(layout.part(part))
    }
  }
}
