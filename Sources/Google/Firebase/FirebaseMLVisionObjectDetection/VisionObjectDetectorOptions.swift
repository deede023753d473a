// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// The options of the legacy detector, which copies them when it is created.
public final class VisionObjectDetectorOptions: NSObject {
  /// Whether objects get a category; false by default.
  public var shouldEnableClassification = false
  /// Whether up to five objects are reported; false by default, which reports only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// The relation between successive images; `stream` by default.
  public var detectorMode = VisionObjectDetectorMode.stream

  /// Creates options with the defaults.
  public override init() {}

  /// A snapshot of the options.
  var request: DetectionRequest {
    var request = DetectionRequest()
    request.mode = detectorMode == .stream ? .stream : .singleImage
    request.isClassifying = shouldEnableClassification
    request.isMultiple = shouldEnableMultipleObjects
    return request
  }
}
