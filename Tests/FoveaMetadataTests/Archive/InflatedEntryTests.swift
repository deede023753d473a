// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct InflatedEntryTests {
  /// `metadata.json` as added by Python's zipfile with ZIP_DEFLATED: {"description": "Ultralytics YOLO11n
  /// model", …}.
  static let archive: [UInt8] = [
    80, 75, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 203, 111, 225, 188, 182, 0, 0, 0, 6, 1, 0,
    0, 13, 0, 0, 0, 109, 101, 116, 97, 100, 97, 116, 97, 46, 106, 115, 111, 110, 93, 142, 49, 15, 130, 48, 16,
    133, 255, 74, 211, 25, 73, 11, 14, 224, 230, 228, 66, 130, 139, 131, 17, 135, 218, 30, 216, 88, 138, 105,
    139, 137,
    18, 254, 187, 61, 116, 48, 14, 247, 114, 247, 221, 187, 151, 155, 168, 2, 47, 157, 190, 7, 61, 88, 186,
    33, 244,
    96, 130, 19, 230, 25, 180, 244, 228, 88, 87, 53, 231, 150, 244, 131, 2, 67, 19, 66, 197, 24, 174, 131,
    251, 179,
    225, 226, 1, 206, 127, 3, 138, 116, 157, 242, 146, 33, 53, 90, 130, 245, 128, 116, 187, 219, 87, 171, 60,
    93, 112,
    16, 254, 134, 76, 65, 0, 25, 144, 232, 190, 243, 175, 136, 78, 121, 198, 18, 18, 229, 28, 161, 21, 61,
    248, 8,
    39, 202, 208, 45, 181, 147, 6, 208, 205, 151, 81, 180, 205, 200, 24, 148, 164, 25, 85, 145, 171, 168, 192,
    24, 157,
    241, 75, 215, 125, 238, 46, 34, 200, 107, 236, 248, 79, 90, 142, 14, 176, 42, 139, 21, 199, 86, 24, 15,
    243, 27,
    80, 75, 1, 2, 20, 3, 20, 0, 0, 0, 8, 0, 0, 0, 33, 0, 203, 111, 225, 188, 182, 0, 0, 0, 6,
    1, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 0, 109, 101, 116, 97,
    100, 97, 116, 97, 46, 106, 115, 111, 110, 80, 75, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 59, 0, 0, 0,
    225, 0, 0, 0, 0, 0,
  ]

  /// The archive with some bytes of its one directory entry and of its data replaced.
  static func patched(directory: [Int: UInt8] = [:], data: [Int: UInt8] = [:]) -> [UInt8] {
    var bytes = archive
    let start = bytes.count - 22 - (46 + 13)
    for (index, value) in directory { bytes[start + index] = value }
    for (index, value) in data { bytes[30 + 13 + index] = value }
    return bytes
  }

  static func read(_ bytes: [UInt8]) throws(MetadataError) -> [UInt8]? {
    try ModelArchive.read(bytes)?.contents(of: "metadata.json", in: bytes)
  }

  @Test func `a compressed entry is read, whatever precedes the archive`() throws {
    let text = try #require(try Self.read(Self.archive))
    #expect(text.count == 262)
    #expect(String(decoding: text, as: UTF8.self).hasPrefix(#"{"description": "Ultralytics YOLO11n model""#))
    #expect(try Self.read([UInt8](repeating: 3, count: 999) + Self.archive) == text)
    #expect(try ModelArchive.read(Self.archive)?.entries.first?.isStored == false)
  }

  struct BrokenCase: CustomTestStringConvertible {
    let testDescription: String
    var directory: [Int: UInt8] = [:]
    var data: [Int: UInt8] = [:]
    let code: MetadataCode
    let message: String
  }

  // Bytes 10 of the directory's entry: method; 16 checksum; 20 compressed size; 24 size.
  static let broken = [
    BrokenCase(
      testDescription: "another method", directory: [10: 14], code: .compressedArchive,
      message:
        "The archive's entry 'metadata.json' is compressed by method 14; stored (0) and Deflate (8) are supported"
    ),
    BrokenCase(
      testDescription: "longer than declared", directory: [24: 1, 25: 0], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' is longer than the 1 bytes in the archive's directory"),
    BrokenCase(
      testDescription: "nothing declared", directory: [24: 0, 25: 0], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' is longer than the 0 bytes in the archive's directory"),
    BrokenCase(
      testDescription: "shorter than declared", directory: [25: 2], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' cannot be decompressed to the 518 bytes in the directory"),
    BrokenCase(
      testDescription: "cut", directory: [20: 40, 21: 0], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' cannot be decompressed to the 262 bytes in the directory"),
    BrokenCase(
      testDescription: "no Deflate data", data: [0: 0xFF, 1: 0xFF], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' cannot be decompressed to the 262 bytes in the directory"),
    BrokenCase(
      testDescription: "another checksum", directory: [16: 0, 17: 0, 18: 0, 19: 0], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' is damaged: its CRC-32 is 3168890827, expected 0"),
    BrokenCase(
      testDescription: "an unreachable size", directory: [26: 8], code: .damagedArchive,
      message: "The archive's entry 'metadata.json' cannot have 524550 bytes, as it is compressed to 182"),
    BrokenCase(
      testDescription: "larger than the limit", directory: [27: 1], code: .tooLarge,
      message:
        "The archive's entry 'metadata.json' has 16777478 bytes; compressed ones may have up to 16777216"),
  ]

  @Test(arguments: broken) func `a broken compressed entry is an error`(_ row: BrokenCase) {
    let bytes = Self.patched(directory: row.directory, data: row.data)
    let error = failure { () throws(MetadataError) in try Self.read(bytes) }
    #expect(error?.message == row.message)
    #expect(error?.code == row.code)
  }

  @Test func `an empty compressed entry is empty`() throws {
    // Only Deflate's end: a fixed block without content.
    var directory: [Int: UInt8] = [20: 2, 21: 0, 24: 0, 25: 0]
    for index in 16..<20 { directory[index] = 0 }
    let bytes = Self.patched(directory: directory, data: [0: 3, 1: 0])
    #expect(try Self.read(bytes) == [])
  }

  @Test func `no changed byte does harm`() {
    for index in Self.archive.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = Self.archive
        changed[index] = byte
        _ = try? Self.read(changed)
      }
    }
  }
}
