// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension BoundingBox {
  /// The upright box around this one, rotated around its middle.
  ///
  /// **Source:** Ultralytics, "Oriented Bounding Boxes Object Detection" of its documentation: the angle is in radians, of a
  /// box in pixels.
  func hull(rotatedBy angle: Float, _ head: YOLOHead, inPixels: Bool) -> BoundingBox {
    guard angle.isFinite, width > 0, height > 0 else { return self }
    let unitX = inPixels ? 1 : Double(head.inputWidth)
    let unitY = inPixels ? 1 : Double(head.inputHeight)
    let (cosine, sine) = (Double(abs(cos(angle))), Double(abs(sin(angle))))
    let hullWidth = (width * unitX * cosine + height * unitY * sine) / unitX
    let hullHeight = (width * unitX * sine + height * unitY * cosine) / unitY
    return BoundingBox(
      x: midX - hullWidth / 2, y: midY - hullHeight / 2, width: hullWidth, height: hullHeight)
  }
}
