// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaImage

/// HEIC and AVIF files whose frames, tiles or transparency are larger than the header declares.
@Suite struct HEIFPixelsTests {
  static let size = PixelSize(width: 100, height: 100)

  static func error(_ bytes: [UInt8], _ limits: ImageLimits = ImageLimits()) -> ImageError? {
    imageError { () throws(ImageError) in
      try HEIFPixels.check(bytes, size: size, .avif, name: "x", limits: limits)
    }
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// The message; nil if the file is accepted.
    let message: String?
    let file: HEIFFile

    init(_ name: String, _ message: String?, _ items: HEIFFile.Item...) {
      testDescription = name
      self.message = message
      file = HEIFFile(items)
    }
  }

  private static func av1(_ data: [UInt8], configuration: [UInt8] = []) -> HEIFFile.Item {
    HEIFFile.Item(configuration: ("av1C", [0x81, 0, 0, 0] + configuration), data: data)
  }

  private static func hevc(_ units: [UInt8], data: [UInt8] = []) -> HEIFFile.Item {
    HEIFFile.Item(
      kind: "hvc1", configuration: ("hvcC", HEIFFile.configuration(units)),
      data: data.isEmpty ? [] : HEIFFile.number(data.count, 4) + data)
  }

  private static func tile(_ side: Int) -> HEIFFile.Item {
    var tile = av1(HEIFFile.av1(side, side))
    tile.declared = PixelSize(width: side, height: side)
    return tile
  }

  private static func grid(_ width: Int, _ height: Int, _ parts: [Int]) -> HEIFFile.Item {
    HEIFFile.Item(
      kind: "grid", declared: PixelSize(width: width, height: height), data: HEIFFile.grid(width, height),
      isInItemData: true, parts: parts)
  }

  private static func with(
    _ item: HEIFFile.Item, _ change: (inout HEIFFile.Item) -> Void
  ) -> HEIFFile.Item {
    var item = item
    change(&item)
    return item
  }

  private static func mismatch(_ coded: String) -> String {
    "the AVIF data is damaged: the header declares 100 × 100 pixels, the data has \(coded)"
  }

  static let cases: [Case] = [
    Case("AVIF", nil, av1(HEIFFile.av1(100, 100))),
    Case("AVIF with padding", nil, av1(HEIFFile.av1(192, 104))),
    Case("AVIF with too much padding", mismatch("193 × 100"), av1(HEIFFile.av1(193, 100))),
    Case("AVIF of 8192 × 8192", mismatch("8192 × 8192"), av1(HEIFFile.av1(8192, 8192))),
    Case(
      "AVIF of 16000 × 16000", "the image has 256000000 pixels (16000 × 16000), 200000000 are allowed",
      av1(HEIFFile.av1(16000, 16000))),
    Case(
      "AVIF with a long side", "the image is 65536 × 16 pixels, the longest side allowed is 65535",
      av1(HEIFFile.av1(65536, 16))),
    Case("in av1C", mismatch("900 × 100"), av1([], configuration: HEIFFile.av1(900, 100))),
    Case(
      "in the second header of two", mismatch("100 × 900"),
      av1(HEIFFile.av1(100, 100) + [0x32, 0x01, 0x00] + HEIFFile.av1(100, 900))),
    Case("in a full header", mismatch("1234 × 567"), av1(HEIFFile.av1(1234, 567, isFull: true))),
    Case("full header", nil, av1(HEIFFile.av1(100, 100, isFull: true))),
    Case("in idat", mismatch("900 × 100"), with(av1(HEIFFile.av1(900, 100))) { $0.isInItemData = true }),
    Case("in three extents", mismatch("900 × 100"), with(av1(HEIFFile.av1(900, 100))) { $0.extents = 3 }),
    Case("without a declared size", nil, with(av1(HEIFFile.av1(900, 100))) { $0.declared = nil }),
    Case(
      "large without a declared size",
      "the AVIF data is damaged: the header declares 100 × 100 pixels, its parts have 16000000 pixels",
      with(av1(HEIFFile.av1(4000, 4000))) { $0.declared = nil }),
    Case("HEIC", nil, hevc(HEIFFile.hevc(128, 104))),
    Case("HEIC of 8192 × 8192", mismatch("8192 × 8192"), hevc(HEIFFile.hevc(8192, 8192))),
    Case("HEIC with layers", mismatch("8192 × 4096"), hevc(HEIFFile.hevc(8192, 4096, layers: 3))),
    Case(
      "HEIC with a huge size",
      "the image is 1000000 × 2000000 pixels, the longest side allowed is 65535",
      hevc(HEIFFile.hevc(1_000_000, 2_000_000))),
    Case(
      "in the HEIC's data", mismatch("8192 × 104"),
      hevc(HEIFFile.hevc(104, 104), data: HEIFFile.hevc(8192, 104))),
    Case(
      "in another layer of the HEIC, which is not decoded", nil,
      hevc(HEIFFile.hevc(104, 104), data: HEIFFile.hevc(8192, 104, layerID: 1))),
    Case("grid", nil, grid(1000, 900, [2, 2, 2, 2]), tile(512)),
    Case("small grid of a large tile", nil, grid(100, 100, [2]), tile(1024)),
    Case(
      "small grid of a huge tile",
      "the AVIF data is damaged: the header declares 100 × 100 pixels, its parts have 16777216 pixels",
      grid(100, 100, [2]), tile(4096)),
    Case(
      "grid of one tile, 256 times", "the parts of the image have 4294967296 pixels, 200000000 are allowed",
      grid(100, 100, Array(repeating: 2, count: 256)), tile(4096)),
    Case(
      "grids in grids", "the parts of the image have 1152921504606846976 pixels, 200000000 are allowed",
      grid(100, 100, Array(repeating: 2, count: 9000)), grid(100, 100, Array(repeating: 3, count: 9000)),
      grid(100, 100, Array(repeating: 4, count: 9000)), grid(4096, 4096, Array(repeating: 5, count: 9000)),
      tile(4096)),
    Case(
      "grid with a larger canvas", mismatch("8000 × 8000"),
      with(grid(100, 100, [2])) { $0.data = HEIFFile.grid(8000, 8000) }, tile(512)),
    Case(
      "tile that is larger than declared", mismatch("8192 × 8192"), grid(100, 100, [2]),
      av1(HEIFFile.av1(8192, 8192))),
    Case("transparency", nil, av1(HEIFFile.av1(100, 100)), with(tile(100)) { $0.companionOf = 1 }),
    Case(
      "large transparency", "the parts of the image have 256010000 pixels, 200000000 are allowed",
      av1(HEIFFile.av1(100, 100)), with(tile(16000)) { $0.companionOf = 1 }),
    Case(
      "transparency of a tile", "the parts of the image have 4298178560 pixels, 200000000 are allowed",
      grid(100, 100, Array(repeating: 2, count: 256)), tile(112), with(tile(4096)) { $0.companionOf = 2 }),
    Case(
      "an item that refers to itself",
      "the AVIF data is damaged: its items refer to each other in a circle, or in more than 16 levels",
      grid(100, 100, [1])),
    Case(
      "two items that refer to each other",
      "the AVIF data is damaged: its items refer to each other in a circle, or in more than 16 levels",
      grid(100, 100, [2, 2]), grid(100, 100, [1, 1])),
    Case(
      "more references than a photo has", "the AVIF has more than 65536 references between its items",
      grid(100, 100, Array(repeating: 3, count: 40_000)), grid(9, 9, Array(repeating: 3, count: 40_000)),
      tile(64)),
    Case("an item that does not exist", nil, grid(100, 100, [9])),
    Case("another item that is never decoded", nil, av1(HEIFFile.av1(100, 100)), tile(16000)),
    Case("another codec", nil, HEIFFile.Item(kind: "jpeg", data: [0xff, 0xd8])),
  ]

  @Test(arguments: HEIFPixelsTests.cases)
  func `sizes of frames and tiles are compared with the header before decoding`(_ row: Case) {
    #expect(Self.error(row.file.bytes)?.message == row.message)
  }

  @Test func `the padding of tiles does not count against the limit`() {
    // A photo of 50 megapixels in 192 tiles of 512 pixels, with transparency.
    var limits = ImageLimits()
    limits.maxPixels = 8160 * 6120
    let tiles = Array(repeating: 2, count: 16 * 12)
    let transparency = Self.with(Self.grid(8160, 6120, tiles)) { $0.companionOf = 1 }
    let photo = HEIFFile([Self.grid(8160, 6120, tiles), Self.tile(512), transparency])
    #expect(Self.error(photo.bytes, limits) == nil)
    limits.maxPixels -= 1
    #expect(
      Self.error(photo.bytes, limits)?.message
        == "the image has 49939200 pixels (8160 × 6120), 49939199 are allowed")
  }

  @Test func `a file truncated anywhere, or with any byte changed, is read without a crash`() {
    let files = [
      HEIFFile([Self.av1(HEIFFile.av1(100, 100, isFull: true), configuration: HEIFFile.av1(100, 100))]),
      HEIFFile([Self.hevc(HEIFFile.hevc(104, 104, layers: 2), data: HEIFFile.hevc(104, 104))]),
      HEIFFile([
        Self.grid(100, 100, [2, 2]), Self.tile(64), Self.with(Self.tile(100)) { $0.companionOf = 1 },
      ]),
    ]
    for bytes in files.map(\.bytes) {
      #expect(Self.error(bytes) == nil)
      for count in 0..<bytes.count { _ = Self.error(Array(bytes[..<count])) }
      for index in bytes.indices {
        for value: UInt8 in [0, 1, 0x7f, 0xff] {
          var changed = bytes
          changed[index] = value
          _ = Self.error(changed)
        }
      }
    }
  }

  @Test(
    arguments: [
      [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 7], [0xff, 0xff, 0xff, 0xff],
      [0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ] as [[UInt8]])
  func `boxes with impossible lengths end the file`(_ head: [UInt8]) {
    let bytes = HEIFFile([Self.av1(HEIFFile.av1(8192, 8192))]).bytes
    #expect(Self.error(bytes + head)?.message == Self.mismatch("8192 × 8192"))
    #expect(Self.error(head + Array("free".utf8) + bytes) == nil)
  }

  @Test func `an AVIF whose frame is larger than its header is rejected when it is opened`() throws {
    let fixture = try #require(Fixture.formats.first { $0.testDescription == "AVIF" }).bytes
    // Its sequence header, of 8 bytes, declares 32 × 24 pixels.
    let start = try #require(
      fixture.indices.first { Array(fixture[$0...].prefix(4)) == [0x0a, 0x08, 0x38, 0x11] })
    let header = HEIFFile.bits(
      [(1, 3), (1, 1), (1, 1), (0, 5), (13, 4), (13, 4), (15999, 14), (15999, 14), (0, 18)])
    #expect(header.count == 8)
    var bytes = fixture
    bytes.replaceSubrange(start + 2..<start + 10, with: header)
    let error = imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "x") }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == "the image has 256000000 pixels (16000 × 16000), 200000000 are allowed")
  }
}
