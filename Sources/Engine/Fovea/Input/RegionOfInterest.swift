// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// Checks a region of interest against the image.
enum RegionOfInterest {
  /// The part of the image to process, in stored pixels.
  /// - Throws: `optionInvalid` for a region without area, or one that lies outside the image.
  static func resolve(_ region: BoundingBox?, in image: OpenedImage) throws(FoveaError) -> BoundingBox {
    let size = image.size
    guard let region else {
      return BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }
    let clipped = region.clamped(to: size)
    // A region of less than a pixel shows nothing.
    guard !region.isEmpty, clipped.width >= 1, clipped.height >= 1 else {
      var error = FoveaError.optionInvalid(
        "the region \(region) covers no pixel of the image, which is \(size)",
        remedy: "Give a region in pixels of the stored image, at least one pixel inside it")
      error.subject = image.name
      throw error
    }
    return clipped
  }
}
