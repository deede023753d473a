// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct DecodingTests {
  static let size = PixelSize(width: 640, height: 480)

  @Test(arguments: [
    (300, 1), (193, 1), (192, 2), (97, 2), (96, 4), (49, 4), (48, 8), (1, 8), (0, 8), (.max, 1),
  ])
  func `a JPEG is decoded at the smallest size a quarter larger than requested`(
    _ side: Int, _ factor: Int
  ) throws {
    let bytes = try TestImage.quarters(Self.size).encoded(as: .jpeg)
    let image = try EncodedImage(bytes: bytes, name: "scaled")
    let decoded = try image.decode(scaledFor: .atLeast(PixelSize(width: side, height: side)))
    #expect(decoded.size == PixelSize(width: 640 / factor, height: 480 / factor))
    #expect(decoded.fullSize == Self.size)
    let tensor = try decoded.pixels(PixelSize(width: 8, height: 6))
    #expect(tensor[1, 1].distance(to: RGB(255, 0, 0)) <= 4)
    #expect(tensor[6, 1].distance(to: RGB(0, 255, 0)) <= 4)
    #expect(tensor[1, 4].distance(to: RGB(0, 0, 255)) <= 4)
    #expect(tensor[6, 4].distance(to: RGB(255, 255, 255)) <= 4)
  }

  @Test(arguments: [ImageFormat.jpeg, .webp])
  func `a reduced image whose sides no factor divides keeps its edges in place`(_ format: ImageFormat)
    throws
  {
    // One white column and row at the far edges must fill the same share of any tensor.
    let canvas = TestImage.canvas(PixelSize(width: 203, height: 107)) { x, y in
      x >= 101 || y >= 53 ? RGB(255, 255, 255) : RGB(0, 0, 0)
    }
    let image = try EncodedImage(bytes: canvas.encoded(as: format, quality: 95), name: "odd")
    let full = try image.decode().pixels(PixelSize(width: 10, height: 10))
    for factor in [2, 4, 8] {
      let least = PixelSize(width: 10 * 8 / factor, height: 10 * 8 / factor)
      let decoded = try image.decode(scaledFor: .atLeast(least))
      #expect(decoded.size.width == (203 + factor - 1) / factor)
      let reduced = try decoded.pixels(PixelSize(width: 10, height: 10))
      #expect(reduced.difference(to: full) < 6, "1/\(factor): \(reduced.difference(to: full))")
    }
  }

  @Test func `full size is full size`() throws {
    let bytes = try TestImage.quarters(Self.size).encoded(as: .jpeg)
    #expect(try EncodedImage(bytes: bytes, name: "full").decode(scaledFor: .full).size == Self.size)
  }

  @Test(arguments: ImageFormat.writable)
  func `an image of one pixel is decoded`(_ format: ImageFormat) throws {
    let canvas = TestImage.canvas(PixelSize(width: 1, height: 1)) { _, _ in RGB(90, 90, 90) }
    let image = try EncodedImage(bytes: canvas.encoded(as: format), name: "dot")
    let tensor = try image.decode(scaledFor: .atLeast(PixelSize(width: 3, height: 3))).pixels(
      PixelSize(width: 3, height: 3))
    #expect(tensor.bytes.allSatisfy { abs(Int($0) - 90) <= 2 })
    #expect(TestImage.pixel(try image.canvas(), 0, 0).distance(to: RGB(90, 90, 90)) <= 2)
  }

  @Test(arguments: ImageFormat.writable)
  func `encoded images round-trip`(_ format: ImageFormat) throws {
    let canvas = TestImage.canvas(PixelSize(width: 61, height: 45)) { x, y in RGB(4 * x, 5 * y, 128) }
    let back = try EncodedImage(bytes: canvas.encoded(as: format, quality: 95), name: "back").canvas()
    let tolerance = format == .png ? 0 : 12
    for y in 0..<45 {
      for x in 0..<61 {
        #expect(TestImage.pixel(back, x, y).distance(to: TestImage.pixel(canvas, x, y)) <= tolerance)
      }
    }
  }

  @Test(arguments: ImageFormat.writable)
  func `a file cut at any sixteenth is an error that names it`(_ format: ImageFormat) throws {
    let canvas = TestImage.canvas(PixelSize(width: 200, height: 150)) { x, y in
      RGB((x * 7 + y * 3) % 256, (x * y) % 256, (x ^ y) % 256)
    }
    let bytes = try canvas.encoded(as: format)
    for sixteenth in 0..<16 {
      let part = [UInt8](bytes.prefix(bytes.count * sixteenth / 16))
      let error = imageError { () throws(ImageError) in
        try EncodedImage(bytes: part, name: "cut").decode(
          scaledFor: .atLeast(PixelSize(width: 20, height: 20)))
      }
      #expect(error != nil, "\(sixteenth)/16")
      #expect(error?.subject == "cut")
      if sixteenth > 0 { #expect(error?.code == .truncated, "\(sixteenth)/16: \(String(describing: error))") }
    }
  }

  @Test func `a JPEG whose pixels stop early is truncated, even with an end marker`() throws {
    let canvas = TestImage.canvas(PixelSize(width: 200, height: 150)) { x, y in
      RGB((x * 7 + y * 3) % 256, (x * y) % 256, (x ^ y) % 256)
    }
    let bytes = try canvas.encoded(as: .jpeg)
    let image = try EncodedImage(bytes: Array(bytes[..<(bytes.count / 2)]) + [0xff, 0xd9], name: "half")
    let error = imageError { () throws(ImageError) in try image.decode() }
    #expect(error?.code == .truncated)
    #expect(
      error?.description
        == "half: the JPEG file ends before the image does, after \(image.byteCount) bytes. "
        + "Copy or download the file again.")
  }

  @Test func `a damaged JPEG does not spoil the decoder for the next one`() throws {
    let bytes = try TestImage.quarters(PixelSize(width: 40, height: 30)).encoded(as: .jpeg)
    let sound = try EncodedImage(bytes: bytes, name: "sound")
    let decoder = ImageDecoder()
    for index in 2..<bytes.count {
      for value in [0x00, 0x4d, 0xff] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        _ = imageError { () throws(ImageError) in
          try decoder.decode(EncodedImage(bytes: damaged, name: "damaged"))
        }
        let error = imageError { () throws(ImageError) in try decoder.decode(sound) }
        #expect(error == nil, "after byte \(index) became \(value): \(String(describing: error))")
        if error != nil { return }
      }
    }
  }

  @Test func `a JPEG with hundreds of scans is an error`() throws {
    let progressive = try #require(Fixture.all.first { $0.testDescription == "progressive JPEG" }).bytes
    let last = try #require(
      progressive.indices.dropLast().last { progressive[$0] == 0xff && progressive[$0 + 1] == 0xda })
    let scan = progressive[last..<progressive.count - 2]
    var bytes = Array(progressive[..<last])
    for _ in 0..<600 { bytes += scan }
    bytes += [0xff, 0xd9]
    let image = try EncodedImage(bytes: bytes, name: "scans")
    #expect(imageError { () throws(ImageError) in try image.decode() } != nil)
  }

  struct LimitCase: CustomTestStringConvertible {
    let testDescription: String
    let width: Int
    let height: Int
    let message: String
  }

  @Test(arguments: [
    LimitCase(
      testDescription: "pixels", width: 30_000, height: 30_000,
      message: "the image has 900000000 pixels (30000 × 30000), 200000000 are allowed"),
    LimitCase(
      testDescription: "side", width: 100_000, height: 1,
      message: "the image is 100000 × 1 pixels, the longest side allowed is 65535"),
    LimitCase(
      testDescription: "the largest size that a PNG can declare", width: 0x7fff_ffff, height: 0x7fff_ffff,
      message: "the image is 2147483647 × 2147483647 pixels, the longest side allowed is 65535"),
  ])
  func `a header over the limits is rejected before any pixel`(_ row: LimitCase) {
    let header = ExifInjection.bigEndian(row.width) + ExifInjection.bigEndian(row.height) + [8, 2, 0, 0, 0]
    let bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + ExifInjection.chunk("IHDR", header)
    let error = imageError { () throws(ImageError) in try EncodedImage(bytes: bytes, name: "bomb") }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == row.message)
  }

  @Test func `a JPEG header over a lowered limit is rejected`() throws {
    var bytes = try TestImage.quarters(PixelSize(width: 16, height: 16)).encoded(as: .jpeg)
    guard let frame = bytes.indices.dropLast().first(where: { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
    else {
      Issue.record("no frame header")
      return
    }
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x75, 0x30, 0x75, 0x30])
    var limits = ImageLimits()
    limits.maxPixels = 100_000_000
    let error = imageError { () throws(ImageError) in
      try EncodedImage(bytes: bytes, name: "bomb", limits: limits)
    }
    #expect(
      error?.description
        == "bomb: the image has 900000000 pixels (30000 × 30000), 100000000 are allowed. "
        + "Use a smaller image, or raise ImageLimits.maxPixels if you trust its source.")
  }

  @Test(arguments: [false, true])
  func `a JPEG whose scans cover many pixels again and again is rejected before decoding`(_ isLarge: Bool)
    throws
  {
    let fixture = try #require(Fixture.all.first { $0.testDescription == "progressive JPEG" })
    var bytes = fixture.bytes
    let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc2 })
    // 4,000 × 4,000 pixels, or its actual few.
    if isLarge { bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x0f, 0xa0, 0x0f, 0xa0]) }
    let scans = bytes.indices.dropLast().count { bytes[$0] == 0xff && bytes[$0 + 1] == 0xda }
    let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xff && bytes[$0 + 1] == 0xda })
    let scan = bytes[last..<bytes.count - 2]
    let end = bytes.suffix(2)
    bytes.removeLast(2)
    for _ in scans..<251 { bytes += scan }
    bytes += end
    let error = imageError { () throws(ImageError) in
      try EncodedImage(bytes: bytes, name: "bomb").decode(scaledFor: .atLeast(PixelSize(width: 9, height: 9)))
    }
    #expect((error?.code == .tooLarge) == isLarge)
    if isLarge {
      #expect(
        error?.message == "the JPEG has 251 scans of its 4000 × 4000 pixels, 62 are allowed")
    }
  }

  @Test func `data after a PNG's last row is not inflated without end`() throws {
    let header = ExifInjection.bigEndian(2) + ExifInjection.bigEndian(1) + [8, 0, 0, 0, 0]
    func png(behind count: Int) -> [UInt8] {
      var stream: [UInt8] = [0x78, 0x01]
      // Stored blocks: the row (filter byte and two pixels), then blocks of zeros that belong to no row.
      stream += [0, 3, 0, 0xfc, 0xff, 0, 10, 20]
      for _ in 0..<count { stream += [0, 0xff, 0xff, 0, 0] + [UInt8](repeating: 0, count: 0xffff) }
      stream += [1, 0, 0, 0xff, 0xff]
      // Adler-32 of 0, 10, 20 and the zeros: the sum stays 31, the sum of sums grows by it with each byte.
      let sums = (1 + 11 + 31 + 31 * 0xffff * count) % 65_521
      stream += [UInt8(sums >> 8), UInt8(sums & 0xff), 0, 31]
      return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + ExifInjection.chunk("IHDR", header)
        + ExifInjection.chunk("IDAT", stream) + ExifInjection.chunk("IEND", [])
    }
    #expect(
      imageError { () throws(ImageError) in
        try EncodedImage(bytes: png(behind: 1), name: "x").decode()
      } == nil)
    let error = imageError { () throws(ImageError) in
      try EncodedImage(bytes: png(behind: 8), name: "x").decode()
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message == "the PNG data is damaged: more compressed data than the image needs")
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: [
      "goldens/300x300_tfls_burger.png", "photos/tfls_burger.jpg",
    ])
  func `real images survive any single damaged byte`(_ path: String) throws {
    let original = try SharedData.bytes(path)
    var state: UInt64 = 42
    for _ in 0..<40 {
      var bytes = original
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int((state >> 33) % UInt64(bytes.count))] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
      _ = imageError { () throws(ImageError) in
        try EncodedImage(bytes: bytes, name: "damaged").decode(
          scaledFor: .atLeast(PixelSize(width: 50, height: 50)))
      }
    }
  }
}
