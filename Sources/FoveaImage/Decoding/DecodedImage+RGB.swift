// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension DecodedImage {
  /// A picture of one interleaved plane without gaps between rows; `scale` is decoded pixels per full pixel.
  static func rgb(of image: EncodedImage, size: PixelSize, memory: PixelMemory, scale: Double) -> DecodedImage
  {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: size.width * 3,
      width: Double(image.size.width) * scale, height: Double(image.size.height) * scale)
    return unsafe DecodedImage(of: image, size: size, layout: .rgb, planes: [plane], memory: memory)
  }

  /// A grey picture without gaps between rows, at full size.
  static func grey(of image: EncodedImage, memory: PixelMemory) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: image.size.width,
      width: Double(image.size.width), height: Double(image.size.height))
    return unsafe DecodedImage(of: image, size: image.size, layout: .grey, planes: [plane], memory: memory)
  }
}
