// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility
public import MLKitObjectDetectionCommon

/// Options of a detector with the embedded models: a localizer for up to five prominent objects, and a
/// classifier with the five coarse categories of `DetectedObjectLabel`.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// Creates options with the defaults: stream mode, one object, no labels.
  public init() { super.init(custom: DetectionRequest()) }
}
