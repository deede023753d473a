// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Fovea

extension CGImage {
  /// The image as the input of detectors and labelers, in its stored orientation.
  var input: ImageInput {
    switch source {
    case .encoded(let image): .encoded(image)
    case .pixels(let pixels): .pixels(pixels)
    }
  }
}
