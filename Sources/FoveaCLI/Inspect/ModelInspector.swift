// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The library's view of a model, turned into what the command shows.
enum ModelInspector {
  static func report(_ path: String) throws(FoveaError) -> ModelReport {
    throw FoveaError(
      code: .init(rawValue: "inspect-unavailable"), message: "'\(path)' cannot be inspected yet",
      remedy: "Use a later version")
  }
}
