// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

@Suite struct LetterboxTensorTests {
  static let size = PixelSize(width: 64, height: 32)
  static func image() throws -> DecodedImage {
    let bytes = try TestImage.quarters(size).encoded(as: .png)
    return try EncodedImage(bytes: bytes, name: "quarters").decode()
  }

  static func spec(_ letterbox: Letterbox?, _ size: PixelSize) -> ImageTensorSpec {
    var spec = ImageTensorSpec(size: size)
    spec.letterbox = letterbox
    return spec
  }

  @Test(arguments: Orientation.allCases, [Letterbox.Placement.center, .topLeft])
  func `bars have their value, and the image is the same as without them`(
    _ orientation: Orientation, _ placement: Letterbox.Placement
  ) throws {
    let image = try Self.image()
    let tensor = PixelSize(width: 48, height: 48)
    let spec = Self.spec(Letterbox(placement, padding: 7), tensor)
    let written = try image.tensor(spec, upright: orientation)
    let bytes = TensorBytes(size: tensor, bytes: written.bytes)
    let upright = orientation.uprightSize(ofStored: Self.size)
    let content = PixelSize(width: upright.width * 3 / 4, height: upright.height * 3 / 4)
    let plain = try image.pixels(content, upright: orientation)
    let place = spec.place(
      of: BoundingBox(x: 0, y: 0, width: 64, height: 32), upright: orientation)
    #expect(place.image == content)
    for y in 0..<48 {
      for x in 0..<48 {
        let inside =
          x >= place.x && y >= place.y && x < place.x + content.width && y < place.y + content.height
        #expect(bytes[x, y] == (inside ? plain[x - place.x, y - place.y] : RGB(7, 7, 7)))
      }
    }
    // The whole tensor shows a square as wide as the image's longer side.
    #expect(written.region.width == 64 && written.region.height == 64)
    if placement == .center { #expect(written.region.minX == 0 && written.region.minY == -16) }
  }

  @Test func `without a letterbox, and if the shapes are equal, nothing differs`() throws {
    let image = try Self.image()
    let tensor = PixelSize(width: 32, height: 16)
    let plain = try image.tensor(Self.spec(nil, tensor))
    let boxed = try image.tensor(Self.spec(Letterbox(), tensor))
    #expect(plain.bytes == boxed.bytes)
    #expect(plain.region == boxed.region)
  }

  @Test func `a region beyond the image is cut before it is fitted`() throws {
    let image = try Self.image()
    let spec = Self.spec(Letterbox(.topLeft), PixelSize(width: 40, height: 40))
    let written = try image.tensor(spec, region: BoundingBox(x: 54, y: -20, width: 50, height: 40))
    // The rest is 10 × 20.
    #expect(written.region == BoundingBox(x: 54, y: 0, width: 20, height: 20))
    let bytes = TensorBytes(size: spec.size, bytes: written.bytes)
    #expect(bytes[5, 5] == RGB(0, 255, 0))
    #expect(bytes[19, 39].distance(to: RGB(255, 255, 255)) == 0)
    #expect(bytes[20, 5] == RGB(114, 114, 114))
  }

  @Test(
    arguments: [ImageTensorSpec.ElementType.uint8, .int8, .float32], [ImageTensorSpec.ChannelOrder.rgb, .bgr])
  func `planes hold the numbers of interleaved pixels`(
    _ type: ImageTensorSpec.ElementType, _ order: ImageTensorSpec.ChannelOrder
  ) throws {
    let image = try Self.image()
    for letterbox in [nil, Letterbox()] {
      var spec = ImageTensorSpec(
        size: PixelSize(width: 20, height: 16), elementType: type, channelOrder: order,
        normalization: .init(mean: [10, 20, 30], standardDeviation: [2, 3, 4]),
        quantization: .init(scale: 0.5, zeroPoint: 3))
      if type == .uint8 { spec.normalization = nil }
      spec.letterbox = letterbox
      let interleaved = try image.tensor(spec).bytes
      spec.layout = .planar
      let planar = try image.tensor(spec).bytes
      let bytes = type.byteCount
      for pixel in 0..<spec.size.area {
        for channel in 0..<3 {
          for byte in 0..<bytes {
            #expect(
              planar[(channel * spec.size.area + pixel) * bytes + byte]
                == interleaved[(pixel * 3 + channel) * bytes + byte])
          }
        }
      }
    }
  }
}
