// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// Class numbers read from PNGs of three columns and two rows, whose bytes are written by hand.
@Suite struct ClassImageReadingTests {
  struct PNG: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var depth: UInt8 = 8
    /// The colour type: 0 is grey, 2 RGB, 3 a palette, 4 grey with alpha, 6 RGBA.
    var type: UInt8
    var rows: [[UInt8]]
    var hasPalette = false
    var isTransparent = false
    /// The numbers of the pixels, or the error.
    var numbers: [UInt8] = []
    var code = ImageCode.unsupported
    var message = ""

    var bytes: [UInt8] {
      let content: [UInt8] = rows.flatMap { [UInt8(0)] + $0 }
      let count = UInt8(content.count)
      var stream: [UInt8] = [0x78, 0x01, 1, count, 0, ~count, 0xff] + content
      var (sum, sums) = (1, 0)
      for byte in content { (sum, sums) = (sum + Int(byte), sums + sum + Int(byte)) }
      stream += ExifInjection.bigEndian(((sums % 65_521) << 16) | (sum % 65_521))
      let header = ExifInjection.bigEndian(3) + ExifInjection.bigEndian(2) + [depth, type, 0, 0, 0]
      var png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      png += ExifInjection.chunk("IHDR", header)
      let colors = min(256, 1 << Int(depth))
      if hasPalette { png += ExifInjection.chunk("PLTE", Array(VOCPalette.colors.prefix(3 * colors))) }
      if isTransparent { png += ExifInjection.chunk("tRNS", [0, 128]) }
      return png + ExifInjection.chunk("IDAT", stream) + ExifInjection.chunk("IEND", [])
    }
  }

  /// Two rows of `count` bytes.
  static func rows(of count: Int) -> [[UInt8]] {
    [[UInt8]](repeating: [UInt8](repeating: 1, count: count), count: 2)
  }

  static func numbers(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    try ClassImage.numbers(in: EncodedImage(bytes: bytes, name: "a.png"))
  }

  @Test(arguments: [
    PNG(
      testDescription: "a palette", type: 3, rows: [[0, 5, 255], [1, 2, 254]], hasPalette: true,
      numbers: [0, 5, 255, 1, 2, 254]),
    PNG(
      testDescription: "a palette with transparent colours", type: 3, rows: [[0, 5, 255], [1, 2, 254]],
      hasPalette: true, isTransparent: true, numbers: [0, 5, 255, 1, 2, 254]),
    PNG(
      testDescription: "a palette of 16 colours", depth: 4, type: 3, rows: [[0x0f, 0x10], [0x23, 0x40]],
      hasPalette: true, numbers: [0, 15, 1, 2, 3, 4]),
    PNG(
      testDescription: "a palette of 4 colours", depth: 2, type: 3, rows: [[0b0001_1000], [0b1110_0100]],
      hasPalette: true, numbers: [0, 1, 2, 3, 2, 1]),
    PNG(
      testDescription: "a palette of 2 colours", depth: 1, type: 3, rows: [[0b1010_0000], [0b0100_0000]],
      hasPalette: true, numbers: [1, 0, 1, 0, 1, 0]),
    PNG(
      testDescription: "grey", type: 0, rows: [[0, 5, 255], [1, 2, 254]], numbers: [0, 5, 255, 1, 2, 254]),
  ])
  func `numbers are indices of the palette, or grey values`(_ png: PNG) throws {
    let numbers = try Self.numbers(png.bytes)
    #expect(numbers == png.numbers)
  }

  @Test(arguments: [
    PNG(
      testDescription: "grey of 16 bits", depth: 16, type: 0, rows: rows(of: 6),
      message: "the PNG has grey pixels of 16 bits, not class numbers of 8 bits"),
    PNG(
      testDescription: "grey of 1 bit", depth: 1, type: 0, rows: [[0], [0]],
      message: "the PNG has grey pixels of 1 bit, not class numbers of 8 bits"),
    PNG(
      testDescription: "RGB", type: 2, rows: rows(of: 9),
      message: "the PNG has colours (RGB), not class numbers"),
    PNG(
      testDescription: "grey with alpha", type: 4, rows: rows(of: 6),
      message: "the PNG has grey pixels with alpha, not class numbers"),
    PNG(
      testDescription: "RGBA", type: 6, rows: rows(of: 12),
      message: "the PNG has colours with alpha (RGBA), not class numbers"),
    PNG(
      testDescription: "an unknown colour type", type: 5, rows: [[0, 0, 0], [0, 0, 0]], code: .corrupt,
      message: "the PNG data is damaged: the colour type is 5"),
    PNG(
      testDescription: "no palette", type: 3, rows: [[0, 0, 0], [0, 0, 0]], code: .corrupt,
      message: "the PNG data is damaged: IDAT: Missing PLTE before IDAT"),
    PNG(
      testDescription: "a missing row", type: 0, rows: [[0, 5, 255]], code: .truncated,
      message: "the PNG file ends before the image does, after 72 bytes"),
  ])
  func `other PNGs are refused with what they have`(_ png: PNG) {
    let error = imageError { () throws(ImageError) in try Self.numbers(png.bytes) }
    #expect(error?.code == png.code)
    #expect(error?.message == png.message)
    #expect(error?.subject == "a.png")
    guard png.code == .unsupported else { return }
    #expect(
      error?.remedy
        == "Save one class number per pixel as a PNG with a palette, or as grey with 8 bits; 255 is void")
  }

  @Test func `a PNG that is cut anywhere in its pixels is truncated`() throws {
    let size = PixelSize(width: 16, height: 16)
    let whole = try ClassImage.png((0..<256).map { UInt8($0) }, size: size)
    #expect(try Self.numbers(whole) == (0..<256).map { UInt8($0) })
    for count in [20, 30, whole.count / 2, whole.count - 20] {
      let error = imageError { () throws(ImageError) in try Self.numbers(Array(whole.prefix(count))) }
      #expect(error?.code == .truncated, "\(count) bytes: \(error as Any)")
    }
  }

  @Test func `an image of another format is refused`() throws {
    let photo = try TestImage.quarters(PixelSize(width: 8, height: 6)).encoded(as: .jpeg)
    let error = imageError { () throws(ImageError) in try Self.numbers(photo) }
    #expect(error?.code == .unsupported)
    #expect(error?.message == "the file is a JPEG image, but class numbers are read from PNG")
  }
}
