// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaImage

/// Files of few pixels whose texts, profiles and tags would take seconds or gigabytes to read.
@Suite struct HostileMetadataTests {
  /// Limits processor time to far more seconds than required reads take, and fewer than forbidden ones would.
  private static func limitProcessor(seconds: UInt) throws {
    var limit = rlimit(rlim_cur: seconds, rlim_max: seconds)
    // 0 is RLIMIT_CPU.
    try #require(unsafe setrlimit(__rlimit_resource_t(0), &limit) == 0)
  }

  /// A PNG chunk with its checksum.
  static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + data
    var sum = UInt32.max
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    func number(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    return number(UInt32(data.count)) + body + number(~sum)
  }

  /// Eight megabytes of zeros, compressed: the data of a black image.
  private static func compressedZeros() throws -> [UInt8] {
    let png = try PixelCanvas(size: PixelSize(width: 2048, height: 1300)).encoded(as: .png)
    var data: [UInt8] = []
    var offset = 8
    while offset + 8 <= png.count {
      let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      if Array(png[offset + 4..<offset + 8]) == Array("IDAT".utf8) {
        data += png[offset + 8..<offset + 8 + length]
      }
      offset += 12 + length
    }
    return data
  }

  @Test(arguments: ["zTXt", "iTXt", "iCCP", "zzZz"])
  func `compressed data of a PNG beside its pixels is never inflated`(_ kind: String) async {
    await #expect(processExitsWith: .success) { [kind] in
      let zeros = try Self.compressedZeros()
      #expect(zeros.count < 60_000)
      let head: [UInt8] =
        kind == "iTXt" ? Array("k".utf8) + [0, 1, 0, 0, 0] : Array("k".utf8) + [0, 0]
      let chunk = Self.chunk(kind, head + zeros)
      let sound = try TestImage.quarters(PixelSize(width: 32, height: 24)).encoded(as: .png)
      // After the header, which has 13 bytes; and 2,000 times, which would inflate to 16 GB.
      var bytes = Array(sound[..<33])
      for _ in 0..<2000 { bytes += chunk }
      bytes += sound[33...]
      try Self.limitProcessor(seconds: 8)
      let canvas = try EncodedImage(bytes: bytes, name: "x").canvas()
      #expect(TestImage.pixel(canvas, 2, 2) == RGB(255, 0, 0))
    }
  }

  @Test func `an orientation behind many texts of a PNG is still read`() throws {
    let sound = try TestImage.quarters(PixelSize(width: 32, height: 24)).encoded(as: .png)
    let tiff: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let texts = (0..<50).flatMap { Self.chunk("tEXt", Array("k\($0)".utf8) + [0, 65]) }
    let image = try EncodedImage(
      bytes: Array(sound[..<33] + texts + Self.chunk("eXIf", tiff) + sound[33...]), name: "x")
    #expect(image.orientation == .right)
    #expect(try image.canvas().size == PixelSize(width: 24, height: 32))
  }

  @Test func `TIFF tags that decoding does not need are not read`() async {
    await #expect(processExitsWith: .success) {
      let tags = (40_000..<44_000).map { (tag: $0, type: 4, count: 1, value: 5) }
      let bytes = TIFFFile.bytes(PixelSize(width: 16, height: 16), extra: tags) { x, y in RGB(x, y, 9) }
      try Self.limitProcessor(seconds: 8)
      // Each of these would have cost a third of a second.
      for _ in 0..<100 { _ = try EncodedImage(bytes: bytes, name: "x").decode() }
      let canvas = try EncodedImage(bytes: bytes, name: "x").canvas()
      #expect(TestImage.pixel(canvas, 3, 7) == RGB(3, 7, 9))
    }
  }

  @Test(arguments: [0, 1, 2] as [UInt8])
  func `HEIC items that repeat the whole file are rejected`(_ version: UInt8) {
    let idSize = version < 2 ? 2 : 4
    func file(_ items: Int, length: Int) -> [UInt8] {
      var places = [version, 0, 0, 0, 0x44, 0x00] + HEIFFile.number(items, idSize)
      for item in 0..<items {
        places +=
          HEIFFile.number(item, idSize) + (version == 0 ? [] : [0, 0]) + [0, 0, 0, 1] + HEIFFile.number(0, 4)
          + HEIFFile.number(length, 4)
      }
      return HEIFFile.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
        + HEIFFile.box("free", [UInt8](repeating: 0, count: 100_000))
        + HEIFFile.box("meta", [0, 0, 0, 0] + HEIFFile.box("iloc", places))
    }
    func error(_ bytes: [UInt8]) -> ImageError? {
      imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "x") }
    }
    let bytes = file(1000, length: 90_000)
    #expect(
      error(bytes)?.description
        == "x: the items of the HEIC have more than 16777216 bytes, and the file has \(bytes.count). "
        + "Open it in an image editor and save it again.")
    #expect(error(file(1000, length: 0))?.code == .tooLarge)
    #expect(
      error(file(2001, length: 9))?.message
        == "the HEIC has 2001 items, references or properties, 2000 are allowed")
    // As many bytes as the file has are not a reason.
    #expect(error(file(1000, length: 90))?.code != .tooLarge)
  }

  @Test(arguments: [0, 1, 2] as [UInt8])
  func `empty extents of a HEIC are not counted one by one`(_ version: UInt8) async {
    await #expect(processExitsWith: .success) { [version] in
      let idSize = version < 2 ? 2 : 4
      // Offsets and lengths of 0 bytes, and 65,535 extents for each of 2,000 items: 131 million per box.
      var places = [version, 0, 0, 0, 0x00, 0x00] + HEIFFile.number(2000, idSize)
      for item in 0..<2000 {
        places += HEIFFile.number(item, idSize) + (version == 0 ? [] : [0, 0]) + [0, 0, 0xff, 0xff]
      }
      var boxes: [UInt8] = [0, 0, 0, 0]
      for _ in 0..<50 { boxes += HEIFFile.box("iloc", places) }
      let bytes = HEIFFile.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0]) + HEIFFile.box("meta", boxes)
      try Self.limitProcessor(seconds: 8)
      let error = imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "x") }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test func `a comment of megabytes in a GIF, and as many segments of a JPEG, cost little`() async {
    await #expect(processExitsWith: .success) {
      var gif = try #require(Fixture.formats.first { $0.testDescription == "GIF" }).bytes
      let frame = try #require(gif.firstIndex(of: 0x2c))
      gif.insert(
        contentsOf: [0x21, 0xfe] + Array(repeating: [1, 0x61], count: 500_000).flatMap { $0 } + [0], at: frame
      )
      let jpeg = try TestImage.quarters(PixelSize(width: 32, height: 24)).encoded(as: .jpeg)
      let segments = Array(repeating: [0xff, 0xe2, 0, 3, 1] as [UInt8], count: 200_000).flatMap { $0 }
      try Self.limitProcessor(seconds: 8)
      _ = try EncodedImage(bytes: gif, name: "x").decode()
      _ = try EncodedImage(bytes: Array(jpeg[..<2] + segments + jpeg[2...]), name: "x").decode()
    }
  }
}
