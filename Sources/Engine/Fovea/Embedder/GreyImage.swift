// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// An image shrunk to a few grey pixels: what copies of a photo share, whatever their size and quality.
enum GreyImage {
  /// 9 × 8 pixels, as difference hashes compare them.
  private static let spec = ImageTensorSpec(size: PixelSize(width: 9, height: 8), channelOrder: .grey)

  /// The pixels of a region, upright, row by row.
  static func pixels(
    of image: DecodedImage, region: BoundingBox, scratch: TensorScratch
  ) throws(ImageError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: spec.byteCount)
    let written: Result<Void, ImageError> = unsafe pixels.withUnsafeMutableBytes { bytes in
      Result { () throws(ImageError) in
        unsafe try image.write(
          region: region, upright: image.orientation, spec: spec, into: bytes, scratch: scratch)
      }
    }
    try written.get()
    return pixels
  }
}
