// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Fovea
import FoveaGeometry

/// An object that a detector found, in the three coordinate spaces of results.
package struct FoundObject: Sendable, Hashable {
  /// The bounding box, in pixels of the stored image, top-left origin.
  package var frame: CGRect
  /// The bounding box, in pixels of the upright image, top-left origin.
  package var uprightFrame: CGRect
  /// The bounding box, as fractions of the stored image's width and height, 0…1.
  package var normalizedFrame: CGRect
  /// The labels, most confident first; empty if nothing labels it.
  package var labels: [FoundLabel]
  /// The identity, from 0 up; nil for single images.
  package var identity: Int?

  /// Creates an object from Fovea's.
  init(_ object: DetectedObject, size: PixelSize, orientation: Orientation, isClassifying: Bool) {
    frame = CGRect(object.box)
    uprightFrame = CGRect(orientation.uprightBox(fromStored: object.box, stored: size))
    let (width, height) = (Double(max(size.width, 1)), Double(max(size.height, 1)))
    normalizedFrame = CGRect(
      BoundingBox(
        minX: object.box.minX / width, minY: object.box.minY / height, maxX: object.box.maxX / width,
        maxY: object.box.maxY / height))
    labels = isClassifying ? object.labels.map(FoundLabel.init) : []
    identity = object.trackingID
  }
}

extension CGRect {
  fileprivate init(_ box: BoundingBox) {
    self.init(x: box.minX, y: box.minY, width: box.width, height: box.height)
  }
}
