// SPDX-License-Identifier: Apache-2.0

/// The last record of a ZIP archive, which has the position of its directory.
///
/// Source of the layout: PKWARE's APPNOTE.TXT 4.3.12 (central header) and 4.3.16 (end of central directory).
struct ArchiveEnd {
  let entryCount: Int
  let directory: Range<Int>
  /// The number to add to the archive's offsets: 0 if they count from the file's start, else the model's
  /// size.
  let prefix: Int

  private static let signature: UInt32 = 0x0605_4B50
  private static let size = 22

  /// Searches for the record backwards from the end of the file; a comment of up to 65,535 bytes may follow
  /// it.
  static func find(in bytes: Span<UInt8>) throws(MetadataError) -> ArchiveEnd? {
    var position = bytes.count - size
    let first = max(0, position - 0xFFFF)
    while position >= first {
      if bytes[position] == 0x50, try bytes.uint32(at: position, "") == signature,
        position + size + Int(try bytes.uint16(at: position + 20, "")) == bytes.count
      {
        return try ArchiveEnd(at: position, in: bytes)
      }
      position -= 1
    }
    return nil
  }

  private init(at position: Int, in bytes: Span<UInt8>) throws(MetadataError) {
    let what = "the archive's end"
    let disk = try bytes.uint32(at: position + 4, what)
    let countHere = Int(try bytes.uint16(at: position + 8, what))
    let count = Int(try bytes.uint16(at: position + 10, what))
    let length = Int(try bytes.uint32(at: position + 12, what))
    let offset = Int(try bytes.uint32(at: position + 16, what))
    guard count != 0xFFFF, length != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else {
      throw .archive("The archive is in the ZIP64 format; expected a plain ZIP archive")
    }
    guard disk == 0, countHere == count else {
      throw .archive("The archive is split into parts; expected one whole ZIP archive")
    }
    guard count <= ModelArchive.maxEntries else {
      throw .largeArchive("The archive has \(count) entries; at most \(ModelArchive.maxEntries) are read")
    }
    let start = position - length
    guard start >= 0, offset <= start else {
      throw .archive(
        "The archive's directory should have \(length) bytes from byte \(offset), "
          + "but the archive's end is at byte \(position)")
    }
    entryCount = count
    directory = start..<position
    prefix = start - offset
  }
}

/// One entry of a ZIP archive's directory.
struct CentralHeader {
  private let name: String
  private let flags: UInt16
  private let method: UInt16
  private let checksum: UInt32
  private let compressedSize: Int
  private let size: Int
  private let offset: Int
  /// The length of the whole record.
  let length: Int

  init(at position: Int, limit: Int, in bytes: Span<UInt8>, index: Int) throws(MetadataError) {
    let what = "entry \(index) of the archive's directory"
    guard position + 46 <= limit, try bytes.uint32(at: position, what) == 0x0201_4B50 else {
      throw .archive("The archive's directory is broken at \(what) (byte \(position))")
    }
    flags = try bytes.uint16(at: position + 8, what)
    method = try bytes.uint16(at: position + 10, what)
    checksum = try bytes.uint32(at: position + 16, what)
    compressedSize = Int(try bytes.uint32(at: position + 20, what))
    size = Int(try bytes.uint32(at: position + 24, what))
    let nameLength = Int(try bytes.uint16(at: position + 28, what))
    let extraLength = Int(try bytes.uint16(at: position + 30, what))
    let commentLength = Int(try bytes.uint16(at: position + 32, what))
    offset = Int(try bytes.uint32(at: position + 42, what))
    length = 46 + nameLength + extraLength + commentLength
    guard position + length <= limit else { throw .archive("The archive's directory ends inside \(what)") }
    guard let text = String(validating: bytes.copy(position + 46..<position + 46 + nameLength), as: UTF8.self)
    else { throw .archive("The name of \(what) is not UTF-8") }
    name = text
  }

  /// Returns the entry, checked as far as the directory allows.
  func entry(prefix: Int, directory: Int) throws(MetadataError) -> ModelArchive.Entry {
    guard flags & 1 == 0 else { throw .archive("The archive's entry '\(name)' is encrypted") }
    guard method != 0 || compressedSize == size else {
      throw .archive(
        "The archive's entry '\(name)' is stored but has two sizes, \(compressedSize) and \(size)")
    }
    let start = prefix + offset
    guard start + 30 + compressedSize <= directory else {
      throw .archive(
        "The archive's entry '\(name)' has \(compressedSize) bytes after byte \(start), "
          + "but the directory begins at byte \(directory)")
    }
    return ModelArchive.Entry(
      name: name, size: size, isStored: method == 0, method: method, storedSize: compressedSize,
      checksum: checksum,
      headerStart: start)
  }
}
