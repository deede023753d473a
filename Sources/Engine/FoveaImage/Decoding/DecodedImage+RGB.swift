// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension DecodedImage {
  /// An image of one interleaved plane, without gaps between rows where `bytesPerRow` is not given.
  ///
  /// `factor` is given where each pixel stands for a square of `factor` pixels, so that the last ones may reach
  /// beyond the image; without it the image was stretched to `size`.
  static func rgb(
    of image: EncodedImage, size: PixelSize, memory: PixelMemory, bytesPerRow: Int? = nil,
    factor: Int? = nil, note: String? = nil
  ) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: bytesPerRow ?? size.width * 3,
      width: factor.map { Double(image.size.width) / Double($0) } ?? Double(size.width),
      height: factor.map { Double(image.size.height) / Double($0) } ?? Double(size.height))
    return unsafe DecodedImage(
      of: image, size: size, layout: .rgb, planes: [plane], memory: memory, note: note)
  }

  /// A grey image without gaps between rows, at full size.
  static func grey(of image: EncodedImage, memory: PixelMemory) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: image.size.width,
      width: Double(image.size.width), height: Double(image.size.height))
    return unsafe DecodedImage(of: image, size: image.size, layout: .grey, planes: [plane], memory: memory)
  }
}
