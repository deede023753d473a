// SPDX-License-Identifier: Apache-2.0

import CYUV
public import FoveaGeometry

/// An upright image for drawing: 8 bits per channel, 32 bits per pixel in the order blue, green, red, unused.
///
/// Cairo calls this layout RGB24, libyuv calls it ARGB (on little-endian machines). The canvas owns its
/// memory; rows are `bytesPerRow` apart and 64-byte aligned. Not `Sendable`: one owner draws at a time.
@safe public final class PixelCanvas {
  /// The size in pixels.
  public let size: PixelSize
  /// The distance between the starts of two rows, in bytes.
  public let bytesPerRow: Int
  // SAFETY: allocated in init, freed in deinit, accessible only within a closure.
  private let memory: UnsafeMutableRawBufferPointer

  /// Creates a black canvas.
  /// - Precondition: Width and height are 1 or more.
  public init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a canvas needs at least one pixel, got \(size)")
    self.size = size
    bytesPerRow = (size.width * 4 + 63) / 64 * 64
    unsafe memory = .allocate(byteCount: bytesPerRow * size.height, alignment: 64)
    unsafe _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Calls `body` with the pixels, row by row from the top.
  /// - Parameter body: Reads or writes the bytes; the pointer must not escape.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`.
  public func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(memory)
  }
}

extension Orientation {
  /// Rotates stored pixels of 4 bytes upright; a negative height makes libyuv read the rows bottom-up.
  func turn(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, stored size: PixelSize,
    into target: UnsafeMutablePointer<UInt8>, _ targetStride: Int
  ) {
    let width = Int32(size.width)
    let height = Int32(size.height)
    let (from, to) = (Int32(sourceStride), Int32(targetStride))
    func rotate(_ height: Int32, _ mode: RotationMode) {
      unsafe _ = ARGBRotate(source, from, target, to, width, height, mode)
    }
    switch self {
    case .up: unsafe _ = ARGBCopy(source, from, target, to, width, height)
    case .upMirrored: unsafe _ = ARGBMirror(source, from, target, to, width, height)
    case .down: rotate(height, kRotate180)
    case .downMirrored: unsafe _ = ARGBCopy(source, from, target, to, width, -height)
    case .leftMirrored: rotate(-height, kRotate90)
    case .right: rotate(height, kRotate90)
    case .rightMirrored: rotate(-height, kRotate270)
    case .left: rotate(height, kRotate270)
    }
  }
}
