// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// A box with precomputed values for comparison with many others.
struct AssociationBox: Sendable {
  var box: BoundingBox
  var grown: BoundingBox
  var area: Double
  var grownArea: Double
  /// The score of a detection, or the expected score of an object.
  var score: Double
  /// The class; −1 if there is none.
  var classIndex: Int

  init(_ box: BoundingBox, buffer: Double, score: Double, classIndex: Int?) {
    self.box = box
    grown = box.expanded(by: buffer)
    area = box.width * box.height
    grownArea = grown.width * grown.height
    self.score = score
    self.classIndex = classIndex ?? -1
  }

  /// Returns the height-modulated IoU: the IoU of the boxes times the IoU of their heights, 0…1.
  ///
  /// The heights distinguish people next to each other at different depths.
  ///
  /// **Source:** Yang et al., "Hybrid-SORT: Weak Cues Matter for Online Multi-Object Tracking", section 3.3.
  @inline(__always)
  static func heightModulatedIoU(
    _ first: BoundingBox, _ firstArea: Double, _ second: BoundingBox, _ secondArea: Double
  ) -> (iou: Double, modulated: Double) {
    let width = min(first.maxX, second.maxX) - max(first.minX, second.minX)
    let height = min(first.maxY, second.maxY) - max(first.minY, second.minY)
    guard width > 0, height > 0 else { return (0, 0) }
    let shared = width * height
    let iou = shared / (firstArea + secondArea - shared)
    let heights = height / (max(first.maxY, second.maxY) - min(first.minY, second.minY))
    return (iou, iou * heights)
  }
}
