// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// The pixels of a frame, or what stands for them where only its size matters.
enum FramePixels {
  /// Gives a buffer for the length of `body`.
  /// - Parameters:
  ///   - image: The frame; nil where boxes do not move with it.
  ///   - columns: What was found in it, with its size.
  ///   - body: Uses the buffer.
  /// - Returns: What `body` returns.
  /// - Throws: What is wrong with the frame; what `body` throws.
  static func with<R>(
    _ image: ImageArgument?, _ columns: DetectionColumns?, _ body: (PixelBuffer) throws(FoveaError) -> R
  ) throws(FoveaError) -> R {
    guard let image else { return try body(unread(columns)) }
    do {
      return try image.withPixels { pixels in
        try check(columns?.size, against: pixels.size)
        return try body(pixels)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private static func check(_ size: PixelSize?, against frame: PixelSize) throws(FoveaError) {
    guard let size, size != frame else { return }
    throw .argument("the frame is \(frame) pixels, and the image of the detections \(size)")
  }

  /// A buffer whose pixels no one may read, with the size and orientation of the frame.
  private static func unread(_ columns: DetectionColumns?) throws(FoveaError) -> PixelBuffer {
    guard let columns, let size = columns.size else {
      throw .argument("'widths' or 'heights' of detections is NULL, and there is no frame")
    }
    do {
      let layout = try PixelLayout(.grey, size: size)
      // SAFETY: the loan is over before anyone has the buffer, so its memory is never read.
      let nowhere = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: MemoryLayout<Int>.alignment), count: layout.byteCount)
      return try unsafe PixelBuffer.withUnsafeBorrowed(
        layout, planes: [nowhere], orientation: columns.orientation()
      ) { $0 }
    } catch {
      throw FoveaError(error)
    }
  }
}
