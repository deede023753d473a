// SPDX-License-Identifier: Apache-2.0

import CPixels

extension YUVEncoding {
  /// The coefficients as the conversion kernel takes them.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5, and BT.709-6, item 3: red and blue make up Kr and Kb of brightness.
  var kernelMatrix: fovea_yuv_matrix {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let kg = 1 - kr - kb
    let lumaScale = range == .full ? 1 : 255.0 / 219
    let chromaScale = range == .full ? 1 : 255.0 / 224
    func coefficient(_ value: Double) -> Int16 { Int16((value * chromaScale * 16_384).rounded()) }
    return fovea_yuv_matrix(
      luma: Int16(((lumaScale - 1) * 32_768).rounded()),
      black: range == .full ? 0 : Int16((16 * lumaScale * 64).rounded()),
      redCr: coefficient(2 * (1 - kr)),
      greenCb: coefficient(2 * (1 - kb) * kb / kg), greenCr: coefficient(2 * (1 - kr) * kr / kg),
      blueCb: Int16((2 * (1 - kb) * chromaScale * 16_384).rounded() - 16_384))
  }
}
