// SPDX-License-Identifier: Apache-2.0

import CEmbeddedModels
import FoveaRuntime

/// The models that the library carries in itself.
enum EmbeddedModel: Sendable, Hashable {
  case localizer
  case coarseClassifier

  /// What errors and reports call the model.
  var name: String {
    switch self {
    case .localizer: "embedded localizer"
    case .coarseClassifier: "embedded coarse classifier"
    }
  }

  /// The most objects that the embedded localizer reports unless told otherwise: it is trained for the five most
  /// prominent ones.
  static let defaultMaxObjects = 5

  /// The margin around an object that the coarse classifier is trained with, as a fraction of the box on each side.
  static let cropMargin = 0.1

  func load() -> ModelBytes {
    // The bytes are constants of the executable: they live as long as the process and are 64-byte aligned.
    switch self {
    case .localizer:
      unsafe ModelBytes(
        permanent: UnsafeRawBufferPointer(
          start: fovea_localizer_model_start(), count: fovea_localizer_model_size), name: name)
    case .coarseClassifier:
      unsafe ModelBytes(
        permanent: UnsafeRawBufferPointer(
          start: fovea_coarse_classifier_model_start(), count: fovea_coarse_classifier_model_size), name: name
      )
    }
  }
}
