// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// The options common to all detectors, the base of `ObjectDetectorOptions` and
/// `CustomObjectDetectorOptions`.
///
/// A detector copies the options when it is created; later changes do not affect it.
open class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels; false by default.
  ///
  /// If false, `Object.labels` is empty and no classifier runs.
  public var shouldEnableClassification = false
  /// Whether several objects are reported; false by default, which reports only the most prominent one.
  ///
  /// In stream mode, that object is followed until it is lost.
  public var shouldEnableMultipleObjects = false
  /// The relation between successive images; `stream` by default.
  public var detectorMode = ObjectDetectorMode.stream
  /// The largest number of objects per image if `shouldEnableMultipleObjects` is on, 5 by default as in ML
  /// Kit; a number that is not positive counts as 5, and one above 100,000 as 100,000.
  ///
  /// An addition. A detector model finds more objects with a higher number; the embedded localizer is trained
  /// for five.
  public var maxObjectCount = DetectionRequest.defaultMaxObjects

  /// The settings of the subclass.
  package var custom: DetectionRequest

  /// Creates options.
  /// - Parameter custom: The settings of the subclass: the model.
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
