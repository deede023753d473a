// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaGeometry
import FoveaImage

/// Converts frames to the pixel format that a program requests.
struct FrameConversion {
  /// The formats that can be requested.
  static let formats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    kCVPixelFormatType_32BGRA,
  ]

  /// The requested format; nil keeps the frames' own.
  let code: OSType?

  /// Reads the settings of an output.
  /// - Throws: `ImageError` with `unsupported-pixel-format` for an unavailable format.
  init(_ settings: [String: Any]?) throws(ImageError) {
    guard let value = settings?[kCVPixelBufferPixelFormatTypeKey] else {
      code = nil
      return
    }
    let number =
      (value as? NSNumber)?.int64Value ?? (value as? OSType).map { Int64($0) }
      ?? (value as? Int).map { Int64($0) }
    guard let code = number.flatMap({ OSType(exactly: $0) }), Self.formats.contains(code) else {
      throw ImageError(
        .unsupportedPixelFormat,
        "the pixel format \(value) in videoSettings is not one of '420v', '420f', 'BGRA'",
        remedy: "Use one of availableVideoPixelFormatTypes, or leave videoSettings nil",
        subject: "AVCaptureVideoDataOutput")
    }
    self.code = code
  }

  /// Returns the pixels of a frame in the format, upright.
  /// - Throws: `ImageError` if memory is exhausted, or the pixels were borrowed for a call that has ended.
  func buffer(of frame: VideoFrame) throws(ImageError) -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(frame)
    guard let code, code != buffer.pixelFormatType else { return buffer }
    let pixels = try buffer.pixels()
    if code == kCVPixelFormatType_32BGRA {
      return try CVPixelBuffer(pixels: PixelBuffer(adopting: pixels.canvas(), name: pixels.name))
    }
    let encoding = YUVEncoding(
      matrix: pixels.layout.format.encoding?.matrix ?? .bt601,
      range: code == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange ? .full : .video)
    let planar =
      pixels.layout.format == .i420(encoding)
      ? pixels : try CanvasFrames(encoding: encoding).frame(of: pixels.canvas())
    return try CVPixelBuffer(pixels: planar.interleavingChroma(encoding))
  }
}

extension PixelBuffer {
  /// Returns the same values with Cb and Cr in one plane; the buffer is I420.
  fileprivate func interleavingChroma(_ encoding: YUVEncoding) throws(ImageError) -> PixelBuffer {
    let target = try PixelLayout(.nv12(encoding), size: size)
    let source = layout.bytesPerRow
    let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    // SAFETY: the planes have the rows and samples of their layout, and the array has all bytes of the
    // target.
    let bytes = try unsafe withUnsafePlanes { planes in
      unsafe [UInt8](unsafeUninitializedCapacity: target.byteCount) { bytes, count in
        for row in 0..<size.height {
          let from = unsafe UnsafeRawBufferPointer(rebasing: planes[0][(row * source[0])...])
          let start = row * size.width
          let to = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(bytes)[start..<start + size.width])
          unsafe to.copyMemory(from: UnsafeRawBufferPointer(rebasing: from.prefix(size.width)))
        }
        for row in 0..<half.height {
          let start = target.planeOffsets[1] + row * half.width * 2
          for x in 0..<half.width {
            unsafe bytes[start &+ 2 &* x] = planes[1][row &* source[1] &+ x]
            unsafe bytes[start &+ 2 &* x &+ 1] = planes[2][row &* source[2] &+ x]
          }
        }
        count = target.byteCount
      }
    }
    return try PixelBuffer(target, bytes: bytes, name: name)
  }
}
