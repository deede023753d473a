// SPDX-License-Identifier: Apache-2.0

import MLKit

/// Options of detectors, as in a guide.
enum Options {
  /// The embedded models.
  static func coarse(
    _ mode: ObjectDetectorMode, classification: Bool = false, multiple: Bool = false
  ) -> ObjectDetectorOptions {
    let options = ObjectDetectorOptions()
    set(options, mode, classification, multiple)
    return options
  }

  /// A custom model.
  static func custom(
    _ path: String, _ mode: ObjectDetectorMode = .singleImage, classification: Bool = true,
    multiple: Bool = true
  ) -> CustomObjectDetectorOptions {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path))
    set(options, mode, classification, multiple)
    return options
  }

  private static func set(
    _ options: CommonObjectDetectorOptions, _ mode: ObjectDetectorMode, _ classification: Bool,
    _ multiple: Bool
  ) {
    options.detectorMode = mode
    options.shouldEnableClassification = classification
    options.shouldEnableMultipleObjects = multiple
  }
}
