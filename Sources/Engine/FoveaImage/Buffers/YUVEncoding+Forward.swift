// SPDX-License-Identifier: Apache-2.0

import CPixels
public import FoveaGeometry

extension YUVEncoding {
  /// What players expect of a video of this size: BT.709 from 720 rows or 1,280 columns on, BT.601 below; video range.
  ///
  /// **Source:** ITU-R BT.709-6 is the standard of high definition, BT.601-7 that of standard definition.
  public static func usual(forVideoOf size: PixelSize) -> YUVEncoding {
    let isHigh = min(size.width, size.height) >= 720 || max(size.width, size.height) >= 1280
    return YUVEncoding(matrix: isHigh ? .bt709 : .bt601, range: .video)
  }

  /// The coefficients from red, green and blue, as the conversion kernel takes them.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5, and BT.709-6, item 3.
  var forwardMatrix: fovea_rgb_matrix {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let luma = range == .full ? 1 : 219.0 / 255
    // In full range a chroma of exactly half would round to 256: an ε less keeps it in a byte.
    let chroma = range == .full ? 254.99 / 255 : 224.0 / 255
    func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
    let (red, blue) = (fixed(luma * kr), fixed(luma * kb))
    let (chromaRed, chromaBlue) = (fixed(-chroma * kr / (2 - 2 * kb)), fixed(-chroma * kb / (2 - 2 * kr)))
    let most = fixed(chroma / 2)
    // The middle coefficient is what the others leave, so that greys stay grey and white stays white.
    return fovea_rgb_matrix(
      yr: red, yg: fixed(luma) - red - blue, yb: blue, black: range == .full ? 0 : 16,
      ur: chromaRed, ug: -most - chromaRed, ub: most, vr: most, vg: -most - chromaBlue, vb: chromaBlue)
  }
}
