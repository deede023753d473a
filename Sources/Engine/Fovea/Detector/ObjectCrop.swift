// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// What a classifier is shown of an object whose name it learns, and later gives: the two have to be cut out alike.
package enum ObjectCrop {
  /// What AutoML calls the class of what shows none of the others.
  package static let noneOfTheAbove = "None_of_the_above"

  /// What is shown around a box, as a fraction of its sides on each side.
  private static let margin = 0.08
  /// The least side in pixels; less shows nothing.
  private static let leastSide = 16.0

  /// The part of an image that shows the object in a box.
  /// - Parameters:
  ///   - box: The box in pixels of the unrotated image.
  ///   - size: The size of that image.
  /// - Returns: The box with its margin, in the same pixels, at least 16 × 16 of them as far as the image reaches.
  package static func region(of box: BoundingBox, in size: PixelSize) -> BoundingBox {
    let grown = box.expanded(by: margin)
    let (width, height) = (max(grown.width, leastSide), max(grown.height, leastSide))
    return BoundingBox(
      x: box.midX - width / 2, y: box.midY - height / 2, width: width, height: height
    ).clamped(to: size)
  }
}
