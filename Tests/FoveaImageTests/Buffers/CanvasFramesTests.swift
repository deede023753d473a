// SPDX-License-Identifier: Apache-2.0

import CPixels
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaImage

@Suite struct CanvasFramesTests {
  /// A canvas with a colour for each pixel, and arbitrary fourth bytes.
  static func canvas(_ size: PixelSize, _ color: (Int, Int) -> (red: UInt8, green: UInt8, blue: UInt8))
    -> PixelCanvas
  {
    let canvas = PixelCanvas(size: size)
    let stride = canvas.bytesPerRow
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let color = color(x, y)
          for (index, value) in [color.blue, color.green, color.red, UInt8(x & 255)].enumerated() {
            unsafe bytes[y * stride + x * 4 + index] = value
          }
        }
      }
    }
    return canvas
  }

  static func noise(_ size: PixelSize) -> PixelCanvas {
    var random = SeededGenerator(seed: UInt64(size.width * 1000 + size.height))
    return canvas(size) { _, _ in
      (UInt8(random.below(256)), UInt8(random.below(256)), UInt8(random.below(256)))
    }
  }

  /// The three planes without gaps.
  static func planes(_ frame: PixelBuffer) throws -> [[UInt8]] {
    let counts = frame.layout.planeByteCounts
    return try unsafe frame.storage.withBases(name: "test") { bases in
      unsafe zip([bases.first, bases.second, bases.third], counts).map { base, count in
        unsafe [UInt8](UnsafeBufferPointer(start: base, count: count))
      }
    }
  }

  /// Luma, Cb and Cr as the standard defines them, before rounding.
  static func exact(_ encoding: YUVEncoding, _ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    let (kr, kb) = encoding.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let luma = kr * red + (1 - kr - kb) * green + kb * blue
    let (u, v) = ((blue - luma) / (2 - 2 * kb), (red - luma) / (2 - 2 * kr))
    if encoding.range == .full { return [luma, u + 128, v + 128].map { min($0, 255) } }
    return [luma * 219 / 255 + 16, u * 224 / 255 + 128, v * 224 / 255 + 128]
  }

  @Test(arguments: YUVEncoding.Matrix.allCases, YUVEncoding.Range.allCases)
  func `every colour converts as its standard defines it, within rounding`(
    _ matrix: YUVEncoding.Matrix, _ range: YUVEncoding.Range
  ) throws {
    let encoding = YUVEncoding(matrix: matrix, range: range)
    // Blocks of 2 × 2 pixels, 16 values of each component.
    func color(_ block: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
      (UInt8(block & 15) * 17, UInt8(block >> 4 & 15) * 17, UInt8(block >> 8) * 17)
    }
    let canvas = Self.canvas(PixelSize(width: 128, height: 256)) { x, y in color(x / 2 + y / 2 * 64 & 4095) }
    let planes = try Self.planes(CanvasFrames(encoding: encoding).frame(of: canvas))
    for block in 0..<4096 {
      let (x, y) = (block % 64, block / 64)
      let found = [planes[0][y * 256 + x * 2], planes[1][y * 64 + x], planes[2][y * 64 + x]]
      let (red, green, blue) = color(block)
      for (value, exact) in zip(found, Self.exact(encoding, Double(red), Double(green), Double(blue))) {
        #expect(abs(Double(value) - exact) < 0.52, "\((red, green, blue)): \(found)")
      }
    }
  }

  @Test func `black, white and greys have no colour`() throws {
    for matrix in YUVEncoding.Matrix.allCases {
      let canvas = Self.canvas(PixelSize(width: 256, height: 2)) { x, _ in (UInt8(x), UInt8(x), UInt8(x)) }
      let planes = try Self.planes(CanvasFrames(encoding: YUVEncoding(matrix: matrix)).frame(of: canvas))
      #expect(planes[0][0] == 16)
      #expect(planes[0][255] == 235)
      #expect((planes[1] + planes[2]).allSatisfy { $0 == 128 })
    }
  }

  static let sizes = [(1, 1), (2, 1), (1, 2), (3, 3), (15, 4), (16, 5), (17, 5), (33, 2), (64, 3), (79, 7)]

  @Test(arguments: sizes) func `chroma is the mean of two by two pixels, fewer at odd edges`(
    _ width: Int, _ height: Int
  ) throws {
    let size = PixelSize(width: width, height: height)
    let canvas = Self.noise(size)
    let encoding = YUVEncoding(matrix: .bt709)
    let planes = try Self.planes(CanvasFrames(encoding: encoding).frame(of: canvas))
    func pixel(_ x: Int, _ y: Int) -> [Double] {
      let at = min(y, height - 1) * canvas.bytesPerRow + min(x, width - 1) * 4
      return unsafe canvas.withUnsafeMutableBytes { bytes in [2, 1, 0].map { Double(unsafe bytes[at + $0]) } }
    }
    for y in 0..<height {
      for x in 0..<width {
        let color = pixel(x, y)
        let exact = Self.exact(encoding, color[0], color[1], color[2])
        #expect(abs(Double(planes[0][y * width + x]) - exact[0]) < 0.52)
        guard x.isMultiple(of: 2), y.isMultiple(of: 2) else { continue }
        let four = [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)]
        let mean = (0..<3).map { channel in four.reduce(0) { $0 + $1[channel] } / 4 }
        let chroma = Self.exact(encoding, mean[0], mean[1], mean[2])
        let at = y / 2 * ((width + 1) / 2) + x / 2
        #expect(abs(Double(planes[1][at]) - chroma[1]) < 0.52)
        #expect(abs(Double(planes[2][at]) - chroma[2]) < 0.52)
      }
    }
  }

  @Test(arguments: sizes) func `the generic kernel and the newer one give the same bytes`(
    _ width: Int, _ height: Int
  ) throws {
    let canvas = Self.noise(PixelSize(width: width, height: height))
    let fast = try Self.planes(CanvasFrames().frame(of: canvas))
    let half = (width + 1) / 2
    var plain = [[UInt8](repeating: 0, count: width * height)]
    plain += Array(repeating: [UInt8](repeating: 0, count: half * ((height + 1) / 2)), count: 2)
    var matrix = YUVEncoding().forwardMatrix
    for row in stride(from: 0, to: height, by: 2) {
      let low = min(row + 1, height - 1)
      var (top, bottom) = ([UInt8](repeating: 0, count: width), [UInt8](repeating: 0, count: width))
      var (u, v) = ([UInt8](repeating: 0, count: half), [UInt8](repeating: 0, count: half))
      unsafe canvas.withUnsafeMutableBytes { bytes in
        guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        unsafe fovea_luma_chroma_plain(
          base + row * canvas.bytesPerRow, base + low * canvas.bytesPerRow, &top, &bottom, &u, &v,
          Int32(width), &matrix)
      }
      plain[0].replaceSubrange(row * width..<(row + 1) * width, with: top)
      if low > row { plain[0].replaceSubrange(low * width..<(low + 1) * width, with: bottom) }
      plain[1].replaceSubrange(row / 2 * half..<(row / 2 + 1) * half, with: u)
      plain[2].replaceSubrange(row / 2 * half..<(row / 2 + 1) * half, with: v)
    }
    #expect(fast == plain)
  }

  @Test(arguments: [
    (640, 480, YUVEncoding.Matrix.bt601), (768, 432, .bt601), (1279, 719, .bt601), (1280, 544, .bt709),
    (1280, 720, .bt709), (720, 1280, .bt709), (3840, 2160, .bt709),
  ])
  func `the matrix is the usual one for the size`(_ width: Int, _ height: Int, _ matrix: YUVEncoding.Matrix) {
    let encoding = YUVEncoding.usual(forVideoOf: PixelSize(width: width, height: height))
    #expect(encoding == YUVEncoding(matrix: matrix, range: .video))
  }

  @Test func `memory is reused once the last copy of a frame is gone`() throws {
    let frames = CanvasFrames()
    let canvas = Self.noise(PixelSize(width: 20, height: 10))
    do {
      let first = try frames.frame(of: canvas)
      let second = try frames.frame(of: canvas)
      #expect(try Self.planes(first) == Self.planes(second))
      #expect(frames.idleCount == 0)
    }
    #expect(frames.idleCount == 2)
    var held = try (0..<20).map { _ in try frames.frame(of: canvas) }
    #expect(frames.idleCount == 0)
    held.removeAll()
    #expect(frames.idleCount == 8)
    _ = try frames.frame(of: Self.noise(PixelSize(width: 30, height: 10)))
    #expect(frames.idleCount == 1)
  }

  @Test func `a frame keeps its image when the canvas is drawn on again`() throws {
    let frames = CanvasFrames()
    let canvas = Self.noise(PixelSize(width: 20, height: 10))
    let frame = try frames.frame(of: canvas)
    let before = try Self.planes(frame)
    unsafe canvas.withUnsafeMutableBytes { unsafe _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
    let other = try frames.frame(of: canvas)
    #expect(try Self.planes(frame) == before)
    #expect(try Self.planes(other) != before)
  }

  @Test func `a holder copies frames of any orientation and reuses its canvas while sizes repeat`() throws {
    let holder = FrameCanvas()
    let frames = CanvasFrames()
    var last: PixelCanvas?
    for size in [PixelSize(width: 40, height: 30), PixelSize(width: 12, height: 50)] {
      for orientation in Orientation.allCases + [.up] {
        var frame = try frames.frame(of: Self.noise(size))
        frame.orientation = orientation
        let canvas = try holder.canvas(of: frame)
        let fresh = try frame.canvas()
        #expect(canvas.size == frame.uprightSize)
        #expect(Self.pixels(canvas) == Self.pixels(fresh), "\(orientation)")
        if let last, last.size == canvas.size { #expect(last === canvas) }
        last = canvas
      }
    }
  }

  @Test func `a canvas survives the conversion to a frame and back`() throws {
    let canvas = Self.canvas(PixelSize(width: 64, height: 48)) { x, y in
      (UInt8(x * 3), UInt8(y * 4), UInt8(255 - x * 2 - y))
    }
    for encoding in [YUVEncoding(matrix: .bt601), YUVEncoding(matrix: .bt709), .jpeg] {
      let back = try CanvasFrames(encoding: encoding).frame(of: canvas).canvas()
      let differences = zip(Self.pixels(canvas), Self.pixels(back)).map { abs(Int($0) - Int($1)) }
      #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 2.5)
    }
  }

  /// Blue, green and red of all pixels.
  private static func pixels(_ canvas: PixelCanvas) -> [UInt8] {
    let (size, stride) = (canvas.size, canvas.bytesPerRow)
    return unsafe canvas.withUnsafeMutableBytes { bytes in
      (0..<size.height).flatMap { y in
        (0..<size.width * 4).filter { $0 % 4 != 3 }.map { unsafe bytes[y * stride + $0] }
      }
    }
  }
}
