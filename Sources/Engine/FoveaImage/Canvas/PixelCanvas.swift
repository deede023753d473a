// SPDX-License-Identifier: Apache-2.0

import CYUV
public import FoveaGeometry

/// An image to draw on: upright, 8 bits a channel, 32 bits a pixel in the order blue, green, red, unused.
///
/// The layout is the one that Cairo calls RGB24 and libyuv ARGB on little-endian machines. Memory is owned by the
/// canvas, rows are `bytesPerRow` apart and 64-byte aligned. Not `Sendable`: one owner draws at a time.
@safe public final class PixelCanvas {
  /// Width and height in pixels.
  public let size: PixelSize
  /// The distance between the starts of two rows, in bytes.
  public let bytesPerRow: Int
  // SAFETY: allocated in init, freed in deinit, handed out only for the length of a closure.
  private let memory: UnsafeMutableRawBufferPointer

  /// Makes a black canvas.
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

  /// Gives the pixels, row by row from the top, for the length of `body`.
  /// - Parameter body: Reads or writes the bytes; the pointer must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUnsafeMutableBytes<R, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(memory)
  }
}

extension Orientation {
  /// Turns stored pixels of 4 bytes upright; a negative height makes libyuv take the rows from the bottom up.
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
