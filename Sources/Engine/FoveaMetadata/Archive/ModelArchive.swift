// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The ZIP archive at the end of a model: label files and other files named in the metadata.
///
/// Entries are only read into memory by name and never written to disk, so names such as `../x` are harmless.
/// Entries may be stored, as TFLite's metadata requires, or compressed with Deflate, as Python's `zipfile`
/// and most other tools do.
package struct ModelArchive: Sendable, Hashable {
  /// A file in the archive.
  package struct Entry: Sendable, Hashable {
    /// The file's name.
    package var name: String
    /// The file's size in bytes, uncompressed.
    package var size: Int
    /// Whether the file is stored, not compressed.
    package var isStored: Bool
    /// The number of the compression method: 0 stored, 8 Deflate; others are not supported.
    var method: UInt16
    /// The size of the entry's data in the archive in bytes.
    var storedSize: Int
    /// The CRC-32 in the archive's directory.
    package var checksum: UInt32
    /// The start of the entry in the model file.
    var headerStart: Int
  }

  /// The maximum total size of all entries, 256 MiB.
  package static let maxTotalBytes = 256 << 20
  /// The maximum number of entries, 10,000.
  package static let maxEntries = 10_000
  /// The maximum uncompressed size of a compressed entry: 16 MiB, far more than label files have.
  package static let maxInflatedBytes = 16 << 20

  /// The files, in the order of the archive's directory.
  package let entries: [Entry]
  /// The start of the archive in the model file; everything before it is the model itself.
  package let start: Int

  /// Returns the entry with that name; nil if there is none.
  package func entry(named name: String) -> Entry? { entries.first { $0.name == name } }
}

extension ModelArchive {
  /// Reads the directory of the archive at the end of `bytes`.
  ///
  /// - Parameter bytes: The whole model file.
  /// - Returns: The archive; nil if the file has none.
  /// - Throws: `MetadataError` with `damagedArchive` or `tooLarge`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> ModelArchive? {
    guard let end = try ArchiveEnd.find(in: bytes) else { return nil }
    var entries: [Entry] = []
    var names: Set<String> = []
    var total = 0
    var start = end.directory.lowerBound
    var position = end.directory.lowerBound
    for index in 0..<end.entryCount {
      let header = try CentralHeader(at: position, limit: end.directory.upperBound, in: bytes, index: index)
      position += header.length
      let entry = try header.entry(prefix: end.prefix, directory: end.directory.lowerBound)
      guard names.insert(entry.name).inserted else {
        throw .archive("The archive has two entries named '\(entry.name)'")
      }
      total += entry.size
      guard total <= maxTotalBytes else {
        throw .largeArchive("The archive's entries have more than \(maxTotalBytes) bytes in total")
      }
      start = min(start, entry.headerStart)
      entries.append(entry)
    }
    guard position == end.directory.upperBound else {
      throw .archive(
        "The archive's directory has \(end.directory.count) bytes, but its \(end.entryCount) entries take "
          + "\(position - end.directory.lowerBound)")
    }
    return ModelArchive(entries: entries, start: start)
  }

  /// Reads the directory of the archive at the end of `bytes`.
  ///
  /// - Parameter bytes: The whole model file.
  /// - Returns: The archive; nil if the file has none.
  /// - Throws: `MetadataError`, as for a span.
  package static func read(_ bytes: [UInt8]) throws(MetadataError) -> ModelArchive? { try read(bytes.span) }

  /// Returns the content of a file in the archive, after verifying its CRC-32.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - bytes: The same model file that was passed to `read`.
  /// - Returns: The bytes of the file.
  /// - Throws: `MetadataError` with `missingFile`, `compressedArchive`, `tooLarge` or `damagedArchive`.
  package func contents(of name: String, in bytes: Span<UInt8>) throws(MetadataError) -> [UInt8] {
    guard let entry = entry(named: name) else {
      let names = entries.map(\.name).joined(separator: ", ")
      throw MetadataError(
        .missingFile, "The model's archive has no file '\(name)'; it has \(entries.isEmpty ? "none" : names)",
        remedy: "Write the metadata again together with the file, or pass your own labels")
    }
    guard entry.isStored || entry.method == InflatedEntry.method else {
      throw MetadataError(
        .compressedArchive,
        "The archive's entry '\(name)' is compressed by method \(entry.method); stored (0) and Deflate (8) "
          + "are supported",
        remedy: "Pack the files again without compression, for example with 'zip -0'")
    }
    let header = entry.headerStart
    guard bytes.holds(30, at: header), try bytes.uint32(at: header, "") == 0x0403_4B50 else {
      throw .archive("The archive's entry '\(name)' has no header at byte \(header)")
    }
    let nameLength = Int(try bytes.uint16(at: header + 26, ""))
    let extraLength = Int(try bytes.uint16(at: header + 28, ""))
    let data = header + 30 + nameLength + extraLength
    guard bytes.holds(entry.storedSize, at: data) else {
      throw .archive(
        "The archive's entry '\(name)' has \(entry.storedSize) bytes at byte \(data), but the file ends at "
          + "\(bytes.count)")
    }
    let stored = bytes.extracting(data..<data + entry.storedSize)
    let contents = entry.isStored ? stored.copy(0..<stored.count) : try InflatedEntry.contents(entry, stored)
    let checksum = ModelArchive.checksum(of: contents.span)
    guard checksum == entry.checksum else {
      throw .archive(
        "The archive's entry '\(name)' is damaged: its CRC-32 is \(checksum), expected \(entry.checksum)")
    }
    return contents
  }

  /// Returns the content of a file in the archive, after verifying its CRC-32.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - bytes: The same model file that was passed to `read`.
  /// - Returns: The bytes of the file.
  /// - Throws: `MetadataError`, as for a span.
  package func contents(of name: String, in bytes: [UInt8]) throws(MetadataError) -> [UInt8] {
    try contents(of: name, in: bytes.span)
  }

  /// Returns the CRC-32 of an entry's content, which is smaller than 4 GiB.
  static func checksum(of contents: Span<UInt8>) -> UInt32 {
    // SAFETY: zlib reads `buffer.count` bytes of `buffer`.
    unsafe contents.withUnsafeBufferPointer { buffer in
      unsafe UInt32(truncatingIfNeeded: crc32(0, buffer.baseAddress, UInt32(buffer.count)))
    }
  }
}

extension MetadataError {
  /// Returns the error of a broken archive.
  package static func archive(_ message: String) -> MetadataError {
    MetadataError(.damagedArchive, message, remedy: "Download or export the model file again")
  }

  /// Returns the error of an archive with too many entries or bytes.
  static func largeArchive(_ message: String) -> MetadataError {
    MetadataError(
      .tooLarge, message,
      remedy: "Download or export the model file again, or remove files that are neither models nor labels")
  }
}
