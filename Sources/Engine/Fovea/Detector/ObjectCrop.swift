// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The crop of an object for a classifier, the same in training and detection.
package enum ObjectCrop {
  /// AutoML's name for the class of objects that belong to none of the others.
  package static let noneOfTheAbove = "None_of_the_above"

  /// The margin around a box on each side, as a fraction of its sides.
  private static let margin = 0.08
  /// The shortest side in pixels; smaller crops show too little.
  private static let leastSide = 16.0

  /// Returns the region of an image that shows the object in a box.
  /// - Parameters:
  ///   - box: The box in pixels of the unrotated image.
  ///   - size: The size of that image.
  /// - Returns: The box with its margin, in the same pixels, at least 16 × 16 within the image.
  package static func region(of box: BoundingBox, in size: PixelSize) -> BoundingBox {
    let grown = box.expanded(by: margin)
    let (width, height) = (max(grown.width, leastSide), max(grown.height, leastSide))
    return BoundingBox(
      x: box.midX - width / 2, y: box.midY - height / 2, width: width, height: height
    ).clamped(to: size)
  }
}
