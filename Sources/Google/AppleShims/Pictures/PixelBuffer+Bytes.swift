// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
package import FoveaImage

/// A canvas on which no one draws any more.
private final class FinishedCanvas: @unchecked Sendable {
  // SAFETY: its pixels are only read from here on; no one else has the canvas.
  let canvas: PixelCanvas
  init(_ canvas: PixelCanvas) { self.canvas = canvas }
}

extension PixelBuffer {
  /// Takes the pixels of a canvas over, without a copy.
  /// - Parameters:
  ///   - canvas: The image; no one may draw on it any more.
  ///   - name: What errors call the image.
  /// - Throws: `ImageError` with `invalid-buffer` for a canvas beyond `PixelLayout.maximumSide`.
  package init(adopting canvas: sending PixelCanvas, name: String) throws(ImageError) {
    let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
    let finished = FinishedCanvas(canvas)
    // SAFETY: the memory belongs to the canvas, which lives until the buffer lets it go.
    let pixels = unsafe finished.canvas.withUnsafeMutableBytes { UnsafeRawBufferPointer($0) }
    try unsafe self.init(layout, adopting: [pixels], name: name) { withExtendedLifetime(finished) {} }
  }

  /// Copies the planes, one after the other, with the gaps between rows.
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
