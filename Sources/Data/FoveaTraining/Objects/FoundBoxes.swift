// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// What a detector has found in an image.
struct FoundBoxes: Sendable, Equatable {
  /// One box, in pixels of the unrotated image.
  struct Box: Sendable, Equatable {
    var box: BoundingBox
    var score: Float
  }

  /// The size of the unrotated image.
  var size: PixelSize
  /// The boxes by falling score.
  var boxes: [Box]
}
