// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension Orientation {
  /// The orientation that results call `name`; nil where none is.
  init?(name: String) {
    guard let match = Orientation.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
