// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
public import FoveaImage

extension CVBuffer {
  /// Creates a buffer from pixels, without a copy if they are upright; an addition to Core Video.
  ///
  /// Other pixels are rotated upright and converted to BGRA: a buffer has no orientation.
  /// - Parameter pixels: A camera or video frame, or an image that another library decoded.
  /// - Throws: `ImageError` if memory is exhausted, or the pixels were borrowed for a call that has ended.
  public convenience init(pixels: PixelBuffer) throws(ImageError) {
    var pixels = pixels
    if !pixels.fitsCoreVideo { pixels = try PixelBuffer(adopting: pixels.canvas(), name: pixels.name) }
    self.init(
      width: pixels.size.width, height: pixels.size.height,
      pixelFormatType: pixels.layout.format.coreVideoCode,
      isPlanar: pixels.layout.bytesPerRow.count > 1, contents: .shared(pixels),
      matrix: pixels.layout.format.encoding?.matrix ?? .bt601)
  }

  /// Creates a buffer from the bytes of consecutive planes; an addition to Core Video.
  /// - Parameters:
  ///   - bytes: The planes, each with all its rows; kept, not copied.
  ///   - width: The width in pixels, 1…65,535.
  ///   - height: The height in pixels, 1…65,535.
  ///   - pixelFormatType: The format, for instance `kCVPixelFormatType_32BGRA`.
  ///   - bytesPerRow: For each plane the distance between the starts of two rows; nil for rows without gaps.
  /// - Throws: `ImageError` with `unsupported-pixel-format`, or `invalid-buffer` if the bytes do not fit the
  ///   size; the message states both.
  public convenience init(
    bytes: [UInt8], width: Int, height: Int, pixelFormatType: OSType, bytesPerRow: [Int]? = nil
  ) throws(ImageError) {
    let layout = try PixelLayout(
      PixelFormat(coreVideo: pixelFormatType), size: .init(width: width, height: height),
      bytesPerRow: bytesPerRow)
    try self.init(pixels: PixelBuffer(layout, bytes: bytes))
  }

  /// Creates a buffer from the stored pixels of an image, decoded at full size; an addition to Core Video.
  /// - Parameter image: The image.
  /// - Throws: `ImageError` if the image is damaged or truncated, or memory is exhausted.
  public convenience init(_ image: CGImage) throws(ImageError) { try self.init(pixels: image.pixels()) }

  /// Creates a buffer from an image, rotated upright and decoded at full size; an addition to Core Video.
  /// - Parameter image: The image.
  /// - Throws: `ImageError` if the image is damaged or truncated, or memory is exhausted.
  public convenience init(_ image: UIImage) throws(ImageError) {
    try self.init(pixels: image.uprightPixels())
  }

  /// Creates a buffer from a video frame, without a copy if it is upright; an addition to Core Video.
  /// - Parameter frame: The frame.
  /// - Throws: `ImageError` if there is no memory to rotate it upright, or its pixels were borrowed for a
  ///   call that has ended.
  public convenience init(_ frame: VideoFrame) throws(ImageError) { try self.init(pixels: frame.pixels) }
}

extension PixelBuffer {
  /// Whether a `CVPixelBuffer` can keep the pixels as stored: it has no orientation and no bottom-up rows,
  /// and the shims do not support 24-bit BGR.
  fileprivate var fitsCoreVideo: Bool { orientation == .up && !layout.isBottomUp && layout.format != .bgr }
}

extension PixelFormat {
  /// Core Video's code for the format.
  var coreVideoCode: OSType {
    switch self {
    case .bgra: kCVPixelFormatType_32BGRA
    case .rgba: kCVPixelFormatType_32RGBA
    case .rgb: kCVPixelFormatType_24RGB
    case .grey: kCVPixelFormatType_OneComponent8
    default: yuvCode
    }
  }

  private var yuvCode: OSType {
    let encoding = encoding ?? YUVEncoding()
    let isFull = encoding.range == .full
    if self == .nv12(encoding) {
      return isFull
        ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
    return isFull ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
  }
}
