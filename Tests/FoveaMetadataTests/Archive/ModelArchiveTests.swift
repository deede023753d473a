// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaMetadata

@Suite struct ModelArchiveTests {
  /// An archive after `prefix` bytes.
  static func archive(_ files: [AssociatedFileContents], prefix: Int = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: 7, count: prefix)
    var writer = ArchiveWriter()
    for file in files { writer.append(file, to: &bytes) }
    writer.finish(&bytes)
    return bytes
  }

  static let two = [SyntheticModel.file("a.txt", "alpha"), SyntheticModel.file("b.txt", "")]

  /// The offset of the end record in an archive without comment.
  static func end(of bytes: [UInt8]) -> Int { bytes.count - 22 }

  @Test func `the checksum matches the well-known one`() {
    let digits = Array("123456789".utf8)
    let checksum = ModelArchive.checksum(of: digits.span)
    #expect(checksum == 0xCBF4_3926)
    let nothing: [UInt8] = []
    let empty = ModelArchive.checksum(of: nothing.span)
    #expect(empty == 0)
  }

  @Test(arguments: [0, 1, 1000]) func `stored files are read after any prefix`(_ prefix: Int) throws {
    let bytes = Self.archive(Self.two, prefix: prefix)
    let archive = try #require(try ModelArchive.read(bytes))
    #expect(archive.entries.map(\.name) == ["a.txt", "b.txt"])
    #expect(archive.entries.map(\.size) == [5, 0])
    #expect(archive.start == prefix)
    #expect(try archive.contents(of: "a.txt", in: bytes) == Array("alpha".utf8))
    #expect(try archive.contents(of: "b.txt", in: bytes) == [])
  }

  @Test func `offsets from the archive's start are understood`() throws {
    let bytes = [UInt8](repeating: 9, count: 333) + Self.archive(Self.two)
    let archive = try #require(try ModelArchive.read(bytes))
    #expect(archive.start == 333)
    #expect(try archive.contents(of: "a.txt", in: bytes) == Array("alpha".utf8))
  }

  @Test(arguments: [1, 300, 65_535]) func `a comment may follow`(_ length: Int) throws {
    var bytes = Self.archive(Self.two)
    bytes[bytes.count - 2] = UInt8(length & 0xFF)
    bytes[bytes.count - 1] = UInt8(length >> 8)
    bytes += [UInt8](repeating: 0x50, count: length)
    #expect(try ModelArchive.read(bytes)?.entries.count == 2)
  }

  @Test func `an empty archive has no entries`() throws {
    #expect(try ModelArchive.read(Self.archive([]))?.entries == [])
  }

  @Test(arguments: ["../../etc/passwd", "/abs", "C:\\x", "a/b", "ü"])
  func `a name is only a name`(_ name: String) throws {
    let bytes = Self.archive([SyntheticModel.file(name, "x")])
    #expect(try ModelArchive.read(bytes)?.contents(of: name, in: bytes) == [0x78])
  }

  struct BrokenCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: MetadataCode
    let message: String

    /// The archive of two files with some bytes replaced, counted from the end record or from the directory.
    static func patched(end: [Int: UInt8] = [:], directory: [Int: UInt8] = [:], local: [Int: UInt8] = [:])
      -> [UInt8]
    {
      var bytes = archive(two)
      let endStart = ModelArchiveTests.end(of: bytes)
      let directoryStart = endStart - 2 * (46 + 5)
      for (index, value) in end { bytes[endStart + index] = value }
      for (index, value) in directory { bytes[directoryStart + index] = value }
      for (index, value) in local { bytes[index] = value }
      return bytes
    }
  }

  static let broken: [BrokenCase] = [
    BrokenCase(
      testDescription: "compressed in another way", bytes: BrokenCase.patched(directory: [10: 9]),
      code: .compressedArchive,
      message:
        "The archive's entry 'a.txt' is compressed by method 9; stored (0) and Deflate (8) are supported"),
    BrokenCase(
      testDescription: "encrypted", bytes: BrokenCase.patched(directory: [8: 1]), code: .damagedArchive,
      message: "The archive's entry 'a.txt' is encrypted"),
    BrokenCase(
      testDescription: "two sizes", bytes: BrokenCase.patched(directory: [24: 6]), code: .damagedArchive,
      message: "The archive's entry 'a.txt' is stored but has two sizes, 5 and 6"),
    BrokenCase(
      testDescription: "beyond the directory", bytes: BrokenCase.patched(directory: [20: 255, 24: 255]),
      code: .damagedArchive,
      message: "The archive's entry 'a.txt' has 255 bytes after byte 0, but the directory begins at byte 75"),
    BrokenCase(
      testDescription: "a huge size", bytes: BrokenCase.patched(directory: [10: 8, 27: 0x7F]),
      code: .tooLarge,
      message: "The archive's entries have more than 268435456 bytes in total"),
    BrokenCase(
      testDescription: "no local header", bytes: BrokenCase.patched(local: [0: 0]), code: .damagedArchive,
      message: "The archive's entry 'a.txt' has no header at byte 0"),
    BrokenCase(
      testDescription: "a damaged byte", bytes: BrokenCase.patched(local: [35: 0]), code: .damagedArchive,
      message: "The archive's entry 'a.txt' is damaged: its CRC-32 is 1957848983, expected 3504355690"),
    BrokenCase(
      testDescription: "no directory header", bytes: BrokenCase.patched(directory: [0: 0]),
      code: .damagedArchive,
      message: "The archive's directory is broken at entry 0 of the archive's directory (byte 75)"),
    BrokenCase(
      testDescription: "one entry too few", bytes: BrokenCase.patched(end: [8: 1, 10: 1]),
      code: .damagedArchive,
      message: "The archive's directory has 102 bytes, but its 1 entries take 51"),
    BrokenCase(
      testDescription: "split", bytes: BrokenCase.patched(end: [4: 1]), code: .damagedArchive,
      message: "The archive is split into parts; expected one whole ZIP archive"),
    BrokenCase(
      testDescription: "ZIP64", bytes: BrokenCase.patched(end: [16: 255, 17: 255, 18: 255, 19: 255]),
      code: .damagedArchive, message: "The archive is in the ZIP64 format; expected a plain ZIP archive"),
    BrokenCase(
      testDescription: "a directory before the file", bytes: BrokenCase.patched(end: [14: 1]),
      code: .damagedArchive,
      message: "The archive's directory should have 65638 bytes from byte 75, "
        + "but the archive's end is at byte 177"),
    BrokenCase(
      testDescription: "too many entries", bytes: BrokenCase.patched(end: [9: 0x40, 11: 0x40]),
      code: .tooLarge,
      message: "The archive has 16386 entries; at most 10000 are read"),
    BrokenCase(
      testDescription: "a name twice",
      bytes: archive([SyntheticModel.file("x", "1"), SyntheticModel.file("x", "2")]),
      code: .damagedArchive, message: "The archive has two entries named 'x'"),
    BrokenCase(
      testDescription: "an absent file", bytes: archive([SyntheticModel.file("x", "1")]), code: .missingFile,
      message: "The model's archive has no file 'a.txt'; it has x"),
  ]

  @Test(arguments: broken) func `a broken archive is an error`(_ row: BrokenCase) {
    let error = failure { () throws(MetadataError) in
      try ModelArchive.read(row.bytes)?.contents(of: "a.txt", in: row.bytes)
    }
    #expect(error?.message == row.message)
    #expect(error?.code == row.code)
  }

  @Test func `an end record that does not fit the file's end is not an archive`() throws {
    #expect(try ModelArchive.read(Self.archive(Self.two) + [0]) == nil)
    #expect(try ModelArchive.read([UInt8](repeating: 0, count: 21)) == nil)
    #expect(try ModelArchive.read([]) == nil)
  }
}
