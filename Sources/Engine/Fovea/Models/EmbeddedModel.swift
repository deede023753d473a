// SPDX-License-Identifier: Apache-2.0

import CEmbeddedModels
import FoveaRuntime

/// A model embedded in the library; `Sources/C/CEmbeddedModels/models/MODEL_CARD.md` describes each.
public enum EmbeddedModel: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Finds and names objects of the 80 classes of COCO; the default of `ObjectDetector`.
  case detector
  /// Finds up to five prominent objects of any kind, without names.
  case localizer
  /// Classifies the image of one object as Fashion good, Food, Home good, Place or Plant, or as none of them;
  /// the default of `ImageLabeler`.
  case classifier

  /// The model's name in errors and reports, such as "embedded detector".
  public var description: String {
    switch self {
    case .detector: "embedded detector"
    case .localizer: "embedded localizer"
    case .classifier: "embedded coarse classifier"
    }
  }

  /// The default maximum number of objects of the embedded localizer: it is trained for the five most
  /// prominent ones.
  static let defaultMaxObjects = 5

  /// The margin around an object that the coarse classifier is trained with, as a fraction of the box on each
  /// side.
  static let cropMargin = 0.1

  /// The default for the largest IoU of two boxes of one class; nil for a model without boxes.
  ///
  /// The detector uses the value of NanoDet's own program, `nms_thre` of `nanodet_plus_head.py`. The
  /// localizer has no classes, and with values above 0.5 a prominent object would keep several boxes.
  var iouThreshold: Double? {
    switch self {
    case .detector: 0.6
    case .localizer: 0.5
    case .classifier: nil
    }
  }

  /// The size of the model's file in bytes.
  package var byteCount: Int { load().count }

  func load() -> ModelBytes {
    // The bytes are constants of the executable: they live as long as the process and are 64-byte aligned.
    let bytes: UnsafeRawBufferPointer
    switch self {
    case .detector:
      unsafe bytes = UnsafeRawBufferPointer(
        start: fovea_detector_model_start(), count: fovea_detector_model_size)
    case .localizer:
      unsafe bytes = UnsafeRawBufferPointer(
        start: fovea_localizer_model_start(), count: fovea_localizer_model_size)
    case .classifier:
      unsafe bytes = UnsafeRawBufferPointer(
        start: fovea_coarse_classifier_model_start(), count: fovea_coarse_classifier_model_size)
    }
    return unsafe ModelBytes(permanent: bytes, name: description)
  }
}
