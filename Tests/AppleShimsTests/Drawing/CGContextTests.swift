// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import AppleShims

@Suite struct CGContextTests {
  static let rgb = CGColorSpaceCreateDeviceRGB()

  /// A context with new memory.
  static func context(
    _ width: Int, _ height: Int, _ alpha: CGImageAlphaInfo = .noneSkipFirst, bytesPerRow: Int = 0,
    space: CGColorSpace = rgb
  ) -> CGContext? {
    unsafe CGContext(
      data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: bytesPerRow, space: space,
      bitmapInfo: alpha.rawValue)
  }

  /// The bytes of a context, without row padding.
  static func bytes(_ context: CGContext) -> [UInt8] {
    guard let data = unsafe context.data else { return [] }
    let count = context.width * context.bitsPerPixel / 8
    return (0..<context.height).flatMap { row in
      unsafe [UInt8](UnsafeRawBufferPointer(start: data + row * context.bytesPerRow, count: count))
    }
  }

  /// Red, green and blue of a context whose first byte of a pixel is unused or alpha.
  static func colors(_ context: CGContext) -> [UInt8] {
    bytes(context).enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
  }

  static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
  }

  @Test func `the interpreter guide reads red, green and blue at offsets 1 to 3, the top row first`() throws {
    // 2 × 2 pixels: red, green; blue, white.
    let bitmap = try #require(image(2, 2, [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]))
    let context = try #require(
      unsafe CGContext(
        data: nil, width: bitmap.width, height: bitmap.height, bitsPerComponent: 8,
        bytesPerRow: bitmap.width * 4, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue))
    context.draw(bitmap, in: CGRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
    guard let data = unsafe context.data else { throw CancellationError() }
    #expect(context.bytesPerRow == 8)
    var pixels: [[UInt8]] = []
    for offset in [0, 4, 8, 12] {
      pixels.append((1...3).map { unsafe data.load(fromByteOffset: offset + $0, as: UInt8.self) })
    }
    #expect(pixels == [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]])
  }

  @Test func `the program's memory is drawn into, with its row stride`() throws {
    let bitmap = try #require(image(1, 2, [1, 2, 3, 4, 5, 6]))
    var memory = [UInt8](repeating: 77, count: 12)
    unsafe try memory.withUnsafeMutableBytes { memory in
      let context = try #require(
        unsafe CGContext(
          data: memory.baseAddress, width: 1, height: 2, bitsPerComponent: 8, bytesPerRow: 6, space: Self.rgb,
          bitmapInfo: [.byteOrder32Little, CGBitmapInfo(alpha: .noneSkipFirst)]))
      let isSame = unsafe context.data == memory.baseAddress
      #expect(isSame)
      context.draw(bitmap, in: Self.rect(0, 0, 1, 2))
    }
    #expect(memory == [3, 2, 1, 255, 77, 77, 6, 5, 4, 255, 77, 77])
  }

  @Test func `the rectangle counts from the bottom, and parts outside are clipped`() throws {
    let bitmap = try #require(image(2, 2, [10, 0, 0, 20, 0, 0, 30, 0, 0, 40, 0, 0]))
    func reds(_ rect: CGRect) throws -> [UInt8] {
      let context = try #require(Self.context(3, 3))
      context.draw(bitmap, in: rect)
      return Self.colors(context).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    }
    #expect(try reds(Self.rect(0, 0, 2, 2)) == [0, 0, 0, 10, 20, 0, 30, 40, 0])
    #expect(try reds(Self.rect(1, 1, 2, 2)) == [0, 10, 20, 0, 30, 40, 0, 0, 0])
    #expect(try reds(Self.rect(-1, 2, 2, 2)) == [40, 0, 0, 0, 0, 0, 0, 0, 0])
    // Edges are rounded to whole pixels; a rectangle with negative sides is the same one.
    #expect(try reds(Self.rect(0.4, 0.4, 2, 2)) == [0, 0, 0, 10, 20, 0, 30, 40, 0])
    #expect(try reds(Self.rect(2, 2, -2, -2)) == [0, 0, 0, 10, 20, 0, 30, 40, 0])
    for nothing in [
      Self.rect(3, 0, 2, 2), Self.rect(0, -2, 2, 2), Self.rect(0, 0, 0, 2), .null, .infinite,
      Self.rect(.nan, 0, 2, 2), Self.rect(1e300, 1e300, 2, 2),
    ] {
      #expect(try reds(nothing).allSatisfy { $0 == 0 }, "\(nothing)")
    }
  }

  @Test func `a scaled image covers its rectangle with the mean of its pixels`() throws {
    let bitmap = try #require(image(4, 2, [0, 100, 0, 100, 200, 60, 40, 20].flatMap { [$0, $0, 0] }))
    let smaller = try #require(Self.context(1, 1))
    smaller.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    // The triangle weights the columns 5, 7, 7, 5 and both rows alike: 62.5, rounded down.
    #expect(Self.colors(smaller) == [62, 62, 0])
    let larger = try #require(Self.context(8, 4))
    larger.draw(bitmap, in: Self.rect(0, 0, 8, 4))
    #expect(Array(Self.colors(larger).prefix(3)) == [0, 0, 0])
    #expect(Array(Self.colors(larger).suffix(3)) == [20, 20, 0])
    #expect(Self.bytes(larger).count == 128)
  }

  @Test func `without interpolation the nearest pixel is used`() throws {
    let bitmap = try #require(image(2, 1, [10, 20, 30, 200, 100, 50]))
    let context = try #require(Self.context(5, 1))
    context.interpolationQuality = .none
    context.draw(bitmap, in: Self.rect(0, 0, 5, 1))
    #expect(Self.colors(context) == [10, 20, 30, 10, 20, 30, 200, 100, 50, 200, 100, 50, 200, 100, 50])
  }

  @Test(arguments: [0.37, 1.0, 2.3])
  func `a part of a scaled image equals that part of the whole`(_ factor: Double) throws {
    let frame = TestFrame.gradient(PixelSize(width: 61, height: 47))
    let bitmap = try #require(image(61, 47, frame.rgb))
    let (width, height) = ((61 * factor).rounded(), (47 * factor).rounded())
    let whole = try #require(Self.context(Int(width), Int(height)))
    whole.draw(bitmap, in: Self.rect(0, 0, width, height))
    let part = try #require(Self.context(9, 7))
    part.draw(bitmap, in: Self.rect(-5, -4, width, height))
    let all = Self.colors(whole)
    let expected = (0..<7).flatMap { y in
      let start = ((Int(height) - 11 + y) * Int(width) + 5) * 3
      return all[start..<start + 27]
    }
    #expect(Self.colors(part) == expected)
  }

  @Test func `tiles of a large context meet without a seam`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 40, height: 2))
    let bitmap = try #require(image(40, 2, frame.rgb))
    let context = try #require(Self.context(5000, 2))
    context.draw(bitmap, in: Self.rect(0, 0, 5000, 2))
    let all = Self.colors(context)
    let red = stride(from: 0, to: 15_000, by: 3).map { Int(all[$0]) }
    // The red of a gradient only rises, by less than one level per enlarged pixel.
    #expect(zip(red, red.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 <= 1 })
    #expect(red.last ?? 0 > (red.first ?? 0) + 100)
  }

  @Test func `transparent pixels show the background, black at first`() throws {
    let pixels: [UInt8] = [200, 100, 50, 128]
    let bitmap = try #require(
      image(1, 1, bitsPerPixel: 32, info: CGBitmapInfo(alpha: .last), pixels))
    let opaque = try #require(Self.context(1, 1))
    opaque.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(opaque) == [255, 100, 50, 25])
    opaque.setFillColor(gray: 1, alpha: 1)
    opaque.fill(Self.rect(0, 0, 1, 1))
    opaque.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(opaque) == [255, 227, 177, 152])
    let transparent = try #require(Self.context(1, 1, .premultipliedFirst))
    transparent.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(transparent) == [128, 100, 50, 25])
    transparent.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(transparent) == [192, 150, 75, 37])
    transparent.clear(Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(transparent) == [0, 0, 0, 0])
  }

  @Test func `grey contexts store luminance, grey images set it`() throws {
    let bitmap = try #require(image(1, 1, [200, 100, 50]))
    let grey = try #require(Self.context(1, 1, .none, space: CGColorSpaceCreateDeviceGray()))
    grey.draw(bitmap, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(grey) == [124])
    let back = try #require(grey.makeImage())
    #expect(back.bitsPerPixel == 8)
    let context = try #require(Self.context(1, 1, .noneSkipLast))
    context.draw(back, in: Self.rect(0, 0, 1, 1))
    #expect(Self.bytes(context) == [124, 124, 124, 255])
  }

  @Test func `filling rounds and clips; a colour out of range is clamped`() throws {
    let context = try #require(Self.context(2, 2))
    context.setFillColor(red: 2, green: 0.5, blue: .nan, alpha: 1)
    context.fill(Self.rect(0.6, -9, 40, 10))
    #expect(Self.colors(context) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 128, 0])
  }

  @Test func `an image of a context is a copy`() throws {
    let context = try #require(Self.context(2, 1))
    context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
    context.fill(Self.rect(0, 0, 2, 1))
    let bitmap = try #require(context.makeImage())
    context.clear(Self.rect(0, 0, 2, 1))
    #expect(try AppleShimsTests.colors(bitmap) == [255, 0, 0, 255, 0, 0])
    #expect(bitmap.alphaInfo == .noneSkipFirst)
  }

  @Test func `an image that cannot be decoded draws nothing, and the addition reports why`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 64, height: 64))
    let photo = UIImage(cgImage: try #require(image(64, 64, frame.rgb)))
    let data = try #require(photo.jpegData(compressionQuality: 1))
    let broken = try #require(UIImage(data: data.prefix(data.count - 200))?.cgImage)
    let context = try #require(Self.context(4, 4))
    context.draw(broken, in: Self.rect(0, 0, 4, 4))
    #expect(Self.bytes(context).allSatisfy { $0 == 0 })
    let error = imageError { () throws(ImageError) in
      try context.draw(checking: broken, in: Self.rect(0, 0, 4, 4))
    }
    #expect(error?.code == .truncated)
    #expect(broken.cropping(to: Self.rect(0, 0, 1, 1)) == nil)
  }

  @Test(
    arguments: [
      (0, 1, 8, 0, 6), (1, 0, 8, 0, 6), (-1, 1, 8, 0, 6), (.max, 1, 8, 0, 6), (1, .max, 8, 0, 6),
      (1, 1, 16, 0, 6), (1, 1, 8, 3, 6), (1, 1, 8, -4, 6), (1, 1, 8, .max, 6), (1, 1, 8, 0, 0),
      (1, 1, 8, 0, 3), (1, 1, 8, 0, 4), (1, 1, 8, 0, 7), (1, 1, 8, 0, 31), (1, 1, 8, 0, 6 | 1 << 12),
    ] as [(Int, Int, Int, Int, UInt32)])
  func `an impossible context is nil`(
    _ width: Int, _ height: Int, _ bits: Int, _ bytesPerRow: Int, _ info: UInt32
  ) {
    let context = unsafe CGContext(
      data: nil, width: width, height: height, bitsPerComponent: bits, bytesPerRow: bytesPerRow,
      space: Self.rgb, bitmapInfo: info)
    #expect(context == nil)
  }
}
