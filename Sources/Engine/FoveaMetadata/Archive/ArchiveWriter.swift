// SPDX-License-Identifier: Apache-2.0

/// Appends a ZIP archive of stored entries to the bytes of a file.
///
/// Offsets count from the file's start, which every reader supports. The date is the earliest one of the
/// format, so that equal input results in equal bytes.
struct ArchiveWriter {
  private var directory: [UInt8] = []
  private var count = 0

  mutating func append(_ file: AssociatedFileContents, to bytes: inout [UInt8]) {
    let name = Array(file.name.utf8)
    var common: [UInt8] = []
    // Version 2.0, UTF-8 names, stored, 00:00 on 1 January 1980.
    for value: UInt16 in [20, 0x0800, 0, 0, 0x0021] { common.append(littleEndian: value) }
    common.append(littleEndian: ModelArchive.checksum(of: file.contents.span))
    common.append(littleEndian: UInt32(file.contents.count))
    common.append(littleEndian: UInt32(file.contents.count))
    common.append(littleEndian: UInt16(name.count))
    common.append(littleEndian: UInt16(0))

    directory.append(littleEndian: 0x0201_4B50 as UInt32)
    directory.append(littleEndian: UInt16(20))
    directory += common
    for _ in 0..<3 { directory.append(littleEndian: UInt16(0)) }
    directory.append(littleEndian: UInt32(0))
    directory.append(littleEndian: UInt32(bytes.count))
    directory += name
    count += 1

    bytes.append(littleEndian: 0x0403_4B50 as UInt32)
    bytes += common
    bytes += name
    bytes += file.contents
  }

  /// Writes the directory, which completes the archive.
  func finish(_ bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += directory
    bytes.append(littleEndian: 0x0605_4B50 as UInt32)
    bytes.append(littleEndian: UInt32(0))
    bytes.append(littleEndian: UInt16(count))
    bytes.append(littleEndian: UInt16(count))
    bytes.append(littleEndian: UInt32(directory.count))
    bytes.append(littleEndian: UInt32(start))
    bytes.append(littleEndian: UInt16(0))
  }
}
