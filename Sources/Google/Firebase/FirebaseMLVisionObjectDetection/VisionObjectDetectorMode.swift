// SPDX-License-Identifier: Apache-2.0

/// How the images that a detector is given belong together.
public enum VisionObjectDetectorMode: Int, Sendable {
  /// Each image for itself; objects have no tracking ids.
  case singleImage = 0
  /// Frames of one stream in their order; objects keep their tracking ids from frame to frame.
  case stream = 1
}
