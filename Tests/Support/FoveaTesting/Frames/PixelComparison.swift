// SPDX-License-Identifier: Apache-2.0

public import FoveaImage

/// Red, green and blue of each pixel, three bytes each, upright.
public func colors(_ pixels: PixelBuffer) throws(ImageError) -> [UInt8] { TestFrame(try pixels.canvas()).rgb }

/// The mean difference of two images in levels; infinite if their sizes differ.
public func meanDifference(_ a: [UInt8], _ b: [UInt8]) -> Double {
  guard a.count == b.count, !a.isEmpty else { return .infinity }
  return Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
}

/// The largest difference of two images in levels; 255 if their sizes differ.
public func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard a.count == b.count else { return 255 }
  return zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
