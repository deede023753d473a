// SPDX-License-Identifier: Apache-2.0

import CPixels
import FoveaGeometry

/// Converts canvases to frames for a video encoder, reusing memory.
///
/// The memory of a frame is reused after the last copy of its buffer is released, on any thread; an encoder
/// may hold several frames. In the steady state no pixel memory is allocated.
///
/// Brightness is rounded to the nearest of 256 levels; Cb and Cr are means of 2 × 2 pixels.
package struct CanvasFrames: Sendable {
  /// The encoding of the frames; nil uses `YUVEncoding.usual(forVideoOf:)`.
  package let encoding: YUVEncoding?
  private let pool = FramePool()

  /// Creates a source of frames.
  /// - Parameter encoding: The encoding; nil, the default, uses the encoding that players expect for the
  ///   canvas's size. Pass `layout.format.encoding` of the frame to the encoder.
  package init(encoding: YUVEncoding? = nil) { self.encoding = encoding }

  /// Copies a canvas into planes of brightness, Cb and Cr.
  /// - Parameter canvas: The image; it may be modified as soon as this method returns.
  /// - Returns: An I420 buffer with the size of the canvas.
  /// - Throws: `ImageError` with `out-of-memory`, or `invalid-buffer` for a canvas larger than
  ///   `PixelLayout.maximumSide`.
  package func frame(of canvas: PixelCanvas) throws(ImageError) -> PixelBuffer {
    let encoding = encoding ?? .usual(forVideoOf: canvas.size)
    let layout = try PixelLayout(.i420(encoding), size: canvas.size)
    let memory = try pool.take(layout.byteCount)
    var matrix = encoding.forwardMatrix
    let bytesPerRow = canvas.bytesPerRow
    let offsets = layout.planeOffsets
    unsafe canvas.withUnsafeMutableBytes { bytes in
      guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      // SAFETY: the layout has no gaps, and the memory holds all its bytes.
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

  /// The number of memory blocks that are ready for reuse.
  var idleCount: Int { pool.idleCount }
}
