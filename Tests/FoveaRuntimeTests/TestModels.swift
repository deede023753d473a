// SPDX-License-Identifier: Apache-2.0

import CEmbeddedModels
import FoveaRuntime

/// The embedded models, which each machine has.
enum TestModels {
  static func classifierBytes() -> [UInt8] {
    unsafe Array(
      UnsafeRawBufferPointer(
        start: fovea_coarse_classifier_model_start(), count: fovea_coarse_classifier_model_size))
  }

  static func classifier() throws -> Model { try Model(bytes: classifierBytes(), name: "coarse.tflite") }
}
