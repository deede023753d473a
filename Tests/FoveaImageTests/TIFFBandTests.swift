// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaImage

/// TIFFs with more bands than red, green and blue, as from drones and satellites.
@Suite struct TIFFBandTests {
  static let size = PixelSize(width: 32, height: 24)
  static let colors = [(2, 2, RGB(255, 0, 0)), (29, 2, RGB(0, 255, 0)), (2, 21, RGB(0, 0, 255))]

  struct Layout: CustomTestStringConvertible {
    var bits: Int
    var isSeparate: Bool
    var isTiled: Bool
    var littleEndian = true
    var testDescription: String {
      "\(bits) bits, \(isSeparate ? "a plane a band" : "interleaved"), \(isTiled ? "tiles" : "a strip")"
        + (littleEndian ? "" : ", MM")
    }
    static let all = [8, 16].flatMap { bits in
      [
        (false, false, true), (false, true, true), (true, false, true), (true, true, true),
        (false, false, false),
      ]
      .map { Layout(bits: bits, isSeparate: $0.0, isTiled: $0.1, littleEndian: $0.2) }
    }
  }

  private static func canvas(_ layout: Layout, _ values: [Int], _ kinds: [Int]?) throws -> PixelCanvas {
    let quarters = TestImage.quarters(size)
    let bytes = TIFFFile.bytes(
      size, littleEndian: layout.littleEndian, isTiled: layout.isTiled,
      bands: .init(values: values, kinds: kinds, bits: layout.bits, isSeparate: layout.isSeparate)
    ) { TestImage.pixel(quarters, $0, $1) }
    return try EncodedImage(bytes: bytes, name: "x").canvas()
  }

  @Test(arguments: Layout.all)
  func `a band that is not declared as transparency is ignored`(_ layout: Layout) throws {
    let cases: [([Int], [Int]?)] = [
      ([0], [0]), ([40], [0]), ([0], nil), ([0, 0], [0, 0]), ([0, 200], nil), ([0, 9, 0], [0, 0, 0]),
      // Transparency after another band is ignored.
      ([0, 0], [0, 2]),
    ]
    for (values, kinds) in cases {
      let canvas = try Self.canvas(layout, values, kinds)
      for (x, y, color) in Self.colors {
        #expect(TestImage.pixel(canvas, x, y) == color, "\(values) declared as \(String(describing: kinds))")
      }
    }
  }

  static let notes: [(bands: TIFFFile.Bands, note: String?)] = [
    (.init(), nil), (.init(values: [9], kinds: [2]), nil), (.init(values: [9], kinds: [1]), nil),
    (.init(values: [9], kinds: [0]), "the TIFF has 4 bands, of which only the first 3 are read"),
    (.init(values: [9]), "the TIFF has 4 bands, of which only the first 3 are read"),
    (.init(values: [9, 9], kinds: [2, 0]), "the TIFF has 5 bands, of which only the first 4 are read"),
    (
      .init(values: [9], bits: 16, isSeparate: true),
      "the TIFF has 4 bands, of which only the first 3 are read"
    ),
    // Grey with further bands; 5 is ink.
    (.init(values: [9], kinds: [0], colors: 1), "the TIFF has 4 bands, of which only the first is read"),
    (.init(values: [9], colors: 5), nil),
    (.init(values: [9, 9], colors: 5), "the TIFF has 5 bands, of which only the first 4 are read"),
  ]

  @Test func `bands that are ignored cause a note`() throws {
    for row in Self.notes {
      let bytes = TIFFFile.bytes(Self.size, bands: row.bands) { _, _ in RGB(1, 2, 3) }
      #expect(try EncodedImage(bytes: bytes, name: "x").decode().note == row.note, "\(row.bands)")
    }
  }

  @Test func `bands that libtiff does not read are an error that describes them`() {
    let cases: [(bands: TIFFFile.Bands, reason: String)] = [
      (.init(values: [0, 0], isSeparate: true, colors: 5), "CMYK with 5 bands of 8 bits"),
      (.init(values: [0, 0], bits: 16, isSeparate: true, colors: 5), "CMYK with 5 bands of 16 bits"),
    ]
    for row in cases {
      let bytes = TIFFFile.bytes(Self.size, bands: row.bands) { _, _ in RGB(1, 2, 3) }
      let error = imageError { () throws(ImageError) in
        try EncodedImage(bytes: bytes, name: "x").decode()
      }
      #expect(
        error?.description
          == "x: the TIFF uses a feature that libtiff does not support: \(row.reason), each in a plane of its own. "
          + "Convert the image to an ordinary 8-bit JPEG or PNG.")
    }
  }

  @Test(arguments: Layout.all)
  func `a band declared as transparency is blended over white`(_ layout: Layout) throws {
    for values in [[51], [51, 0], [51, 255, 0]] {
      let rest = Array(repeating: 0, count: values.count - 1)
      let plain = try Self.canvas(layout, values, [2] + rest)
      // 255 · 51 / 255 + 204, and 204 without a colour.
      #expect(TestImage.pixel(plain, 2, 2).distance(to: RGB(255, 204, 204)) <= 1)
      // The colours are already premultiplied.
      let multiplied = try Self.canvas(layout, values, [1] + rest)
      #expect(TestImage.pixel(multiplied, 2, 2).distance(to: RGB(255, 204, 204)) <= 1)
      #expect(TestImage.pixel(multiplied, 29, 21) == RGB(255, 255, 255))
    }
  }
}
