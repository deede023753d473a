// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
package import FoveaImage

/// A canvas that is no longer drawn on.
private final class FinishedCanvas: @unchecked Sendable {
  // SAFETY: from this point on its pixels are only read; nothing else refers to the canvas.
  let canvas: PixelCanvas
  init(_ canvas: PixelCanvas) { self.canvas = canvas }
}

extension PixelBuffer {
  /// Adopts the pixels of a canvas, without a copy.
  /// - Parameters:
  ///   - canvas: The image; it must not be drawn on any more.
  ///   - name: The name of the image in errors.
  /// - Throws: `ImageError` with `invalid-buffer` if the canvas exceeds `PixelLayout.maximumSide`.
  package init(adopting canvas: sending PixelCanvas, name: String) throws(ImageError) {
    let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
    let finished = FinishedCanvas(canvas)
    // SAFETY: the memory belongs to the canvas, which lives until the buffer releases it.
    let pixels = unsafe finished.canvas.withUnsafeMutableBytes { UnsafeRawBufferPointer($0) }
    try unsafe self.init(layout, adopting: [pixels], name: name) { withExtendedLifetime(finished) {} }
  }

  /// Copies the planes, one at a time, with the gaps between rows.
  func bytes() throws(ImageError) -> Data {
    try unsafe withUnsafePlanes { planes in
      var data = Data()
      data.reserveCapacity(layout.byteCount)
      for index in layout.planeOffsets.indices {
        let gap = layout.planeOffsets[index] - data.count
        data.append(contentsOf: repeatElement(0, count: gap))
        unsafe data.append(contentsOf: planes[index])
      }
      return data
    }
  }
}
