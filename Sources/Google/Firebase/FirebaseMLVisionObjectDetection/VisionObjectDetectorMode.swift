// SPDX-License-Identifier: Apache-2.0

/// The relation between the successive images of a detector.
public enum VisionObjectDetectorMode: Int, Sendable {
  /// Independent images; objects have no tracking ids.
  case singleImage = 0
  /// Successive frames of one stream; objects keep their tracking ids from frame to frame.
  case stream = 1
}
