// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Copies the frames of a video to a canvas for drawing, one at a time, reusing memory.
///
/// Not `Sendable`: one owner draws at a time.
public final class FrameCanvas {
  private var canvas: PixelCanvas?
  private var stored: PixelMemory?

  /// Creates a frame canvas, without allocating memory.
  public init() {}

  /// Copies a frame at full size, upright.
  ///
  /// Nothing is allocated while sizes repeat.
  /// - Parameter frame: The frame in any pixel format.
  /// - Returns: The image on a canvas, which the next call overwrites.
  /// - Throws: `ImageError` if memory is exhausted, or the pixels were lent for a call that has ended.
  public func canvas(of frame: PixelBuffer) throws(ImageError) -> PixelCanvas {
    let canvas =
      canvas.flatMap { $0.size == frame.uprightSize ? $0 : nil } ?? PixelCanvas(size: frame.uprightSize)
    self.canvas = canvas
    if frame.orientation != .up, stored?.count != frame.size.area * 4 {
      stored = try PixelMemory(count: frame.size.area * 4, name: frame.name)
    }
    try frame.draw(on: canvas, stored: frame.orientation == .up ? nil : stored)
    return canvas
  }
}
