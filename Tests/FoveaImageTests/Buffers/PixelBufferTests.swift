// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

extension PixelBuffer {
  /// A tensor of plain bytes.
  func pixels(
    _ size: PixelSize, region: BoundingBox? = nil, scratch: TensorScratch = TensorScratch()
  ) throws(ImageError) -> TensorBytes {
    let spec = ImageTensorSpec(size: size)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: spec.byteCount, alignment: 64)
    defer { unsafe memory.deallocate() }
    try unsafe write(region: region, spec: spec, into: memory, scratch: scratch)
    return TensorBytes(size: size, bytes: unsafe [UInt8](memory))
  }
}

extension PixelCanvas {
  /// Blue, green and red of each pixel, without row padding.
  fileprivate var pixelBytes: [UInt8] {
    unsafe withUnsafeMutableBytes { bytes in
      (0..<size.height).flatMap { y in
        (0..<size.width).flatMap { x in
          (0..<3).map { unsafe bytes[y * bytesPerRow + x * 4 + $0] }
        }
      }
    }
  }
}

extension TestFrame {
  /// The same image as a file, for comparison with a buffer.
  func decodedFile() throws -> DecodedImage {
    let canvas = TestImage.canvas(size) { x, y in
      let at = (y * size.width + x) * 3
      return RGB(Int(rgb[at]), Int(rgb[at + 1]), Int(rgb[at + 2]))
    }
    return try EncodedImage(bytes: canvas.encoded(as: .png), name: "frame").decode()
  }
}

@Suite struct PixelBufferTests {
  /// Width and height of the image, and of the tensor: odd, even, one pixel, larger, smaller, much smaller.
  static let sizes: [(PixelSize, PixelSize)] = [
    (1, 1, 1, 1), (1, 1, 5, 3), (1, 2, 3, 2), (2, 1, 2, 3), (3, 3, 3, 3), (17, 9, 17, 9), (64, 48, 31, 33),
    (63, 47, 32, 24), (65, 33, 200, 150), (1, 77, 8, 8), (301, 199, 7, 5),
  ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.2, height: $0.3)) }

  /// Rounding luma and chroma to bytes costs up to half a level of each, which the matrix multiplies to 1.2
  /// of blue; at half the size, the chroma of an image that changes by 5 levels per pixel is off by another
  /// half at its edges.
  static func tolerance(_ format: FrameFormat) -> Double { format.hasChroma ? 1.5 : 0 }

  @Test(arguments: FrameFormat.everywhere)
  func `a buffer gives the same tensor as the image in a file`(_ format: FrameFormat) throws {
    for (size, tensor) in Self.sizes {
      let frame = TestFrame.gradient(size)
      let expected = try (format.isGrey ? frame.grey : frame).decodedFile().pixels(tensor)
      let found = try frame.buffer(format).pixels(tensor)
      let difference = found.difference(to: expected)
      #expect(difference <= Self.tolerance(format), "\(size) to \(tensor): \(difference)")
    }
  }

  @Test(arguments: FrameFormat.everywhere)
  func `gaps between rows and alpha have no influence`(_ format: FrameFormat) throws {
    for (size, tensor) in Self.sizes {
      let frame = TestFrame.gradient(size)
      let plain = try frame.buffer(format, poison: 255).pixels(tensor)
      for (padding, poison) in [(1, UInt8(0)), (7, 255), (64, 0x5a)] {
        let padded = try frame.buffer(format, padding: padding, poison: poison).pixels(tensor)
        #expect(padded.bytes == plain.bytes, "\(size), \(padding) bytes of \(poison)")
      }
    }
  }

  @Test(arguments: FrameFormat.everywhere)
  func `rows stored from last to first give the same image`(_ format: FrameFormat) throws {
    for (size, tensor) in Self.sizes {
      let frame = TestFrame.gradient(size)
      let plain = try frame.buffer(format)
      for padding in [0, 5] {
        let turned = try frame.bottomUpBuffer(format, padding: padding)
        #expect(turned.layout.isBottomUp)
        #expect(try turned.pixels(tensor).bytes == plain.pixels(tensor).bytes, "\(size), \(padding) bytes")
        #expect(try turned.canvas().pixelBytes == plain.canvas().pixelBytes, "\(size), \(padding) bytes")
      }
    }
  }

  @Test(arguments: FrameFormat.everywhere)
  func `eight orientations give the upright image`(_ format: FrameFormat) throws {
    let frame = TestFrame.gradient(PixelSize(width: 61, height: 40))
    let tensor = PixelSize(width: 30, height: 22)
    let expected = try frame.buffer(format).pixels(tensor)
    for orientation in Orientation.allCases {
      let buffer = try frame.stored(as: orientation).buffer(format, padding: 3, orientation: orientation)
      #expect(buffer.uprightSize == frame.size)
      // The last chroma column of an odd width moves by half a pixel when the image is mirrored.
      let found = try buffer.pixels(tensor)
      #expect(found.difference(to: expected) <= (format.hasChroma ? 1 : 0.1), "\(orientation)")
    }
  }

  @Test(arguments: FrameFormat.everywhere)
  func `a region is cut as from a file`(_ format: FrameFormat) throws {
    let frame = TestFrame.gradient(PixelSize(width: 81, height: 60))
    let file = try (format.isGrey ? frame.grey : frame).decodedFile()
    let tensor = PixelSize(width: 19, height: 23)
    for region in [
      BoundingBox(x: 10.5, y: 7.25, width: 31, height: 40),
      BoundingBox(x: 60, y: 40, width: 100, height: 100),
      BoundingBox(x: -20, y: -20, width: 41, height: 30),
    ] {
      let found = try frame.buffer(format, padding: 5).pixels(tensor, region: region)
      let expected = try file.pixels(tensor, region: region)
      #expect(found.difference(to: expected) <= (format.hasChroma ? 1.5 : 0), "\(region)")
    }
  }

  @Test(arguments: FrameFormat.everywhere)
  func `a canvas is the upright image at full size`(_ format: FrameFormat) throws {
    let frame = TestFrame.gradient(PixelSize(width: 61, height: 40))
    let expected = format.isGrey ? frame.grey.rgb : frame.rgb
    for orientation in Orientation.allCases {
      let buffer = try frame.stored(as: orientation).buffer(format, padding: 2, orientation: orientation)
      let found = TestFrame(try buffer.canvas())
      #expect(found.size == frame.size)
      let differences = zip(found.rgb, expected).map { abs(Int($0) - Int($1)) }
      // libyuv's matrix is off by two levels, and it takes the nearest chroma sample.
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean <= (format.hasChroma ? 2.5 : 0), "\(orientation): \(mean)")
    }
  }

  @Test(arguments: YUVEncoding.Matrix.allCases, YUVEncoding.Range.allCases)
  func `every colour converts as its standard defines it, within one level`(
    _ matrix: YUVEncoding.Matrix, _ range: YUVEncoding.Range
  ) throws {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let isFull = range == .full
    let encoding = YUVEncoding(matrix: matrix, range: range)
    let layout = try PixelLayout(.i420(encoding), size: PixelSize(width: 1, height: 1))
    let scratch = TensorScratch()
    let values: [UInt8] = [0, 1, 16, 61, 127, 128, 129, 190, 235, 240, 255]
    for y in values {
      for cb in values {
        for cr in values {
          let tensor = try PixelBuffer(layout, bytes: [y, cb, cr])
            .pixels(PixelSize(width: 1, height: 1), scratch: scratch)
          let luma = isFull ? Double(y) : (Double(y) - 16) * 255 / 219
          let u = (Double(cb) - 128) * (isFull ? 1 : 255 / 224)
          let v = (Double(cr) - 128) * (isFull ? 1 : 255 / 224)
          let red = luma + 2 * (1 - kr) * v
          let blue = luma + 2 * (1 - kb) * u
          let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
          for (value, exact) in zip(tensor.bytes, [red, green, blue]) {
            #expect(abs(Double(value) - min(max(exact, 0), 255)) < 0.6, "\((y, cb, cr)): \(tensor.bytes)")
          }
        }
      }
    }
  }

  @Test func `one scratch serves buffers of different formats and sizes in turn`() throws {
    let scratch = TensorScratch()
    for (size, tensor) in Self.sizes {
      for format in FrameFormat.everywhere {
        let buffer = try TestFrame.gradient(size).buffer(format)
        #expect(try buffer.pixels(tensor, scratch: scratch).bytes == buffer.pixels(tensor).bytes)
      }
    }
  }

  @Test func `the orientation of a buffer can be set after its creation`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 20, height: 10))
    var buffer = try frame.stored(as: .right).buffer(FrameFormat.everywhere[2])
    #expect(buffer.uprightSize == PixelSize(width: 10, height: 20))
    buffer.orientation = .right
    #expect(buffer.uprightSize == frame.size)
    #expect(try buffer.pixels(frame.size).bytes == frame.rgb)
  }
}
