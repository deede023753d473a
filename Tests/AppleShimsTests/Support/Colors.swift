// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting

@testable import AppleShims

/// Red, green and blue of each pixel, three bytes each.
func colors(_ image: CGImage) throws(ImageError) -> [UInt8] { try colors(image.pixels()) }

/// Red, green and blue of each pixel, three bytes each, upright.
func colors(_ pixels: PixelBuffer) throws(ImageError) -> [UInt8] { TestFrame(try pixels.canvas()).rgb }

/// The mean difference of two pictures in levels; infinite where their sizes differ.
func meanDifference(_ a: [UInt8], _ b: [UInt8]) -> Double {
  guard a.count == b.count, !a.isEmpty else { return .infinity }
  return Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
}

/// The largest difference of two pictures in levels; 255 where their sizes differ.
func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard a.count == b.count else { return 255 }
  return zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}

/// A picture in memory.
func image(
  _ width: Int, _ height: Int, bitsPerPixel: Int = 24, bytesPerRow: Int? = nil,
  space: CGColorSpace = CGColorSpaceCreateDeviceRGB(), info: CGBitmapInfo = [], _ bytes: [UInt8]
) -> CGImage? {
  guard let provider = CGDataProvider(data: Data(bytes) as CFData) else { return nil }
  return unsafe CGImage(
    width: width, height: height, bitsPerComponent: 8, bitsPerPixel: bitsPerPixel,
    bytesPerRow: bytesPerRow ?? width &* bitsPerPixel / 8, space: space, bitmapInfo: info, provider: provider,
    decode: nil, shouldInterpolate: true, intent: .defaultIntent)
}

/// The error that a call throws; nil where it throws none.
func imageError(_ body: () throws(ImageError) -> some Any) -> ImageError? {
  do throws(ImageError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
