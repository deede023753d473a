// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct EncodedImageTests {
  static let size = PixelSize(width: 48, height: 32)

  @Test(arguments: ImageFormat.writable)
  func `format and size are read from the bytes, not from the name`(_ format: ImageFormat) throws {
    let bytes = try TestImage.quarters(Self.size).encoded(as: format)
    let image = try EncodedImage(bytes: bytes, name: "image.txt")
    #expect(image.format == format)
    #expect(image.size == Self.size)
    #expect(image.uprightSize == Self.size)
    #expect(image.orientation == .up)
    #expect(image.name == "image.txt")
    #expect(image.byteCount == bytes.count)
  }

  @Test(arguments: ImageFormat.writable)
  func `a format outside the limits is rejected by name, whatever else is wrong`(
    _ format: ImageFormat
  ) throws {
    var limits = ImageLimits()
    limits.formats = Set(ImageFormat.allCases).subtracting([format])
    let whole = try TestImage.quarters(Self.size).encoded(as: format)
    for bytes in [whole, Array(whole.prefix(40))] {
      do {
        _ = try EncodedImage(bytes: bytes, name: "a", limits: limits)
        Issue.record("it was accepted")
      } catch {
        #expect(error.code == .formatOff && error.message.contains("a \(format) image"), "\(error)")
        #expect(!error.remedy.description.contains("\(format)"))
      }
    }
    limits.formats = [format]
    #expect(try EncodedImage(bytes: whole, name: "a", limits: limits).format == format)
    limits.formats = []
    #expect(throws: ImageError.self) { try EncodedImage(bytes: whole, name: "a", limits: limits) }
  }

  struct TurnCase: CustomTestStringConvertible {
    let format: ImageFormat
    let orientation: Orientation
    var testDescription: String { "\(format) \(orientation.name)" }
    static let all = ImageFormat.writable.flatMap { format in
      Orientation.allCases.map { TurnCase(format: format, orientation: $0) }
    }
  }

  @Test(arguments: TurnCase.all)
  func `the orientation is read from EXIF and the result is upright`(_ turn: TurnCase) throws {
    // Stored so that the orientation moves the quarters to their places.
    let stored = turn.orientation.isTransposed ? Self.size.transposed : Self.size
    let upright = TestImage.quarters(Self.size)
    let canvas = TestImage.canvas(stored) { x, y in
      let box = turn.orientation.uprightBox(
        fromStored: BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1), stored: stored)
      return TestImage.pixel(upright, Int(box.minX), Int(box.minY))
    }
    let plain = try canvas.encoded(as: turn.format, quality: 95)
    for littleEndian in [true, false] {
      let exif = ExifInjection.tiff(orientation: turn.orientation.exifValue, littleEndian: littleEndian)
      let bytes = ExifInjection.insert(exif, into: plain, turn.format)
      let image = try EncodedImage(bytes: bytes, name: "turned")
      #expect(image.orientation == turn.orientation)
      #expect(image.size == stored)
      #expect(image.uprightSize == Self.size)
      let tensor = try image.decode().pixels(PixelSize(width: 12, height: 8))
      let turned = try image.canvas()
      #expect(turned.size == Self.size)
      for (x, y, color) in [
        (1, 1, RGB(255, 0, 0)), (10, 1, RGB(0, 255, 0)), (1, 6, RGB(0, 0, 255)), (10, 6, RGB(255, 255, 255)),
      ] {
        #expect(tensor[x, y].distance(to: color) <= 12, "tensor at \(x), \(y): \(tensor[x, y])")
        let pixel = TestImage.pixel(turned, x * 4, y * 4)
        #expect(pixel.distance(to: color) <= 24, "canvas at \(x * 4), \(y * 4): \(pixel)")
      }
    }
  }

  struct ExifCase: CustomTestStringConvertible {
    let testDescription: String
    let block: [UInt8]
    let expected: Orientation
    static let all = [
      ExifCase(
        testDescription: "a LONG", block: ExifInjection.tiff(orientation: 6, type: 4), expected: .right),
      ExifCase(testDescription: "value 0", block: ExifInjection.tiff(orientation: 0), expected: .up),
      ExifCase(testDescription: "value 9", block: ExifInjection.tiff(orientation: 9), expected: .up),
      ExifCase(
        testDescription: "another tag", block: ExifInjection.tiff(orientation: 6, tag: 0x0113), expected: .up),
      ExifCase(
        testDescription: "a directory beyond the end",
        block: ExifInjection.tiff(orientation: 6, directory: 0x7fff_fff0),
        expected: .up),
      ExifCase(
        testDescription: "more entries than bytes",
        block: ExifInjection.tiff(orientation: 9, tag: 1, count: 65_535),
        expected: .up),
      ExifCase(testDescription: "no bytes", block: [], expected: .up),
      ExifCase(testDescription: "noise", block: [UInt8](repeating: 0x49, count: 40), expected: .up),
      ExifCase(
        testDescription: "cut in the entry", block: [UInt8](ExifInjection.tiff(orientation: 6).prefix(18)),
        expected: .up),
    ]
  }

  @Test(arguments: ExifCase.all)
  func `a broken EXIF block means upright`(_ row: ExifCase) throws {
    for format in ImageFormat.writable {
      let plain = try TestImage.quarters(Self.size).encoded(as: format)
      let image = try EncodedImage(bytes: ExifInjection.insert(row.block, into: plain, format), name: "exif")
      #expect(image.orientation == row.expected, "\(format)")
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `orientations of one photo give nearly the same upright tensor`() throws {
    for family in ["Landscape", "Portrait"] {
      let first = try Self.uprightTensor("exif/recurser/\(family)_1.jpg")
      for number in 2...8 {
        let difference = try Self.uprightTensor("exif/recurser/\(family)_\(number).jpg").difference(to: first)
        #expect(difference < 3, "\(family)_\(number) differs by \(difference) of 255")
      }
    }
  }

  private static func uprightTensor(_ path: String) throws -> TensorBytes {
    try EncodedImage(path: SharedData.path(path)).decode().pixels(PixelSize(width: 90, height: 90))
  }
}
