// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting

@testable import AppleShims

/// Red, green and blue of each pixel, three bytes each.
func colors(_ image: CGImage) throws(ImageError) -> [UInt8] { try colors(image.pixels()) }

/// An image in memory.
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

/// The error that a call throws; nil if it throws none.
func imageError(_ body: () throws(ImageError) -> some Any) -> ImageError? {
  do throws(ImageError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
