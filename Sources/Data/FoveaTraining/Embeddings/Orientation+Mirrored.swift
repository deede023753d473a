// SPDX-License-Identifier: Apache-2.0

import FoveaImage

extension Orientation {
  /// The orientation that shows the upright photo with left and right swapped.
  var mirrored: Orientation {
    switch self {
    case .up: .upMirrored
    case .upMirrored: .up
    case .down: .downMirrored
    case .downMirrored: .down
    case .right: .leftMirrored
    case .leftMirrored: .right
    case .left: .rightMirrored
    case .rightMirrored: .left
    }
  }
}
