// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaFlow

@Suite struct GreyPyramidTests {
  static func noise(_ size: PixelSize, seed: UInt64 = 1) throws -> (PixelBuffer, [[Int]]) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<size.area).map { _ in UInt8(generator.below(256)) }
    let rows = (0..<size.height).map { y in (0..<size.width).map { Int(bytes[y * size.width + $0]) } }
    return (try PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes), rows)
  }

  /// The reduction in plain arithmetic.
  static func halved(_ rows: [[Int]]) -> [[Int]] {
    let weights = [1, 4, 6, 4, 1]
    let (height, width) = (rows.count, rows[0].count)
    return (0..<(height + 1) / 2).map { y in
      (0..<(width + 1) / 2).map { x in
        var sum = 128
        for (j, vertical) in weights.enumerated() {
          for (i, horizontal) in weights.enumerated() {
            let row = rows[min(max(2 * y + j - 2, 0), height - 1)]
            sum += vertical * horizontal * row[min(max(2 * x + i - 2, 0), width - 1)]
          }
        }
        return sum / 256
      }
    }
  }

  /// A level without its margin.
  static func rows(_ pyramid: GreyPyramid, _ index: Int) throws -> [[Int]] {
    let level = pyramid.levels[index]
    let found = unsafe pyramid.withPixels { pixels in
      (0..<level.height).map { y in
        (0..<level.width).map { x in unsafe Int(pixels[level.origin + y * level.stride + x]) }
      }
    }
    return try #require(found)
  }

  @Test(
    "Each level is the previous one, filtered and halved",
    arguments: [(1, 1, 1), (2, 3, 1), (31, 31, 2), (64, 33, 2), (129, 130, 4), (640, 16, 1), (640, 32, 2)])
  func levels(width: Int, height: Int, count: Int) throws {
    let (buffer, rows) = try Self.noise(PixelSize(width: width, height: height))
    let pyramid = try GreyPyramid(buffer)
    #expect(pyramid.levels.count == count)
    #expect(pyramid.scale == 1)
    var expected = rows
    for index in 0..<count {
      #expect(try Self.rows(pyramid, index) == expected)
      expected = Self.halved(expected)
    }
  }

  @Test(
    "Large images start at a half, a quarter, an eighth",
    arguments: [(641, 20, 2), (1280, 9, 2), (9, 2561, 4), (5121, 6, 8), (1, 5200, 8)])
  func scales(width: Int, height: Int, scale: Int) throws {
    let (buffer, rows) = try Self.noise(PixelSize(width: width, height: height))
    let pyramid = try GreyPyramid(buffer)
    #expect(pyramid.scale == scale)
    var expected = rows
    for _ in 0..<scale.trailingZeroBitCount { expected = Self.halved(expected) }
    #expect(try Self.rows(pyramid, 0) == expected)
  }

  @Test("The margin repeats the nearest pixel")
  func margin() throws {
    let (buffer, rows) = try Self.noise(PixelSize(width: 21, height: 5))
    let pyramid = try GreyPyramid(buffer)
    let level = pyramid.levels[0]
    let isRepeated = unsafe pyramid.withPixels { pixels in
      (-16..<21).allSatisfy { y in
        (-16..<37).allSatisfy { x in
          unsafe Int(pixels[level.origin + y * level.stride + x])
            == rows[min(max(y, 0), 4)][min(max(x, 0), 20)]
        }
      }
    }
    #expect(isRepeated == true)
  }

  @Test("A refilled pyramid equals a new one, also after another size")
  func reuse() throws {
    var pyramid = GreyPyramid()
    #expect(pyramid.isEmpty)
    for (width, height, seed) in [(40, 30, 1), (40, 30, 2), (700, 20, 3), (40, 30, 4)] as [(Int, Int, UInt64)]
    {
      let (buffer, _) = try Self.noise(PixelSize(width: width, height: height), seed: seed)
      try pyramid.update(from: buffer)
      let fresh = try GreyPyramid(buffer)
      #expect(pyramid.size == buffer.size)
      #expect(!pyramid.isEmpty)
      for index in fresh.levels.indices {
        #expect(try Self.rows(pyramid, index) == Self.rows(fresh, index))
      }
    }
  }

  @Test("Pixels lent for a finished call are an error, and leave the pyramid empty")
  func expired() throws {
    let layout = try PixelLayout(.grey, size: PixelSize(width: 2, height: 1))
    let bytes: [UInt8] = [1, 2]
    let kept = try PixelBuffer.withBorrowed(layout, bytes: bytes.span) { $0 }
    var pyramid = try SyntheticImage().pyramid
    let error = #expect(throws: ImageError.self) { try pyramid.update(from: kept) }
    #expect(error?.code == .bufferExpired)
    #expect(pyramid.isEmpty)
    #expect(pyramid.size == PixelSize(width: 0, height: 0))
  }
}
