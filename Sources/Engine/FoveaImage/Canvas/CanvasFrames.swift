// SPDX-License-Identifier: Apache-2.0

import CPixels
import FoveaGeometry

/// Turns canvases into frames for a video encoder, in memory that is used again.
///
/// A frame's memory returns when the last copy of its buffer is gone, on any thread; an encoder may keep some. In the
/// steady state nothing is allocated for pixels.
///
/// Brightness is rounded to the nearest of 256 levels; Cb and Cr are the mean of 2 × 2 pixels.
public struct CanvasFrames: Sendable {
  /// What the numbers of the frames mean; nil takes `YUVEncoding.usual(forVideoOf:)`.
  public let encoding: YUVEncoding?
  private let pool = FramePool()

  /// Makes a source of frames.
  /// - Parameter encoding: What the numbers mean; nil, the default, takes what players expect of the canvas's size. Pass
  ///   `layout.format.encoding` of the frame to the encoder.
  public init(encoding: YUVEncoding? = nil) { self.encoding = encoding }

  /// Copies a canvas into planes of brightness, Cb and Cr.
  /// - Parameter canvas: The image; it may be drawn on again as soon as this returns.
  /// - Returns: A buffer in I420 with the size of the canvas.
  /// - Throws: `ImageError` with `out-of-memory`, or `invalid-buffer` for a canvas beyond `PixelLayout.maximumSide`.
  public func frame(of canvas: PixelCanvas) throws(ImageError) -> PixelBuffer {
    let encoding = encoding ?? .usual(forVideoOf: canvas.size)
    let layout = try PixelLayout(.i420(encoding), size: canvas.size)
    let memory = try pool.take(layout.byteCount)
    var matrix = encoding.forwardMatrix
    let bytesPerRow = canvas.bytesPerRow
    let offsets = layout.planeOffsets
    unsafe canvas.withUnsafeMutableBytes { bytes in
      guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      // SAFETY: the layout has no gaps, and the memory holds all of its bytes.
      unsafe fovea_argb_to_i420(
        pixels, bytesPerRow, memory.base, memory.base + offsets[1], memory.base + offsets[2],
        Int32(layout.size.width), Int32(layout.size.height), &matrix)
    }
    let planes = unsafe zip(offsets, layout.planeByteCounts).map { start, count in
      unsafe UnsafeRawBufferPointer(start: memory.base + start, count: count)
    }
    let pool = self.pool
    return try unsafe PixelBuffer(layout, adopting: planes, name: "video frame") { pool.give(memory) }
  }

  /// How many pieces of memory wait to be used again.
  var idleCount: Int { pool.idleCount }
}
