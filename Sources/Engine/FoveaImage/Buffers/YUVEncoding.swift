// SPDX-License-Identifier: Apache-2.0

import CPixels
package import FoveaGeometry

/// The meaning of the numbers in a YUV image: colour matrix and range.
///
/// The bytes do not contain it; pass it on if the stream or the camera provides it. The default, BT.601 in
/// video range, is what libyuv, and therefore the TensorFlow Lite Task Library, assumes. A wrong range shifts
/// black by 16 of 255 levels; a wrong matrix changes saturated colours by up to 30 levels, but not greys.
public struct YUVEncoding: Sendable, Hashable {
  /// The weights of red, green and blue in brightness.
  public enum Matrix: Sendable, Hashable, CaseIterable {
    /// ITU-R BT.601: JPEG, cameras, standard-definition video; the default.
    case bt601
    /// ITU-R BT.709: most high-definition video.
    case bt709
  }

  /// The numbers for black and white.
  public enum Range: Sendable, Hashable, CaseIterable {
    /// Black is 16 and white 235, chroma 16…240: video, Apple's "420v"; the default.
    case video
    /// Black is 0 and white 255: JPEG, many cameras, Apple's "420f".
    case full
  }

  /// The weights of red, green and blue in brightness.
  public var matrix: Matrix
  /// The numbers for black and white.
  public var range: Range

  /// Creates an encoding; BT.601 in video range by default.
  public init(matrix: Matrix = .bt601, range: Range = .video) {
    self.matrix = matrix
    self.range = range
  }

  /// The encoding that JFIF defines for JPEG: BT.601, full range.
  public static let jpeg = YUVEncoding(matrix: .bt601, range: .full)
}

extension YUVEncoding: CustomStringConvertible {
  /// The encoding in error messages: "BT.601, video range".
  public var description: String {
    "\(matrix == .bt601 ? "BT.601" : "BT.709"), \(range == .video ? "video" : "full") range"
  }
}

extension YUVEncoding {
  /// The coefficients in the format of the conversion kernel.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5, and BT.709-6, item 3: Kr, Kb are the weights of red, blue.
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

extension YUVEncoding {
  /// Returns the encoding that players expect for a video of this size: BT.709 from 720 rows or 1,280
  /// columns, otherwise BT.601; video range.
  ///
  /// **Source:** ITU-R BT.709-6 is the standard for high definition, BT.601-7 for standard definition.
  package static func usual(forVideoOf size: PixelSize) -> YUVEncoding {
    let isHigh = min(size.width, size.height) >= 720 || max(size.width, size.height) >= 1280
    return YUVEncoding(matrix: isHigh ? .bt709 : .bt601, range: .video)
  }

  /// The coefficients for red, green and blue, in the format of the conversion kernel.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5, and BT.709-6, item 3.
  var forwardMatrix: fovea_rgb_matrix {
    let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let luma = range == .full ? 1 : 219.0 / 255
    // In full range a chroma of exactly half would round to 256; a slightly smaller factor prevents that.
    let chroma = range == .full ? 254.99 / 255 : 224.0 / 255
    func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
    let (red, blue) = (fixed(luma * kr), fixed(luma * kb))
    let (chromaRed, chromaBlue) = (fixed(-chroma * kr / (2 - 2 * kb)), fixed(-chroma * kb / (2 - 2 * kr)))
    let most = fixed(chroma / 2)
    // The middle coefficient is the remainder, so that greys stay grey and white stays white.
    return fovea_rgb_matrix(
      yr: red, yg: fixed(luma) - red - blue, yb: blue, black: range == .full ? 0 : 16,
      ur: chromaRed, ug: -most - chromaRed, ub: most, vr: most, vg: -most - chromaBlue, vb: chromaBlue)
  }
}
