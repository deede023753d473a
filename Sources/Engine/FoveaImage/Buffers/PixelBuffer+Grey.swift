// SPDX-License-Identifier: Apache-2.0

import CYUV
import FoveaGeometry

extension PixelBuffer {
  /// Lends the brightness of each stored pixel to `body`, one byte each, without rotating the image upright.
  ///
  /// For grey and YUV this is the first plane, without a copy and in its own range. Other formats are
  /// converted, (77 R + 150 G + 29 B + 128) ÷ 256, into `memory`, which grows to the size of the image once
  /// and is then reused.
  /// - Parameters:
  ///   - memory: Working memory, reused between calls.
  ///   - body: Receives the first pixel, valid until it returns, and the distance between rows in bytes.
  /// - Returns: The result of `body`.
  /// - Throws: `ImageError` with `buffer-expired` if the pixels were lent for a call that has ended.
  ///
  /// **Source:** ITU-R BT.601-7, section 2.5.1: the weights of red, green and blue, in units of 1/256.
  package func withGreyPixels<R: Sendable>(
    memory: inout [UInt8], _ body: (UnsafePointer<UInt8>, _ bytesPerRow: Int) -> R
  ) throws(ImageError) -> R {
    let size = size
    if !layout.format.holdsGreyPlane, memory.count < size.area {
      memory = [UInt8](repeating: 0, count: size.area)
    }
    // SAFETY: the planes are valid inside `withPlanes` and as long as the layout requires; `memory` has a
    // byte for each pixel if it is written.
    return try unsafe memory.withUnsafeMutableBufferPointer { (memory) throws(ImageError) in
      try unsafe decoded.withPlanes { (image) throws(ImageError) in
        let plane = unsafe image.planes[0]
        guard !layout.format.holdsGreyPlane, let target = memory.baseAddress else {
          return unsafe body(plane.base, plane.bytesPerRow)
        }
        let rows = unsafe Int32(plane.bytesPerRow)
        let (width, height) = (Int32(size.width), Int32(size.height))
        switch layout.format.kind {
        case .bgra: unsafe _ = ARGBToJ400(plane.base, rows, target, width, width, height)
        case .rgba: unsafe _ = ABGRToJ400(plane.base, rows, target, width, width, height)
        case .rgb: unsafe _ = RAWToJ400(plane.base, rows, target, width, width, height)
        case .bgr: unsafe _ = RGB24ToJ400(plane.base, rows, target, width, width, height)
        case .grey, .nv12, .i420: break
        }
        return unsafe body(UnsafePointer(target), size.width)
      }
    }
  }
}

extension PixelFormat {
  /// Whether the first plane is brightness.
  fileprivate var holdsGreyPlane: Bool {
    switch kind {
    case .bgra, .rgba, .rgb, .bgr: false
    case .grey, .nv12, .i420: true
    }
  }
}
