// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
public import FoveaImage

extension CVBuffer {
  /// Takes pixels, without a copy where they are upright; an addition to Core Video.
  ///
  /// What is not stored upright is rotated, into BGRA: a buffer has no orientation.
  /// - Parameter pixels: A frame of a camera or a video, or what another library decoded.
  /// - Throws: `ImageError` when there is no memory, or the pixels were lent for a call that is over.
  public convenience init(pixels: PixelBuffer) throws(ImageError) {
    var pixels = pixels
    if !pixels.fitsCoreVideo { pixels = try PixelBuffer(adopting: pixels.canvas(), name: pixels.name) }
    self.init(
      width: pixels.size.width, height: pixels.size.height,
      pixelFormatType: pixels.layout.format.coreVideoCode,
      isPlanar: pixels.layout.bytesPerRow.count > 1, contents: .shared(pixels),
      matrix: pixels.layout.format.encoding?.matrix ?? .bt601)
  }

  /// Takes bytes that hold the planes one after the other; an addition to Core Video.
  /// - Parameters:
  ///   - bytes: The planes, each with all its rows; kept, not copied.
  ///   - width: The width in pixels, 1…65,535.
  ///   - height: The height in pixels, 1…65,535.
  ///   - pixelFormatType: The format, for instance `kCVPixelFormatType_32BGRA`.
  ///   - bytesPerRow: For each plane the distance between the starts of two rows; nil for rows without gaps.
  /// - Throws: `ImageError` with `unsupported-pixel-format`, or `invalid-buffer` when the bytes do not fit the size; the
  ///   message names both.
  public convenience init(
    bytes: [UInt8], width: Int, height: Int, pixelFormatType: OSType, bytesPerRow: [Int]? = nil
  ) throws(ImageError) {
    let layout = try PixelLayout(
      PixelFormat(coreVideo: pixelFormatType), size: .init(width: width, height: height),
      bytesPerRow: bytesPerRow)
    try self.init(pixels: PixelBuffer(layout, bytes: bytes))
  }

  /// Takes the pixels of an image as they are stored, decoded at full size; an addition to Core Video.
  /// - Parameter image: The image.
  /// - Throws: `ImageError` when the image is damaged or cut off, or there is no memory.
  public convenience init(_ image: CGImage) throws(ImageError) { try self.init(pixels: image.pixels()) }

  /// Takes the pixels of an image, rotated upright and decoded at full size; an addition to Core Video.
  /// - Parameter image: The image.
  /// - Throws: `ImageError` when the image is damaged or cut off, or there is no memory.
  public convenience init(_ image: UIImage) throws(ImageError) {
    try self.init(pixels: image.uprightPixels())
  }

  /// Takes the pixels of a video frame, without a copy where they are upright; an addition to Core Video.
  /// - Parameter frame: The frame.
  /// - Throws: `ImageError` when there is no memory to turn it upright, or its pixels were lent for a call that is over.
  public convenience init(_ frame: VideoFrame) throws(ImageError) { try self.init(pixels: frame.pixels) }
}

extension PixelBuffer {
  /// Whether a `CVPixelBuffer` can have the pixels as they are stored: it has no orientation and no rows from the bottom up,
  /// and no format of 24-bit BGR among those that the shims know.
  fileprivate var fitsCoreVideo: Bool { orientation == .up && !layout.isBottomUp && layout.format != .bgr }
}

extension PixelFormat {
  /// Core Video's code of the format.
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
