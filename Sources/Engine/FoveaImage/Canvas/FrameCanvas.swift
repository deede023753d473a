// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Copies the frames of a video to a canvas to draw on, one after the other, in memory that is used again.
///
/// Not `Sendable`: one owner draws at a time.
public final class FrameCanvas {
  private var canvas: PixelCanvas?
  private var stored: PixelMemory?

  /// Makes a holder without memory.
  public init() {}

  /// Copies a frame at full size and upright.
  ///
  /// While sizes repeat, nothing is allocated.
  /// - Parameter frame: The frame in any pixel format.
  /// - Returns: The image on a canvas, which the next call writes over.
  /// - Throws: `ImageError` when there is no memory, or the pixels were lent for a call that is over.
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
