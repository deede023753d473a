// SPDX-License-Identifier: Apache-2.0

public import FirebaseMLVision

extension Vision {
  /// Creates a detector with the default options: stream mode, one object, no categories.
  public func objectDetector() -> VisionObjectDetector { VisionObjectDetector(VisionObjectDetectorOptions()) }

  /// Creates a detector.
  /// - Parameter options: The options of the detector.
  /// - Returns: The detector.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    VisionObjectDetector(options)
  }
}
