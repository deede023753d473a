// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaImage

/// JPEGs with an end marker whose codes are incomplete, and those that only have extra bytes.
@Suite struct JPEGHoleTests {
  private static func photo() throws -> [UInt8] {
    try TestImage.canvas(PixelSize(width: 200, height: 150)) { x, y in
      RGB((x * 7 + y * 3) % 256, (x * y) % 256, (x ^ y) % 256)
    }.encoded(as: .jpeg)
  }

  /// The offset of the only scan's codes.
  private static func codes(_ whole: [UInt8]) throws -> Int {
    let marker = try #require(whole.indices.dropLast().first { whole[$0] == 0xff && whole[$0 + 1] == 0xda })
    return marker + 2 + Int(whole[marker + 2]) << 8 + Int(whole[marker + 3])
  }

  private static func decode(_ bytes: [UInt8]) throws(ImageError) -> DecodedImage {
    try EncodedImage(bytes: bytes, name: "x").decode()
  }

  @Test(arguments: [64, 80, 512, 4_096])
  func `zeros in place of codes are not an image, at any position`(_ count: Int) throws {
    let whole = try Self.photo()
    let start = try Self.codes(whole)
    try #require(whole.count - start > count + 100)
    for part in 0...16 {
      let hole = start + (whole.count - 2 - count - start) * part / 16
      var bytes = whole
      bytes.replaceSubrange(hole..<hole + count, with: repeatElement(0, count: count))
      // Before the end marker the hole is the padding of a truncated file.
      let error = imageError { () throws(ImageError) in try Self.decode(bytes) }
      #expect(part == 16 || error != nil, "part \(part)")
      if let error { #expect([.corrupt, .truncated].contains(error.code), "part \(part)") }
    }
  }

  @Test(arguments: [0x02, 0x3c, 0x7b, 0xbf, 0xc0, 0xc4, 0xda, 0xdb, 0xdd, 0xf0])
  func `a marker among the codes is not an image, whatever is warned of before it`(_ marker: Int) throws {
    let whole = try Self.photo()
    let start = try Self.codes(whole)
    for part in 1...7 {
      var bytes = whole
      let place = start + (whole.count - start) * part / 8
      bytes.replaceSubrange(place..<place + 2, with: [0xff, UInt8(marker)])
      let error = imageError { () throws(ImageError) in try Self.decode(bytes) }
      #expect([.corrupt, .truncated].contains(error?.code), "part \(part)")
    }
  }

  @Test(arguments: [1, 8, 20, 64, 5_000], [0, 0x61])
  func `bytes after the last block are ignored, and many of them noted`(_ count: Int, _ byte: Int) throws {
    let whole = try Self.photo()
    let fill = [UInt8](repeating: UInt8(byte), count: count)
    let decoded = try Self.decode(whole.dropLast(2) + fill + [0xff, 0xd9])
    let size = PixelSize(width: 16, height: 12)
    let (found, expected) = (try decoded.pixels(size), try Self.decode(whole).pixels(size))
    for x in 0..<16 { #expect(found[x, 6] == expected[x, 6]) }
    #expect((decoded.note != nil) == (count >= 20), "\(decoded.note ?? "")")
    if let note = decoded.note {
      #expect(note.hasSuffix(" surplus bytes; its image may be damaged"))
    }
  }

  @Test func `bytes between segments are ignored, and many of them noted`() throws {
    let whole = try Self.photo()
    let table = try #require(whole.indices.dropLast().first { whole[$0] == 0xff && whole[$0 + 1] == 0xdb })
    for (count, note) in [
      (1, nil), (20, "the JPEG has 20 surplus bytes; its image may be damaged"),
    ] as [(Int, String?)] {
      let fill = [UInt8](repeating: 0x61, count: count)
      #expect(try Self.decode(whole[..<table] + fill + whole[table...]).note == note)
    }
  }

  /// A black image of 1,024 × 1,024 pixels with its own tables: a block is two bits, both 0.
  @Test func `a flat area whose codes are zeros is an image`() throws {
    let zeros = [UInt8](repeating: 0, count: 16)
    var header: [UInt8] = [0xff, 0xd8, 0xff, 0xdb, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    header += [0xff, 0xc0, 0, 11, 8, 4, 0, 4, 0, 1, 1, 0x11, 0]
    // The only codes are 0: for a DC difference of size 0, and for the end of a block.
    header += [0xff, 0xc4, 0, 20, 0, 1] + zeros + [0xff, 0xc4, 0, 20, 0x10, 1] + zeros
    header += [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    let codes = [UInt8](repeating: 0, count: 128 * 128 * 2 / 8)
    let decoded = try Self.decode(header + codes + [0xff, 0xd9])
    #expect(decoded.note == nil)
  }
}
