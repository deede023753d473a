// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// Images of class numbers with VOC's colours.
@Suite struct ClassImageTests {
  /// **Source:** the colours that the VOC development kit lists for its 20 classes, and 255 for `void`.
  static let colors: [(number: Int, color: [UInt8])] = [
    (0, [0, 0, 0]), (1, [128, 0, 0]), (2, [0, 128, 0]), (3, [128, 128, 0]), (4, [0, 0, 128]),
    (5, [128, 0, 128]), (6, [0, 128, 128]), (7, [128, 128, 128]), (8, [64, 0, 0]), (9, [192, 0, 0]),
    (10, [64, 128, 0]), (11, [192, 128, 0]), (12, [64, 0, 128]), (13, [192, 0, 128]), (14, [64, 128, 128]),
    (15, [192, 128, 128]), (16, [0, 64, 0]), (17, [128, 64, 0]), (18, [0, 192, 0]), (19, [128, 192, 0]),
    (20, [0, 64, 128]), (255, [224, 224, 192]),
  ]

  static func color(_ number: Int) -> [UInt8] {
    Array(VOCPalette.colors[(number * 3)..<(number * 3 + 3)])
  }

  @Test func `VOC's colours are those of its development kit, each once`() {
    #expect(VOCPalette.colors.count == 768)
    for (number, color) in Self.colors { #expect(Self.color(number) == color, "\(number)") }
    let all: Set<[UInt8]> = Set((0..<256).map(Self.color))
    #expect(all.count == 256)
  }

  @Test(arguments: [
    PixelSize(width: 1, height: 1), PixelSize(width: 16, height: 16), PixelSize(width: 257, height: 3),
  ])
  func `a PNG has a byte with the number of its class for each pixel`(_ size: PixelSize) throws {
    let classes = (0..<size.area).map { UInt8(truncatingIfNeeded: $0) }
    let bytes = try ClassImage.png(classes, size: size)
    // IHDR: 8 bits, colour type 3 (palette).
    let (signature, header) = (Array(bytes[0..<4]), Array(bytes[24...25]))
    #expect(signature == [0x89, 0x50, 0x4E, 0x47] && header == [8, 3])
    let pixels = TestFrame(try EncodedImage(bytes: bytes, name: "map").canvas()).rgb
    let expected: [UInt8] = classes.flatMap { Self.color(Int($0)) }
    #expect(pixels == expected)
  }

  @Test func `opacities are those of the palette`() throws {
    let opacities = (0..<256).map { UInt8(255 - $0) }
    let classes: [UInt8] = [0, 1, 254, 255]
    let bytes = try ClassImage.png(classes, size: PixelSize(width: 4, height: 1), opacities: opacities)
    let start = try #require(bytes.firstRange(of: Array("tRNS".utf8))).upperBound
    #expect(Array(bytes[start..<(start + 256)]) == opacities)
    #expect(try ClassImage.numbers(in: EncodedImage(bytes: bytes, name: "map")) == classes)
  }

  @Test(arguments: ["", "sha256:0123456789abcdef", String(repeating: "x", count: 200)])
  func `a PNG names its source, and is read as before`(_ source: String) throws {
    let size = PixelSize(width: 5, height: 3)
    let classes = (0..<size.area).map { UInt8($0) }
    let plain = try ClassImage.png(classes, size: size)
    let named = ClassImage.naming(source, in: plain)
    let image = try EncodedImage(bytes: named, name: "map")
    #expect(ClassImage.source(in: image) == source)
    #expect(try ClassImage.numbers(in: image) == classes)
    // The CRC of a chunk is right: libpng refuses it otherwise, or warns.
    #expect(TestFrame(try image.canvas()).rgb.count == size.area * 3)
    #expect(try ClassImage.source(in: EncodedImage(bytes: plain, name: "map")) == nil)
    for count in 0..<named.count {
      guard let cut = try? EncodedImage(bytes: Array(named[..<count]), name: "map") else { continue }
      let found = ClassImage.source(in: cut)
      #expect(found == nil || found == source, "\(count)")
    }
  }

  @Test func `the checksum of a source's chunk is PNG's`() throws {
    let png = try ClassImage.png([0], size: PixelSize(width: 1, height: 1))
    let named = ClassImage.naming("fovea", in: png)
    // zlib.crc32(b"tEXtSource\0fovea"), Python 3.11
    let expected: [UInt8] = [0xB6, 0xED, 0x86, 0x65]
    #expect(Array(named[33..<37]) == [0, 0, 0, 12])
    #expect(Array(named[53..<57]) == expected)
  }
}
