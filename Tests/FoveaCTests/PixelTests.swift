// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

/// The caller's pixels, in each order and starting at either end.
@Suite struct PixelTests {
  /// Kind, offsets of red, green and blue in a pixel, and its bytes.
  static let kinds: [(kind: Int32, format: PixelFormat, order: [Int], count: Int)] = [
    (3, .rgb, [0, 1, 2], 3), (4, .bgr, [2, 1, 0], 3), (5, .rgba, [0, 1, 2], 4), (6, .bgra, [2, 1, 0], 4),
  ]

  /// A photo's pixels: blue, green, red and an unused byte.
  static func canvas() throws -> (size: PixelSize, bgrx: [UInt8]) {
    let image = try EncodedImage(path: ResultTests.photos[6])
    let canvas = try image.canvas()
    let bytes = canvas.withUnsafeMutableBytes { bytes in
      (0..<canvas.size.height).flatMap { y in
        Array(bytes[y * canvas.bytesPerRow..<y * canvas.bytesPerRow + canvas.size.width * 4])
      }
    }
    return (canvas.size, bytes)
  }

  static func image(
    _ kind: (kind: Int32, format: PixelFormat, order: [Int], count: Int), padding: Int, isBottomUp: Bool
  ) throws -> CImage {
    let (size, bgrx) = try canvas()
    let stride = size.width * kind.count + padding
    var bytes = [UInt8](repeating: 0xa5, count: stride * (size.height - 1) + size.width * kind.count)
    for y in 0..<size.height {
      let row = isBottomUp ? size.height - 1 - y : y
      for x in 0..<size.width {
        for (color, place) in kind.order.enumerated() {
          bytes[row * stride + x * kind.count + place] = bgrx[(y * size.width + x) * 4 + 2 - color]
        }
      }
    }
    return CImage(
      kind: kind.kind, bytes: bytes, width: Int32(size.width), height: Int32(size.height),
      stride: Int64(isBottomUp ? -stride : padding == 0 ? 0 : stride),
      start: isBottomUp ? stride * (size.height - 1) : 0)
  }

  @Test func `each order, stride and direction gives Swift's results for the same pixels`() async throws {
    let analyzer = try CAnalyzer()
    let detector = try await ObjectDetector()
    let plain = try Self.image(Self.kinds[0], padding: 0, isBottomUp: false)
    let layout = try PixelLayout(.rgb, size: PixelSize(width: Int(plain.width), height: Int(plain.height)))
    let expected = try await detector.analyze(.pixels(PixelBuffer(layout, bytes: plain.bytes)))
    #expect(expected.objects.first?.labels.first?.text == "dog")
    for kind in Self.kinds {
      for (padding, isBottomUp) in [(0, false), (5, false), (0, true), (7, true)] {
        let image = try Self.image(kind, padding: padding, isBottomUp: isBottomUp)
        ResultTests.expect(try analyzer.find([image]), [expected])
      }
    }
  }

  @Test func `grey pixels give the results of Swift`() async throws {
    let (size, bgrx) = try Self.canvas()
    let grey = stride(from: 0, to: bgrx.count, by: 4).map { bgrx[$0 + 1] }
    let expected = try await ObjectDetector().analyze(
      .pixels(PixelBuffer(PixelLayout(.grey, size: size), bytes: grey)))
    let image = CImage(kind: 7, bytes: grey, width: Int32(size.width), height: Int32(size.height))
    ResultTests.expect(try CAnalyzer().find([image]), [expected])
  }
}
