// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry

/// One frame with its objects, as every writer of `fovea track` needs it.
struct FrameRecord: Sendable, Equatable {
  /// The source, as the user named it.
  var source: String
  /// The number of the frame, from 1.
  var number: Int
  /// When the frame is shown, from the first one; nil where only detections are known and no frame rate.
  var seconds: Double?
  /// The frame's size in `space`; nil where only detections are known.
  var size: PixelSize?
  /// How the stored frame must be turned to be upright.
  var orientation = Orientation.up
  /// The pixels that boxes refer to.
  var space = Findings.Space.stored
  var objects: [DetectedObject]
  /// Whether the detector looked at this frame.
  var isDetected = true
  var timings = StageTimings()
  var tracking: Duration = .zero
  /// How often lines were crossed and zones entered so far; nil where nothing is counted.
  var counts: CountTable?

  /// The same with boxes and size in pixels of the upright frame.
  func upright() -> FrameRecord {
    guard space == .stored, let size else { return self }
    var turned = self
    turned.space = .upright
    turned.size = orientation.uprightSize(ofStored: size)
    for index in turned.objects.indices {
      turned.objects[index] = objects[index].upright(orientation, stored: size)
    }
    return turned
  }
}
