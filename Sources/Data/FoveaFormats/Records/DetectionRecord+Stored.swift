// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry

extension DetectionRecord.Findings {
  /// Returns the same findings with boxes and size in pixels of the stored image.
  package func stored() -> Self {
    guard space == .upright else { return self }
    let stored = orientation.uprightSize(ofStored: size)
    var turned = self
    turned.space = .stored
    turned.size = stored
    if case .objects(let objects) = content {
      turned.content = .objects(objects.map { $0.stored(orientation, stored: stored) })
    }
    return turned
  }
}

extension DetectedObject {
  /// Maps box and keypoints of the upright image to the pixels of the stored image.
  fileprivate func stored(_ orientation: Orientation, stored: PixelSize) -> DetectedObject {
    var object = self
    object.box = orientation.storedBox(fromUpright: box, stored: stored)
    object.keypoints = keypoints.map { orientation.storedPoint(fromUpright: $0, stored: stored) }
    return object
  }
}
