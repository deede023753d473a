// SPDX-License-Identifier: Apache-2.0

public import FirebaseMLVision

extension Vision {
  /// Makes a detector with the default options: stream mode, one object, no categories.
  public func objectDetector() -> VisionObjectDetector { VisionObjectDetector(VisionObjectDetectorOptions()) }

  /// Makes a detector.
  /// - Parameter options: What to find.
  /// - Returns: The detector.
  public func objectDetector(options: VisionObjectDetectorOptions) -> VisionObjectDetector {
    VisionObjectDetector(options)
  }
}
