// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaModelRules

@testable import FoveaC

/// The output of `fovea model inspect --json`, with C's option names.
enum ReportedModel {
  static func json(_ path: String) throws -> String {
    try ModelReport(.file(path), options: ObjectDetector.Options(), words: { $0.text(\.c) }).json
  }
}
