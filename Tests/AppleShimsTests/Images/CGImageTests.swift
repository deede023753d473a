// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import AppleShims

@Suite struct CGImageTests {
  static let little = CGBitmapInfo.byteOrder32Little

  /// One reddish pixel, R 200, G 100, B 50, in a layout, and its bytes.
  struct LayoutCase: CustomTestStringConvertible {
    var alpha: CGImageAlphaInfo
    var order: CGBitmapInfo = []
    var bits = 32
    var bytes: [UInt8]
    var expected: [UInt8] = [200, 100, 50]
    var testDescription: String { "\(alpha), order \(order.rawValue >> 12), \(bytes)" }
  }

  @Test(arguments: [
    LayoutCase(alpha: .none, bits: 24, bytes: [200, 100, 50]),
    LayoutCase(alpha: .noneSkipLast, bytes: [200, 100, 50, 7]),
    LayoutCase(alpha: .noneSkipFirst, bytes: [7, 200, 100, 50]),
    LayoutCase(alpha: .noneSkipFirst, order: .byteOrder32Big, bytes: [7, 200, 100, 50]),
    LayoutCase(alpha: .noneSkipFirst, order: little, bytes: [50, 100, 200, 7]),
    LayoutCase(alpha: .noneSkipLast, order: little, bytes: [7, 50, 100, 200]),
    LayoutCase(alpha: .premultipliedLast, bytes: [200, 100, 50, 255]),
    LayoutCase(alpha: .premultipliedFirst, order: little, bytes: [50, 100, 200, 255]),
    LayoutCase(alpha: .last, bytes: [200, 100, 50, 255]),
    LayoutCase(alpha: .first, bytes: [255, 200, 100, 50]),
    // Half transparent, over black.
    LayoutCase(alpha: .last, bytes: [200, 100, 50, 128], expected: [100, 50, 25]),
    LayoutCase(alpha: .premultipliedLast, bytes: [100, 50, 25, 128], expected: [100, 50, 25]),
    // Colours cannot exceed the alpha they were multiplied by.
    LayoutCase(alpha: .premultipliedLast, bytes: [200, 50, 25, 128], expected: [128, 50, 25]),
    LayoutCase(alpha: .last, bytes: [200, 100, 50, 0], expected: [0, 0, 0]),
  ])
  func `pixels of every layout have their colours`(_ test: LayoutCase) throws {
    let info: CGBitmapInfo = [test.order, CGBitmapInfo(rawValue: test.alpha.rawValue)]
    let bitmap = try #require(image(1, 1, bitsPerPixel: test.bits, info: info, test.bytes))
    #expect(try colors(bitmap) == test.expected)
    #expect(bitmap.alphaInfo == test.alpha)
    #expect(bitmap.bitmapInfo == info)
    #expect(bitmap.bitsPerPixel == test.bits)
    #expect(bitmap.bitsPerComponent == 8)
    #expect(bitmap.colorSpace?.model == .rgb)
    #expect(bitmap.dataProvider?.data == Data(test.bytes))
  }

  @Test func `grey pixels and gaps between rows are read`() throws {
    let grey = try #require(
      image(
        2, 2, bitsPerPixel: 8, bytesPerRow: 5, space: CGColorSpaceCreateDeviceGray(),
        [10, 20, 99, 99, 99, 30, 40]))
    #expect(try colors(grey) == [10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40])
    #expect(grey.colorSpace?.model == .monochrome)
    #expect(grey.bytesPerRow == 5)
    let wide = try #require(
      image(1, 2, bytesPerRow: 4, [1, 2, 3, 99, 4, 5, 6]))
    #expect(try colors(wide) == [1, 2, 3, 4, 5, 6])
  }

  struct RefusedCase: CustomTestStringConvertible {
    var testDescription: String
    var width = 1
    var height = 1
    var component = 8
    var bits = 32
    var bytesPerRow = 4
    var space = CGColorSpaceCreateDeviceRGB()
    var info = CGBitmapInfo(alpha: .noneSkipLast)
    var count = 4
  }

  @Test(arguments: [
    RefusedCase(testDescription: "no width", width: 0),
    RefusedCase(testDescription: "no height", height: 0),
    RefusedCase(testDescription: "negative", width: -1),
    RefusedCase(testDescription: "hostile width", width: .max),
    RefusedCase(testDescription: "hostile height", height: .max),
    RefusedCase(testDescription: "hostile rows", bytesPerRow: .max),
    RefusedCase(testDescription: "negative rows", bytesPerRow: -4),
    RefusedCase(testDescription: "short rows", bytesPerRow: 3),
    RefusedCase(testDescription: "16 bits", component: 16),
    RefusedCase(testDescription: "wrong pixel", bits: 24),
    RefusedCase(testDescription: "too few bytes", count: 3),
    RefusedCase(testDescription: "no bytes", count: 0),
    RefusedCase(testDescription: "floats", info: [.floatComponents, CGBitmapInfo(alpha: .noneSkipLast)]),
    RefusedCase(
      testDescription: "16-bit order", info: [.byteOrder16Big, CGBitmapInfo(alpha: .noneSkipLast)]),
    RefusedCase(testDescription: "only alpha", bits: 8, info: CGBitmapInfo(alpha: .alphaOnly)),
    RefusedCase(testDescription: "unknown alpha", info: CGBitmapInfo(rawValue: 9)),
    RefusedCase(
      testDescription: "grey with 32 bits", space: CGColorSpaceCreateDeviceGray(),
      info: CGBitmapInfo(alpha: .none)),
  ])
  func `an impossible image is nil`(_ test: RefusedCase) throws {
    let provider = try #require(CGDataProvider(data: Data(count: test.count)))
    let bitmap = unsafe CGImage(
      width: test.width, height: test.height, bitsPerComponent: test.component, bitsPerPixel: test.bits,
      bytesPerRow: test.bytesPerRow, space: test.space, bitmapInfo: test.info, provider: provider,
      decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    #expect(bitmap == nil)
  }

  @Test func `a crop grows to whole pixels and is clipped at the edges`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 6, height: 4))
    let bitmap = try #require(image(6, 4, frame.rgb))
    func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> CGImage? {
      bitmap.cropping(to: CGRect(x: x, y: y, width: width, height: height))
    }
    func expected(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
      rows.flatMap { y in columns.flatMap { x in frame.rgb[(y * 6 + x) * 3..<(y * 6 + x) * 3 + 3] } }
    }
    #expect(try part(1, 1, 2, 2).map(colors) == expected(1..<3, 1..<3))
    #expect(try part(1.4, 1.9, 1, 0.2).map(colors) == expected(1..<3, 1..<3))
    #expect(try part(-5, -5, 7, 100).map(colors) == expected(0..<2, 0..<4))
    #expect(part(2, 3, 3, 1)?.width == 3)
    #expect(part(6, 0, 2, 2) == nil)
    #expect(part(-3, 0, 2, 2) == nil)
    #expect(part(.nan, 0, 2, 2) == nil)
    #expect(bitmap.cropping(to: .null) == nil)
    #expect(bitmap.cropping(to: .infinite)?.width == 6)
    let transparent = try #require(
      image(2, 1, bitsPerPixel: 32, info: CGBitmapInfo(alpha: .last), [200, 0, 0, 128, 9, 9, 9, 255]))
    let half = try #require(transparent.cropping(to: CGRect(x: 0, y: 0, width: 1, height: 1)))
    #expect(half.alphaInfo == .premultipliedFirst)
    #expect(try half.alpha?.bytes() == Data([128]))
  }

  @Test func `pixels of the package's type are used as stored`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 16, height: 8))
    for format in FrameFormat.all {
      let pixels = try frame.buffer(format, padding: 4, orientation: .left)
      let bitmap = try CGImage(pixels: pixels)
      #expect(bitmap.width == 16 && bitmap.height == 8)
      var stored = pixels
      stored.orientation = .up
      #expect(try colors(bitmap) == colors(stored), "\(format)")
    }
  }

  @Test func `colour spaces have their names, and unknown ones are rejected`() {
    #expect(CGColorSpace(name: CGColorSpace.sRGB)?.numberOfComponents == 3)
    #expect(CGColorSpace(name: CGColorSpace.linearGray)?.model == .monochrome)
    #expect(CGColorSpace(name: "no such space") == nil)
    #expect(CGColorSpaceCreateDeviceRGB().name == nil)
    #expect(CGImageAlphaInfo.noneSkipFirst.rawValue == 6)
  }
}
