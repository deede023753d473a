// SPDX-License-Identifier: Apache-2.0

/// The format of the pixels in a buffer, 8 bits per component.
///
/// | format | planes | in memory | |---|---|---| | `bgra`, `rgba` | 1 | 4 bytes per pixel, in the order of
/// the name | | `rgb`, `bgr` | 1 | 3 bytes per pixel, in the order of the name | | `grey` | 1 | 1 byte per
/// pixel, 0 black, 255 white | | `nv12` | 2 | brightness; interleaved Cb and Cr, one pair per 2 × 2 pixels |
/// | `i420` | 3 | brightness; Cb; Cr, one of each per 2 × 2 pixels |
///
/// If the width or height is odd, the last chroma sample covers one column or row: chroma planes are
/// ⌈width ÷ 2⌉ by ⌈height ÷ 2⌉ samples. Each sample is centred on its pixels.
///
/// **Alpha is ignored.** Cameras and compositors leave arbitrary values in the fourth byte (0 as often as
/// 255), and ML Kit and the TensorFlow Lite Task Library do not read it either. Compose an image over white
/// first if its alpha matters.
public struct PixelFormat: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case bgra, rgba, rgb, bgr, grey, nv12, i420 }
  let kind: Kind
  /// The encoding of a YUV format; nil for the others.
  package let encoding: YUVEncoding?

  private init(_ kind: Kind, _ encoding: YUVEncoding? = nil) {
    self.kind = kind
    self.encoding = encoding
  }

  /// Blue, green, red, alpha; alpha is ignored.
  public static let bgra = PixelFormat(.bgra)
  /// Red, green, blue, alpha; alpha is ignored.
  public static let rgba = PixelFormat(.rgba)
  /// Red, green, blue.
  public static let rgb = PixelFormat(.rgb)
  /// Blue, green, red, as decoded by OpenCV.
  public static let bgr = PixelFormat(.bgr)
  /// Brightness only, full range.
  public static let grey = PixelFormat(.grey)
  /// A plane of brightness and one of interleaved Cb and Cr at half the width and height.
  public static func nv12(_ encoding: YUVEncoding = YUVEncoding()) -> PixelFormat {
    PixelFormat(.nv12, encoding)
  }
  /// Planes of brightness, Cb and Cr, the last two at half the width and height.
  public static func i420(_ encoding: YUVEncoding = YUVEncoding()) -> PixelFormat {
    PixelFormat(.i420, encoding)
  }

  /// Creates the format for a Core Video pixel format type.
  ///
  /// Supports "BGRA", "RGBA", 24 (24-bit RGB), "L008", "420v", "420f", "y420" and "f420". Ten-bit formats
  /// ("x420"), 4:2:2 and all others are refused: read as 8-bit, they would silently give wrong results.
  /// - Parameters:
  ///   - code: The four-character code as a number, for instance `kCVPixelFormatType_32BGRA`.
  ///   - matrix: The colour matrix of a YUV format, which the code does not contain.
  /// - Throws: `ImageError` with `unsupported-pixel-format`; the message contains the code.
  ///
  /// **Source:** Core Video, CVPixelBuffer.h, "Pixel Format Types".
  package init(coreVideo code: UInt32, matrix: YUVEncoding.Matrix = .bt601) throws(ImageError) {
    let video = YUVEncoding(matrix: matrix, range: .video)
    let full = YUVEncoding(matrix: matrix, range: .full)
    switch code {
    case 0x4247_5241: self = .bgra
    case 0x5247_4241: self = .rgba
    case 24: self = .rgb
    case 0x4c30_3038: self = .grey
    case 0x3432_3076: self = .nv12(video)
    case 0x3432_3066: self = .nv12(full)
    case 0x7934_3230: self = .i420(video)
    case 0x6634_3230: self = .i420(full)
    default:
      throw ImageError(
        .unsupportedPixelFormat,
        "the pixel format \(Self.text(of: code)) is not one of BGRA, RGBA, 24, L008, 420v, 420f,"
          + " y420, f420",
        remedy: "Request one of these from the camera or decoder, or convert the image",
        subject: "pixel buffer")
    }
  }

  /// Returns the code as four characters if they are printable, otherwise as a number.
  private static func text(of code: UInt32) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return "\(code)" }
    return "'\(String(decoding: bytes, as: UTF8.self))'"
  }
}

extension PixelFormat {
  /// The bytes of one sample of each plane, and the number of pixels that a sample covers in each direction.
  var planes: [(bytesPerSample: Int, step: Int)] {
    switch kind {
    case .bgra, .rgba: [(4, 1)]
    case .rgb, .bgr: [(3, 1)]
    case .grey: [(1, 1)]
    case .nv12: [(1, 1), (2, 2)]
    case .i420: [(1, 1), (1, 2), (1, 2)]
    }
  }

  /// The names of the planes in error messages.
  var planeNames: [String] {
    switch kind {
    case .bgra, .rgba, .rgb, .bgr, .grey: ["pixels"]
    case .nv12: ["Y", "CbCr"]
    case .i420: ["Y", "Cb", "Cr"]
    }
  }
}

extension PixelFormat: CustomStringConvertible {
  /// The format in error messages: "NV12 (BT.601, video range)".
  public var description: String {
    let name =
      switch kind {
      case .bgra: "BGRA"
      case .rgba: "RGBA"
      case .rgb: "RGB"
      case .bgr: "BGR"
      case .grey: "grey"
      case .nv12: "NV12"
      case .i420: "I420"
      }
    return encoding.map { "\(name) (\($0))" } ?? name
  }
}
