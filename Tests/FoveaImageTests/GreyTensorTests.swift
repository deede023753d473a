// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

/// Tensors with one channel.
@Suite struct GreyTensorTests {
  /// Grey values of colours from Pillow 13.0's `convert("L")`.
  static let luma: [(color: RGB, grey: UInt8)] = [
    (RGB(0, 0, 0), 0), (RGB(255, 255, 255), 255), (RGB(255, 0, 0), 76), (RGB(0, 255, 0), 150),
    (RGB(0, 0, 255), 29), (RGB(10, 20, 200), 38), (RGB(204, 102, 51), 127), (RGB(1, 1, 2), 1),
    (RGB(128, 128, 128), 128), (RGB(254, 255, 253), 254), (RGB(90, 7, 33), 35), (RGB(3, 199, 77), 126),
  ]

  static let size = PixelSize(width: 4, height: 3)

  static func image() throws -> DecodedImage {
    let bytes = try TestImage.canvas(size) { x, y in luma[y * 4 + x].color }.encoded(as: .png)
    return try EncodedImage(bytes: bytes, name: "colors").decode()
  }

  static func spec(_ type: ImageTensorSpec.ElementType, size: PixelSize = Self.size) -> ImageTensorSpec {
    ImageTensorSpec(size: size, elementType: type, channelOrder: .grey)
  }

  private static func floats(_ bytes: [UInt8]) -> [Float] {
    (0..<bytes.count / 4).map { index in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << (8 * UInt32($1)) })
    }
  }

  @Test func `grey values match Pillow's, as uint8, int8 and float32`() throws {
    let image = try Self.image()
    let expected = Self.luma.map(\.grey)
    #expect(Self.spec(.uint8).byteCount == 12)
    #expect(Self.spec(.float32).byteCount == 48)
    #expect(try image.tensor(Self.spec(.uint8)).bytes == expected)
    #expect(try image.tensor(Self.spec(.int8)).bytes == expected.map { $0 ^ 0x80 })
    #expect(try Self.floats(image.tensor(Self.spec(.float32)).bytes) == expected.map(Float.init))
  }

  @Test func `grey pixels are normalised and quantised`() throws {
    let image = try Self.image()
    var spec = Self.spec(.float32)
    spec.normalization = .init(mean: [127.5], standardDeviation: [127.5])
    let expected = Self.luma.map { (Float($0.grey) - 127.5) / 127.5 }
    #expect(try Self.floats(image.tensor(spec).bytes) == expected)
    spec.elementType = .uint8
    spec.quantization = .init(scale: 1 / 127.5, zeroPoint: 128)
    let bytes = try image.tensor(spec).bytes
    for (byte, value) in zip(bytes, expected) {
      #expect(abs(Float(byte) - (value * 127.5 + 128)) <= 0.51)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a rotated image has each pixel's brightness in its place`(_ orientation: Orientation) throws {
    let image = try Self.image()
    let size = orientation.uprightSize(ofStored: Self.size)
    let grey = try image.tensor(Self.spec(.uint8, size: size), upright: orientation).bytes
    let colors = try image.pixels(size, upright: orientation)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let known = Self.luma.first { $0.color == colors[x, y] }
        #expect(grey[y * size.width + x] == known?.grey, "\(x) \(y)")
      }
    }
  }

  @Test func `a grey buffer stays unchanged, next to the bars`() throws {
    let pixels: [UInt8] = [0, 7, 90, 255]
    let buffer = try PixelBuffer(PixelLayout(.grey, size: PixelSize(width: 4, height: 1)), bytes: pixels)
    var spec = Self.spec(.uint8, size: PixelSize(width: 4, height: 3))
    spec.letterbox = Letterbox(.center)
    var tensor = [UInt8](repeating: 1, count: spec.byteCount)
    _ = try unsafe tensor.withUnsafeMutableBytes { bytes throws(ImageError) in
      try unsafe buffer.write(spec: spec, into: bytes, scratch: TensorScratch())
    }
    let bar = [UInt8](repeating: 114, count: 4)
    #expect(tensor == bar + pixels + bar)
  }

  @Test func `three means for one channel are an error`() throws {
    var spec = Self.spec(.float32)
    spec.normalization = .init(mean: [1, 2, 3], standardDeviation: [1, 1, 1])
    let error = #expect(throws: ImageError.self) { try Self.image().tensor(spec) }
    #expect(
      error?.message == "the normalisation has 3 means and 3 deviations; grey pixels need 1 of each")
  }
}
