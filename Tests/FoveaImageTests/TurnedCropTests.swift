// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// Rotated rectangles of images as tensors.
@Suite struct TurnedCropTests {
  static let size = PixelSize(width: 24, height: 20)
  static let frame = TestFrame.gradient(PixelSize(width: 90, height: 70))

  static func spec(_ sampling: ImageTensorSpec.Sampling, _ size: PixelSize = Self.size) -> ImageTensorSpec {
    var spec = ImageTensorSpec(size: size)
    spec.sampling = sampling
    spec.letterbox = Letterbox()
    return spec
  }

  static func tensor(
    of image: DecodedImage, _ crop: OrientedBox, _ spec: ImageTensorSpec, _ orientation: Orientation = .up
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 7, count: spec.byteCount)
    let scratch = TensorScratch()
    unsafe try bytes.withUnsafeMutableBytes { target in
      unsafe try image.write(crop: crop, upright: orientation, spec: spec, into: target, scratch: scratch)
    }
    return bytes
  }

  /// The same from the definition, with numbers of 64 bits: the mean of the four nearest pixels, those beyond
  /// the image being its outermost ones.
  static func expected(_ frame: TestFrame, _ crop: OrientedBox, _ spec: ImageTensorSpec) -> [Double] {
    var numbers: [Double] = []
    let (half, offset) = spec.sampling == .antialiased ? (0.5, -0.5) : (0, 0)
    for row in 0..<spec.size.height {
      for column in 0..<spec.size.width {
        let (u, v) = (
          ((Double(column) + half) / Double(spec.size.width) - 0.5) * crop.width,
          ((Double(row) + half) / Double(spec.size.height) - 0.5) * crop.height
        )
        let (cosine, sine) = (cos(crop.angle), sin(crop.angle))
        let x = min(max(crop.center.x + u * cosine - v * sine + offset, 0), Double(frame.size.width - 1))
        let y = min(max(crop.center.y + u * sine + v * cosine + offset, 0), Double(frame.size.height - 1))
        let (left, top) = (Int(x), Int(y))
        for channel in 0..<3 {
          func pixel(_ x: Int, _ y: Int) -> Double {
            let (x, y) = (min(x, frame.size.width - 1), min(y, frame.size.height - 1))
            return Double(frame.rgb[(y * frame.size.width + x) * 3 + channel])
          }
          let (right, low) = (x - Double(left), y - Double(top))
          let above = pixel(left, top) * (1 - right) + pixel(left + 1, top) * right
          let under = pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right
          numbers.append(above * (1 - low) + under * low)
        }
      }
    }
    return numbers
  }

  static func distance(_ bytes: [UInt8], _ numbers: [Double]) -> Double {
    bytes.count == numbers.count ? zip(bytes, numbers).map { abs(Double($0) - $1) }.max() ?? .nan : .nan
  }

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ angle: Double) -> OrientedBox
  {
    OrientedBox(center: PixelPoint(x: x, y: y), width: width, height: height, angle: angle)
  }

  static let crops = [
    box(45, 35, 24, 20, 0), box(40, 30, 50, 40, 0.5), box(44.3, 36.1, 20, 61, -2.4), box(30, 30, 9, 9, 3.1),
    // Beyond one edge, two, and all of them; and where the image is far away.
    box(5, 35, 40, 40, 1), box(88, 69, 50, 60, -0.3), box(45, 35, 300, 300, 0.7), box(400, -90, 30, 30, 2),
  ]

  @Test(arguments: crops, [ImageTensorSpec.Sampling.antialiased, .twoTaps])
  func `pixels are the means of their four neighbours, and the edge is repeated`(
    _ crop: OrientedBox, _ sampling: ImageTensorSpec.Sampling
  ) throws {
    let spec = Self.spec(sampling)
    let bytes = try Self.tensor(of: try Self.frame.buffer(FrameFormat.all[0]).decoded, crop, spec)
    #expect(Self.distance(bytes, Self.expected(Self.frame, crop, spec)) < 1)
  }

  @Test(arguments: FrameFormat.everywhere, Orientation.allCases)
  func `each format and orientation gives the same pixels`(
    _ format: FrameFormat, _ orientation: Orientation
  ) throws {
    let frame = format.isGrey ? Self.frame.grey : Self.frame
    let image = try frame.stored(as: orientation).buffer(format).decoded
    for crop in Self.crops.dropLast(2) {
      let spec = Self.spec(.twoTaps)
      let bytes = try Self.tensor(of: image, crop, spec, orientation)
      // Each chroma sample is that of four pixels.
      #expect(Self.distance(bytes, Self.expected(frame, crop, spec)) < (format.hasChroma ? 7 : 1), "\(crop)")
    }
  }

  @Test func `an upright crop without scaling is the image`() throws {
    let image = try Self.frame.buffer(FrameFormat.all[2]).decoded
    let spec = Self.spec(.antialiased, Self.frame.size)
    #expect(try Self.tensor(of: image, Self.box(45, 35, 90, 70, 0), spec) == Self.frame.rgb)
    // Half a turn reverses the pixels.
    let turned = try Self.tensor(of: image, Self.box(45, 35, 90, 70, .pi), spec)
    let reversed = stride(from: Self.frame.rgb.count - 3, through: 0, by: -3).flatMap {
      Self.frame.rgb[$0..<($0 + 3)]
    }
    #expect(zip(turned, reversed).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func `a smaller decoded image gives the same crop`() throws {
    let large = TestFrame.gradient(PixelSize(width: 800, height: 640))
    let canvas = TestImage.canvas(large.size) { x, y in
      let place = (y * 800 + x) * 3
      return RGB(Int(large.rgb[place]), Int(large.rgb[place + 1]), Int(large.rgb[place + 2]))
    }
    let encoded = try EncodedImage(bytes: canvas.encoded(as: .jpeg), name: "large")
    let image = try encoded.decode(scaledFor: .atLeast(PixelSize(width: 200, height: 160)))
    #expect(image.size.width < 800)
    let (crop, spec) = (Self.box(390, 300, 300, 280, 0.4), Self.spec(.twoTaps))
    let bytes = try Self.tensor(of: image, crop, spec)
    #expect(Self.distance(bytes, Self.expected(large, crop, spec)) < 6)
  }

  @Test(arguments: [
    box(1e300, 5, 10, 10, 0), box(5, -1e300, 1e300, 1e300, 1), box(5, 5, 1e-300, 1e-300, 1e9),
    box(-1e12, 1e12, 5, 1e15, 0.3), box(5, 5, 1.5e308, 1e308, 0.3), box(-1e308, 1e308, 1e308, 1e308, 0),
  ])
  func `a crop of any finite numbers is an image`(_ crop: OrientedBox) throws {
    let image = try Self.frame.buffer(FrameFormat.all[0]).decoded
    #expect(try Self.tensor(of: image, crop, Self.spec(.twoTaps)).count == Self.spec(.twoTaps).byteCount)
  }

  @Test(arguments: [
    box(5, 5, 0, 10, 0), box(5, 5, 10, -1, 0), box(.nan, 5, 10, 10, 0), box(5, 5, 10, 10, .infinity),
  ])
  func `an empty crop is an error`(_ crop: OrientedBox) throws {
    let image = try Self.frame.buffer(FrameFormat.all[0]).decoded
    let error = #expect(throws: ImageError.self) { try Self.tensor(of: image, crop, Self.spec(.twoTaps)) }
    #expect(error?.code == .emptyRegion && error?.message == "the rectangle \(crop) covers nothing")
  }
}
