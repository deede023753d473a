// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// The kind of `data` of a `fovea_image`.
enum ImageKind: Equatable {
  case file
  case encoded
  case pixels(PixelFormat)

  /// - Returns: nil for a number that the header does not define.
  init?(_ number: Int32) {
    switch number {
    case 1: self = .file
    case 2: self = .encoded
    case 3: self = .pixels(.rgb)
    case 4: self = .pixels(.bgr)
    case 5: self = .pixels(.rgba)
    case 6: self = .pixels(.bgra)
    case 7: self = .pixels(.grey)
    default: return nil
    }
  }
}
