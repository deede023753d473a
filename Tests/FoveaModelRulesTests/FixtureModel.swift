// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting

/// The tiny models that `Tests/Fixtures/models/generate.py` makes.
enum FixtureModel {
  static func source(_ name: String) -> ModelSource {
    .file(PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite")
  }
}
