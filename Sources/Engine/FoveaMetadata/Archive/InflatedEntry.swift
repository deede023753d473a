// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The content of an archive entry that is compressed with Deflate.
enum InflatedEntry {
  /// The number of the compression method in the archive's directory.
  static let method: UInt16 = 8

  /// The maximum compression ratio of Deflate.
  ///
  /// **Source:** zlib's manual, "Technical Details": 1032 to 1.
  private static let largestRatio = 1032

  /// Decompresses to the size in the directory, which limits the cost of a decompression bomb.
  /// - Parameters:
  ///   - entry: The entry as the directory describes it.
  ///   - data: The bytes of the entry in the archive.
  /// - Returns: The content, of the size in the directory.
  /// - Throws: `tooLarge` above `ModelArchive.maxInflatedBytes`, `damagedArchive` for data of another length.
  static func contents(_ entry: ModelArchive.Entry, _ data: Span<UInt8>) throws(MetadataError) -> [UInt8] {
    guard entry.size <= ModelArchive.maxInflatedBytes else {
      throw MetadataError(
        .tooLarge,
        "The archive's entry '\(entry.name)' has \(entry.size) bytes; compressed ones may have up to "
          + "\(ModelArchive.maxInflatedBytes)",
        remedy: "Pack the file without compression, for example with 'zip -0', or pass your own labels")
    }
    guard entry.size <= data.count * largestRatio else {
      throw .archive(
        "The archive's entry '\(entry.name)' cannot have \(entry.size) bytes, as it is compressed to "
          + "\(data.count)")
    }
    var status: Int32 = 0
    let contents = unsafe data.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: entry.size) { target, count in
        // SAFETY: zlib reads `source.count` bytes of `source` and writes at most `entry.size` into `target`,
        // which has room for them; after a failure, none count as written.
        status = unsafe fovea_inflate(source.baseAddress, source.count, target.baseAddress, entry.size)
        count = status == Int32(FOVEA_INFLATE_OK) ? entry.size : 0
      }
    }
    switch status {
    case Int32(FOVEA_INFLATE_OK): return contents
    case Int32(FOVEA_INFLATE_LONGER):
      throw .archive(
        "The archive's entry '\(entry.name)' is longer than the \(entry.size) bytes in the archive's "
          + "directory")
    case Int32(FOVEA_INFLATE_NO_MEMORY):
      throw MetadataError(
        .tooLarge,
        "There is no memory to decompress the archive's entry '\(entry.name)' (\(entry.size) bytes)",
        remedy: "Close other programs, or pass your own labels")
    default:
      throw .archive(
        "The archive's entry '\(entry.name)' cannot be decompressed to the \(entry.size) bytes in the "
          + "directory")
    }
  }
}
