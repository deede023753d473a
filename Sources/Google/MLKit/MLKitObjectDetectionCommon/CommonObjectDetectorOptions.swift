// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// What the options of all detectors have: `ObjectDetectorOptions` and `CustomObjectDetectorOptions` are made of it.
///
/// A detector takes a snapshot when it is made: later changes have no effect on it.
open class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels; false by default.
  ///
  /// Off, `Object.labels` is empty and no classifier runs.
  public var shouldEnableClassification = false
  /// Whether all objects are reported; false by default, which reports the most prominent one.
  ///
  /// In stream mode the one object is followed until it is lost.
  public var shouldEnableMultipleObjects = false
  /// How images belong together; `stream` by default.
  public var detectorMode = ObjectDetectorMode.stream
  /// The most objects of an image where `shouldEnableMultipleObjects` is on, 5 by default as in ML Kit; a number that is
  /// not positive counts as 5, and one above 100,000 as 100,000.
  ///
  /// An addition. Raising it finds more objects of a detector model; the embedded localizer is trained for five.
  public var maxObjectCount = DetectionRequest.defaultMaxObjects

  /// What the kind of options adds.
  package var custom: DetectionRequest

  /// Makes options.
  /// - Parameter custom: What the kind of options adds: the model.
  package init(custom: DetectionRequest) { self.custom = custom }

  /// A snapshot of the options.
  package var request: DetectionRequest {
    var request = custom
    request.mode = detectorMode.mode
    request.isClassifying = shouldEnableClassification
    request.isMultiple = shouldEnableMultipleObjects
    request.maxObjects = OptionValues.count(
      maxObjectCount, default: DetectionRequest.defaultMaxObjects, most: DetectionRequest.largestMaxObjects)
    return request
  }
}
