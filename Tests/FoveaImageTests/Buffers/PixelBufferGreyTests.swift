// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct PixelBufferGreyTests {
  /// One pixel in the order of its format.
  static let interleaved: [(PixelFormat, [Int])] = [
    (.bgra, [2, 1, 0, 3]), (.rgba, [0, 1, 2, 3]), (.rgb, [0, 1, 2]), (.bgr, [2, 1, 0]),
  ]

  /// The grey pixels without row padding.
  static func grey(_ buffer: PixelBuffer, memory: inout [UInt8]) throws -> [UInt8] {
    let (width, height) = (buffer.size.width, buffer.size.height)
    return try unsafe buffer.withGreyPixels(memory: &memory) { base, stride in
      (0..<height).flatMap { y in (0..<width).map { x in unsafe base[y * stride + x] } }
    }
  }

  @Test("Colours become (77 R + 150 G + 29 B) ÷ 256 within one level, without gaps and alpha")
  func colours() throws {
    for (width, height) in [(1, 1), (17, 3), (64, 5), (131, 2)] {
      for (format, order) in Self.interleaved {
        for padding in [0, 5] {
          var generator = SeededGenerator(seed: UInt64(width))
          let stride = width * order.count + padding
          var bytes = [UInt8](repeating: 0xee, count: stride * height)
          var expected: [Int] = []
          for y in 0..<height {
            for x in 0..<width {
              let rgb = (0..<4).map { _ in generator.below(256) }
              for (place, channel) in order.enumerated() {
                bytes[y * stride + x * order.count + place] = UInt8(rgb[channel])
              }
              expected.append((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) >> 8)
            }
          }
          let layout = try PixelLayout(
            format, size: PixelSize(width: width, height: height), bytesPerRow: [stride])
          var memory: [UInt8] = []
          let found = try Self.grey(PixelBuffer(layout, bytes: bytes), memory: &memory)
          #expect(zip(found, expected).allSatisfy { (0...1).contains(Int($0) - $1) }, "\(format) \(width)")
          #expect(memory.count == width * height)
        }
      }
    }
  }

  @Test("Grey and YUV give their first plane in place, in any orientation")
  func planes() throws {
    let size = PixelSize(width: 7, height: 5)
    for (format, strides) in [
      (PixelFormat.grey, [9]), (.nv12(), [8, 8]), (.i420(), [10, 4, 5]),
      (.nv12(YUVEncoding(matrix: .bt709, range: .full)), [7, 8]),
    ] {
      let layout = try PixelLayout(format, size: size, bytesPerRow: strides)
      let bytes = (0..<layout.byteCount).map { UInt8(truncatingIfNeeded: $0 * 3) }
      for orientation in Orientation.allCases {
        let buffer = try PixelBuffer(layout, bytes: bytes, orientation: orientation)
        var memory: [UInt8] = []
        let found = try Self.grey(buffer, memory: &memory)
        #expect(found == (0..<5).flatMap { y in (0..<7).map { bytes[y * strides[0] + $0] } }, "\(format)")
        #expect(memory.isEmpty)
      }
    }
  }

  @Test("Memory that is large enough is reused")
  func reuse() throws {
    var memory = [UInt8](repeating: 1, count: 100)
    let layout = try PixelLayout(.rgb, size: PixelSize(width: 2, height: 2))
    let found = try Self.grey(PixelBuffer(layout, bytes: [UInt8](repeating: 200, count: 12)), memory: &memory)
    #expect(found == [200, 200, 200, 200])
    #expect(memory.count == 100)
    #expect(memory[4] == 1)
  }

  @Test("Pixels that were lent for a call that is over are an error")
  func expired() throws {
    let layout = try PixelLayout(.rgb, size: PixelSize(width: 1, height: 1))
    let bytes: [UInt8] = [1, 2, 3]
    let kept = try PixelBuffer.withBorrowed(layout, bytes: bytes.span) { $0 }
    var memory: [UInt8] = []
    let error = #expect(throws: ImageError.self) { _ = try Self.grey(kept, memory: &memory) }
    #expect(error?.code == .bufferExpired)
  }
}
