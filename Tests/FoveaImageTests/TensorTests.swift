// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

@Suite struct TensorTests {
  /// 4 × 2 pixels with known colours, lossless.
  static let size = PixelSize(width: 4, height: 2)
  static func color(_ x: Int, _ y: Int) -> RGB { RGB(10 + 60 * x, 20 + 100 * y, 200 - 40 * x - 10 * y) }
  static func small() throws -> DecodedImage {
    let bytes = try TestImage.canvas(size, color).encoded(as: .png)
    return try EncodedImage(bytes: bytes, name: "small").decode()
  }

  @Test func `a tensor of the image's size holds its pixels exactly, rows from the top`() throws {
    let tensor = try Self.small().pixels(Self.size)
    for y in 0..<2 {
      for x in 0..<4 { #expect(tensor[x, y] == Self.color(x, y)) }
    }
  }

  @Test func `the channel order is kept or reversed`() throws {
    let spec = ImageTensorSpec(size: Self.size, channelOrder: .bgr)
    let bytes = try Self.small().tensor(spec).bytes
    #expect(Array(bytes[0..<6]) == [200, 20, 10, 160, 20, 70])
  }

  @Test(arguments: Orientation.allCases)
  func `each orientation moves each pixel to its position`(_ orientation: Orientation) throws {
    let size = orientation.uprightSize(ofStored: Self.size)
    let tensor = try Self.small().pixels(size, upright: orientation)
    for y in 0..<2 {
      for x in 0..<4 {
        let box = orientation.uprightBox(
          fromStored: BoundingBox(x: Double(x), y: Double(y), width: 1, height: 1), stored: Self.size)
        #expect(tensor[Int(box.minX), Int(box.minY)] == Self.color(x, y))
      }
    }
  }

  struct NumberCase: CustomTestStringConvertible {
    let testDescription: String
    let spec: ImageTensorSpec
    /// The converted red, green and blue of the first pixel (10, 20, 200).
    let expected: [Double]

    static func spec(
      _ type: ImageTensorSpec.ElementType, _ normalization: ImageTensorSpec.Normalization? = nil,
      _ quantization: ImageTensorSpec.Quantization? = nil
    ) -> ImageTensorSpec {
      ImageTensorSpec(
        size: TensorTests.size, elementType: type, normalization: normalization, quantization: quantization)
    }
    static let half = ImageTensorSpec.Normalization(mean: [127.5], standardDeviation: [127.5])
    static let three = ImageTensorSpec.Normalization(mean: [10, 0, 100], standardDeviation: [1, 2, 50])
    static let all: [NumberCase] = [
      NumberCase(testDescription: "uint8", spec: spec(.uint8), expected: [10, 20, 200]),
      NumberCase(testDescription: "int8", spec: spec(.int8), expected: [-118, -108, 72]),
      NumberCase(testDescription: "float", spec: spec(.float32), expected: [10, 20, 200]),
      NumberCase(
        testDescription: "float −1…1", spec: spec(.float32, half),
        expected: [-117.5 / 127.5, -107.5 / 127.5, 72.5 / 127.5]),
      NumberCase(testDescription: "float by channel", spec: spec(.float32, three), expected: [0, 10, 2]),
      NumberCase(
        testDescription: "uint8 quantised",
        spec: spec(.uint8, .init(mean: [100], standardDeviation: [50]), .init(scale: 0.04, zeroPoint: 120)),
        expected: [75, 80, 170]),
      NumberCase(
        testDescription: "uint8 identity",
        spec: spec(
          .uint8, .init(mean: [0], standardDeviation: [255]),
          .init(scale: 1 / 255, zeroPoint: 0)), expected: [10, 20, 200]),
      NumberCase(
        testDescription: "int8 identity",
        spec: spec(
          .int8, .init(mean: [0], standardDeviation: [1]),
          .init(scale: 1, zeroPoint: -128)), expected: [-118, -108, 72]),
      NumberCase(
        testDescription: "int8 clamps",
        spec: spec(
          .int8, .init(mean: [0], standardDeviation: [1]),
          .init(scale: 0.5, zeroPoint: 0)), expected: [20, 40, 127]),
    ]
  }

  @Test(arguments: NumberCase.all)
  func `pixels become the model's numbers`(_ row: NumberCase) throws {
    let bytes = try Self.small().tensor(row.spec).bytes
    let values: [Double] = (0..<3).map { index in
      func word() -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << (8 * UInt32($1)) } }
      return switch row.spec.elementType {
      case .uint8: Double(bytes[index])
      case .int8: Double(Int8(bitPattern: bytes[index]))
      case .int32: Double(Int32(bitPattern: word()))
      case .float32: Double(Float(bitPattern: word()))
      }
    }
    for (value, expected) in zip(values, row.expected) { #expect(abs(value - expected) < 1e-6, "\(values)") }
  }

  struct RegionCase: CustomTestStringConvertible {
    let testDescription: String
    let region: BoundingBox
    let used: BoundingBox
    let color: RGB
  }

  @Test(arguments: [
    RegionCase(
      testDescription: "inside", region: BoundingBox(x: 4, y: 2, width: 8, height: 6),
      used: BoundingBox(x: 4, y: 2, width: 8, height: 6), color: RGB(255, 0, 0)),
    RegionCase(
      testDescription: "beyond the right and bottom edge",
      region: BoundingBox(x: 40, y: 30, width: 100, height: 100),
      used: BoundingBox(x: 40, y: 30, width: 24, height: 18), color: RGB(255, 255, 255)),
    RegionCase(
      testDescription: "beyond the left edge", region: BoundingBox(x: -50, y: 26, width: 60, height: 10),
      used: BoundingBox(x: 0, y: 26, width: 10, height: 10), color: RGB(0, 0, 255)),
    RegionCase(
      testDescription: "fractional, a part of one pixel",
      region: BoundingBox(x: 40.25, y: 2.5, width: 0.5, height: 0.25),
      used: BoundingBox(x: 40.25, y: 2.5, width: 0.5, height: 0.25), color: RGB(0, 255, 0)),
    RegionCase(
      testDescription: "huge, around a corner",
      region: BoundingBox(minX: 32, minY: -1e300, maxX: 1e300, maxY: 24),
      used: BoundingBox(x: 32, y: 0, width: 32, height: 24),
      color: RGB(0, 255, 0)),
  ])
  func `a region is cut at the image's edge and nothing outside it bleeds in`(_ row: RegionCase) throws {
    let canvas = TestImage.quarters(PixelSize(width: 64, height: 48))
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "quarters").decode()
    let spec = ImageTensorSpec(size: PixelSize(width: 5, height: 5))
    let (bytes, used) = try image.tensor(spec, region: row.region)
    #expect(used == row.used)
    let tensor = TensorBytes(size: spec.size, bytes: bytes)
    for y in 0..<5 {
      for x in 0..<5 { #expect(tensor[x, y] == row.color) }
    }
  }

  @Test(arguments: [
    BoundingBox(x: 64, y: 0, width: 5, height: 5), BoundingBox(x: -5, y: 0, width: 5, height: 5),
    BoundingBox(x: 3, y: 3, width: 0, height: 5), BoundingBox(minX: .nan, minY: 0, maxX: 5, maxY: 5),
    BoundingBox(minX: 9, minY: 0, maxX: 5, maxY: 5),
  ])
  func `a region without a pixel of the image is an error`(_ region: BoundingBox) throws {
    let canvas = TestImage.quarters(PixelSize(width: 64, height: 48))
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "quarters").decode()
    let error = imageError { () throws(ImageError) in
      try image.pixels(PixelSize(width: 5, height: 5), region: region)
    }
    #expect(error?.code == .emptyRegion)
  }

  struct InvalidCase: CustomTestStringConvertible {
    let testDescription: String
    let spec: ImageTensorSpec
    var spareBytes = 0
  }

  @Test(arguments: [
    InvalidCase(testDescription: "no pixels", spec: ImageTensorSpec(size: PixelSize(width: 0, height: 5))),
    InvalidCase(testDescription: "one byte more", spec: ImageTensorSpec(size: size), spareBytes: 1),
    InvalidCase(testDescription: "one byte less", spec: ImageTensorSpec(size: size), spareBytes: -1),
    InvalidCase(
      testDescription: "two means",
      spec: NumberCase.spec(.float32, .init(mean: [1, 2], standardDeviation: [1]))),
    InvalidCase(
      testDescription: "deviation 0",
      spec: NumberCase.spec(.float32, .init(mean: [1], standardDeviation: [0]))),
    InvalidCase(
      testDescription: "mean not a number",
      spec: NumberCase.spec(.float32, .init(mean: [.nan], standardDeviation: [1]))),
    InvalidCase(testDescription: "no quantisation", spec: NumberCase.spec(.uint8, NumberCase.half)),
    InvalidCase(
      testDescription: "scale 0",
      spec: NumberCase.spec(.uint8, NumberCase.half, .init(scale: 0, zeroPoint: 0))),
  ])
  func `a tensor with an invalid description is an error`(_ row: InvalidCase) throws {
    let image = try Self.small()
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: row.spec.byteCount + row.spareBytes, alignment: 64)
    defer { unsafe memory.deallocate() }
    let error = imageError { () throws(ImageError) in
      try unsafe image.write(spec: row.spec, into: memory, scratch: TensorScratch())
    }
    #expect(error?.code == .invalidTensor)
  }

  @Test(arguments: [1, 2, 3, 7, 16, 31, 32, 33, 63, 64, 65, 100])
  func `a flat image stays flat at any size`(_ side: Int) throws {
    for value in [0, 1, 127, 254, 255] {
      let canvas = TestImage.canvas(PixelSize(width: 37, height: 200)) { _, _ in RGB(value, value, value) }
      let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "flat").decode()
      let tensor = try image.pixels(PixelSize(width: side, height: 2))
      #expect(tensor.bytes.allSatisfy { Int($0) == value })
    }
  }

  @Test func `a hundredfold reduction is the average, also in the kernel for many taps`() throws {
    // Stripes of 0 and 255: any single pixel would be far from 127.5.
    let canvas = TestImage.canvas(PixelSize(width: 1_000, height: 1_000)) { x, y in
      let value = (x + y) % 2 * 255
      return RGB(value, value, value)
    }
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "stripes").decode()
    for side in [2, 10, 40] {
      let tensor = try image.pixels(PixelSize(width: side, height: side))
      #expect(tensor.bytes.allSatisfy { abs(Int($0) - 127) <= 2 })
    }
  }

  @Test func `one scratch serves images and tensors of different sizes in turn`() throws {
    let scratch = TensorScratch()
    let large = try EncodedImage(
      bytes: TestImage.quarters(PixelSize(width: 400, height: 300)).encoded(as: .jpeg), name: "large"
    ).decode()
    let small = try Self.small()
    for side in [50, 3, 90] {
      let spec = ImageTensorSpec(size: PixelSize(width: side, height: side))
      for image in [small, large, small] {
        #expect(try image.tensor(spec, scratch: scratch).bytes == image.tensor(spec).bytes)
      }
    }
  }
}
