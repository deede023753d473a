// SPDX-License-Identifier: Apache-2.0

import CImages
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaImage

/// HEIC, AVIF, TIFF, GIF and BMP: behaviour that their libraries do not provide.
@Suite struct LibraryFormatTests {
  static let size = PixelSize(width: 32, height: 24)

  private static func expectQuarters(_ image: EncodedImage, _ label: String) throws {
    let canvas = try image.canvas()
    #expect(image.uprightSize == size && canvas.size == size, "\(label)")
    for (x, y, color) in [
      (2, 2, RGB(255, 0, 0)), (29, 2, RGB(0, 255, 0)), (2, 21, RGB(0, 0, 255)), (29, 21, RGB(255, 255, 255)),
    ] {
      #expect(TestImage.pixel(canvas, x, y) == color, "\(label) at \(x), \(y)")
    }
  }

  @Test(arguments: BitmapFile.all.indices)
  func `every kind of BMP has the same pixels`(_ index: Int) throws {
    let (name, file) = BitmapFile.all[index]
    let image = try EncodedImage(bytes: file.bytes, name: name)
    #expect(image.format == .bmp)
    try Self.expectQuarters(image, name)
  }

  @Test(arguments: BitmapFile.all.indices)
  func `a BMP that ends early is truncated, at any position`(_ index: Int) throws {
    let (name, file) = BitmapFile.all[index]
    let bytes = file.bytes
    // The end marker of runs may be missing once the last row is complete.
    for count in [18, 40, bytes.count / 2, bytes.count - 7] {
      let error = imageError { () throws(ImageError) in
        try EncodedImage(bytes: Array(bytes[..<count]), name: name).decode()
      }
      #expect(error?.code == .truncated, "\(name), \(count) of \(bytes.count): \(String(describing: error))")
    }
  }

  @Test func `a BMP may lack the padding of its last row`() throws {
    // 3 pixels of 24 bits are 9 bytes, stored as 12.
    var bytes = BitmapFile(bitsPerPixel: 24, row: { _, _ in [] }).bytes
    bytes.replaceSubrange(18..<26, with: BitmapFile.number(3) + BitmapFile.number(2))
    bytes += [UInt8](repeating: 90, count: 12 + 9)
    let canvas = try EncodedImage(bytes: bytes, name: "x").canvas()
    #expect(TestImage.pixel(canvas, 2, 0) == RGB(90, 90, 90))
    #expect(
      imageError { () throws(ImageError) in try EncodedImage(bytes: bytes.dropLast(), name: "x").decode() }?
        .code == .truncated)
  }

  // A gap before the pixels needs the offset of the file header.
  @Test(arguments: BitmapFile.all.indices.filter { BitmapFile.all[$0].file.gap == 0 })
  func `a BMP without its file header has the same pixels, and is truncated alike`(_ index: Int) throws {
    let name = BitmapFile.all[index].name
    var file = BitmapFile.all[index].file
    // OS/2's first header does not state the number of colours.
    if file.headerLength == 12, !file.palette.isEmpty {
      file.palette += [UInt8](repeating: 0, count: 256 * 4 - file.palette.count)
    }
    let bytes = Array(file.bytes.dropFirst(14))
    let image = try EncodedImage(bytes: bytes, name: name)
    #expect(image.format == .bmp)
    try Self.expectQuarters(image, name)
    for count in [20, 26, bytes.count / 2, bytes.count - 7] {
      let error = imageError { () throws(ImageError) in
        try EncodedImage(bytes: Array(bytes[..<count]), name: name).decode()
      }
      #expect(error?.code == .truncated, "\(name), \(count) of \(bytes.count): \(String(describing: error))")
    }
  }

  @Test func `the pixels of a BMP without its file header follow the colours for the screen`() throws {
    let file = try #require(BitmapFile.all.first { $0.name == "24 bits" }).file
    var bytes = Array(file.bytes.dropFirst(14))
    bytes.replaceSubrange(32..<36, with: BitmapFile.number(2))
    bytes.insert(contentsOf: [UInt8](repeating: 77, count: 8), at: 40)
    try Self.expectQuarters(try EncodedImage(bytes: bytes, name: "x"), "2 colours")
    // More colours than the file has.
    bytes.replaceSubrange(32..<36, with: BitmapFile.number(-1))
    let error = imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "x").decode() }
    #expect(error?.code == .truncated)
  }

  /// Transfer functions of AVIF and HEIC, and the names of those with a high dynamic range.
  static let transfers: [(UInt8, String?)] = [
    (16, "PQ"), (18, "HLG"),
    // BT.709, unspecified, linear, sRGB, BT.2020, SMPTE ST 428, and one that does not exist.
    (1, nil), (2, nil), (8, nil), (13, nil), (14, nil), (17, nil), (99, nil),
  ]

  @Test(arguments: transfers)
  func `a high dynamic range is noted`(_ transfer: UInt8, _ name: String?) throws {
    let note = name.map {
      "the image has a high dynamic range (\($0)), which is reduced to 8 bits without tone mapping"
    }
    for fixture in Fixture.formats where fixture.testDescription.hasPrefix("AVIF") {
      var bytes = fixture.bytes
      let profile = try #require(bytes.firstRange(of: Array("colrnclx".utf8))?.upperBound)
      // Two bytes each: primaries, transfer, matrix.
      bytes[profile + 3] = transfer
      let image = try EncodedImage(bytes: bytes, name: "x")
      #expect(try image.decode().note == note, "\(fixture)")
    }
  }

  struct TIFFCase: CustomTestStringConvertible {
    let orientation: Orientation
    let littleEndian: Bool
    let isTiled: Bool
    var testDescription: String {
      "\(orientation.name)\(littleEndian ? "" : " MM")\(isTiled ? " tiles" : "")"
    }
    static let all = Orientation.allCases.flatMap { orientation in
      [(true, false), (false, false), (true, true)].map {
        TIFFCase(orientation: orientation, littleEndian: $0.0, isTiled: $0.1)
      }
    }
  }

  @Test(arguments: TIFFCase.all)
  func `a TIFF is returned upright`(_ row: TIFFCase) throws {
    let stored = row.orientation.isTransposed ? Self.size.transposed : Self.size
    let upright = TestImage.quarters(Self.size)
    let bytes = TIFFFile.bytes(
      stored, orientation: row.orientation.exifValue, littleEndian: row.littleEndian, isTiled: row.isTiled
    ) { x, y in
      let box = row.orientation.uprightBox(
        fromStored: BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1), stored: stored)
      return TestImage.pixel(upright, Int(box.minX), Int(box.minY))
    }
    let image = try EncodedImage(bytes: bytes, name: "x")
    #expect(image.orientation == row.orientation && image.size == stored)
    try Self.expectQuarters(image, row.testDescription)
  }

  @Test func `a camera's raw photo is not mistaken for its preview`() {
    // DNGVersion; and a reduced image with sub-images.
    for extra in [[(50706, 1, 4, 0x0401)], [(254, 4, 1, 1), (330, 4, 1, 8)]] {
      let tags = extra.map { (tag: $0.0, type: $0.1, count: $0.2, value: $0.3) }
      let bytes = TIFFFile.bytes(Self.size, extra: tags) { _, _ in RGB(1, 2, 3) }
      let error = imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "x") }
      #expect(
        error?.description
          == "x: the TIFF uses a feature that libtiff does not support: a camera's raw photo. "
          + "Convert the image to an ordinary 8-bit JPEG or PNG.")
    }
  }

  @Test func `a frame beyond the GIF's screen enlarges the image, one inside it leaves white`() throws {
    var gif = try #require(Fixture.formats.first { $0.testDescription == "GIF" }).bytes
    let frame = try #require(gif.firstIndex(of: 0x2c))
    gif[6] = 16
    try Self.expectQuarters(try EncodedImage(bytes: gif, name: "x"), "larger frame")
    gif[6] = 40
    gif[frame + 1] = 8
    let canvas = try EncodedImage(bytes: gif, name: "x").canvas()
    #expect(canvas.size == PixelSize(width: 40, height: 24))
    #expect(TestImage.pixel(canvas, 7, 2) == RGB(255, 255, 255))
    #expect(TestImage.pixel(canvas, 8, 2) == RGB(255, 0, 0))
  }

  @Test(arguments: Fixture.formats)
  func `a file truncated anywhere in its pixels is an error that names it`(_ fixture: Fixture) {
    let bytes = fixture.bytes
    for sixteenth in 1..<15 {
      let error = imageError { () throws(ImageError) in
        try EncodedImage(bytes: Array(bytes[..<(bytes.count * sixteenth / 16)]), name: "cut").decode()
      }
      // A TIFF's directory may follow its pixels, and the second page the first.
      if fixture.testDescription == "TIFF of two pages" && sixteenth > 6 { continue }
      #expect(error != nil, "\(sixteenth)/16")
      #expect(error?.subject == "cut")
      #expect(
        [.truncated, .corrupt].contains(error?.code), "\(sixteenth)/16: \(String(describing: error))")
    }
  }

  @Test(arguments: Fixture.formats)
  func `limits hold before anything is decoded`(_ fixture: Fixture) {
    var limits = ImageLimits()
    limits.maxPixels = 32 * 24 - 1
    let error = imageError { () throws(ImageError) in
      try EncodedImage(bytes: fixture.bytes, name: "x", limits: limits)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == "the image has 768 pixels (32 × 24), 767 are allowed")
  }

  @Test(arguments: Fixture.formats)
  func `many threads decode at once`(_ fixture: Fixture) async throws {
    let image = try EncodedImage(bytes: fixture.bytes, name: "x")
    let reference = try image.decode().pixels(Self.size).bytes
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try EncodedImage(bytes: image.bytes, name: "x").decode().pixels(Self.size).bytes == reference
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }

  struct StatusCase: CustomTestStringConvertible {
    let testDescription: String
    let status: fovea_image_status
    let format: ImageFormat
    let text: String
    static let all = [
      StatusCase(
        testDescription: "no library", status: FOVEA_IMAGE_NO_LIBRARY, format: .heic,
        text: "x: HEIC needs libheif, which cannot be loaded: why. Install it: apt-get install libheif1."),
      StatusCase(
        testDescription: "no function", status: FOVEA_IMAGE_NO_SYMBOL, format: .tiff,
        text: "x: TIFF needs libtiff, which cannot be loaded: why. Install it: apt-get install libtiff6."),
      StatusCase(
        testDescription: "no library for BMP", status: FOVEA_IMAGE_NO_LIBRARY, format: .bmp,
        text: "x: BMP needs gdk-pixbuf, which cannot be loaded: why. "
          + "Install it: apt-get install libgdk-pixbuf-2.0-0."),
      StatusCase(
        testDescription: "no library for GIF", status: FOVEA_IMAGE_NO_LIBRARY, format: .gif,
        text: "x: GIF needs giflib, which cannot be loaded: why. Install it: apt-get install libgif7."),
      StatusCase(
        testDescription: "no codec", status: FOVEA_IMAGE_NO_CODEC, format: .avif,
        text: "x: the installed libheif has no decoder for this AVIF: why. "
          + "Install it: apt-get install libheif-plugin-dav1d."),
      StatusCase(
        testDescription: "not built", status: FOVEA_IMAGE_NOT_BUILT, format: .gif,
        text: "x: this build of Fovea does not support GIF: it was built without why. "
          + "Convert the image to an ordinary 8-bit JPEG or PNG."),
      StatusCase(
        testDescription: "no memory", status: FOVEA_IMAGE_NO_MEMORY, format: .gif,
        text: "x: no memory for 7 bytes of pixels. "
          + "Use a smaller image, fewer parallel jobs, or a machine with more memory."),
      StatusCase(
        testDescription: "too large", status: FOVEA_IMAGE_TOO_LARGE, format: .tiff,
        text: "x: the TIFF is beyond a limit of libtiff: why. "
          + "Open it in an image editor and save it again, smaller."),
    ]
  }

  @Test(arguments: StatusCase.all)
  func `a library's error becomes an error with a remedy`(_ row: StatusCase) {
    let library = ImageLibrary(format: row.format, name: "x", limits: ImageLimits())
    #expect(library.error(row.status, "why", byteCount: 7).description == row.text)
  }
}
