// SPDX-License-Identifier: Apache-2.0

import CYUV
import FoveaGeometry

extension PixelBuffer {
  /// Copies the pixels of a canvas.
  package init(copying canvas: PixelCanvas, name: String) throws(ImageError) {
    let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
    self = try unsafe canvas.withUnsafeMutableBytes { (bytes) throws(ImageError) in
      try unsafe PixelBuffer(layout, copying: [UnsafeRawBufferPointer(bytes)], name: name)
    }
  }

  /// Copies the image at full size, upright, for drawing.
  /// - Returns: The image on a canvas.
  /// - Throws: `ImageError` if memory is exhausted, or the pixels were lent for a call that has ended.
  public func canvas() throws(ImageError) -> PixelCanvas {
    let canvas = PixelCanvas(size: uprightSize)
    let stored = orientation == .up ? nil : try PixelMemory(count: size.area * 4, name: name)
    try draw(on: canvas, stored: stored)
    return canvas
  }

  /// Copies the image upright.
  /// - Parameters:
  ///   - canvas: A canvas of `uprightSize`.
  ///   - stored: Memory for the image before rotation, 4 bytes per pixel; nil if it is stored upright.
  /// - Throws: `ImageError` if the pixels were lent for a call that has ended.
  func draw(on canvas: PixelCanvas, stored: PixelMemory?) throws(ImageError) {
    try unsafe canvas.withUnsafeMutableBytes { (bytes) throws(ImageError) in
      guard let base = bytes.baseAddress else { return }
      let target = unsafe base.assumingMemoryBound(to: UInt8.self)
      if let stored {
        unsafe try convert(into: stored.base, bytesPerRow: size.width * 4)
        unsafe orientation.turn(stored.base, size.width * 4, stored: size, into: target, canvas.bytesPerRow)
      } else {
        unsafe try convert(into: target, bytesPerRow: canvas.bytesPerRow)
      }
    }
  }

  /// Writes blue, green, red and an unused byte, in the stored orientation.
  private func convert(into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) throws(ImageError) {
    let (width, height) = (Int32(size.width), Int32(size.height))
    let stride = Int32(bytesPerRow)
    let is709: Int32 = layout.format.encoding?.matrix == .bt709 ? 1 : 0
    let isFullRange: Int32 = layout.format.encoding?.range == .full ? 1 : 0
    try unsafe decoded.withPlanes { (image) throws(ImageError) in
      let (first, second, third) = unsafe (image.planes[0], image.planes[1], image.planes[2])
      let rows = unsafe Int32(first.bytesPerRow)
      switch layout.format.kind {
      case .bgra: unsafe _ = ARGBCopy(first.base, rows, target, stride, width, height)
      case .rgba: unsafe _ = ABGRToARGB(first.base, rows, target, stride, width, height)
      case .rgb: unsafe _ = RAWToARGB(first.base, rows, target, stride, width, height)
      case .bgr: unsafe _ = RGB24ToARGB(first.base, rows, target, stride, width, height)
      case .grey: unsafe _ = J400ToARGB(first.base, rows, target, stride, width, height)
      case .nv12:
        unsafe fovea_nv12_to_argb(
          first.base, rows, second.base, Int32(second.bytesPerRow), target, stride, is709, isFullRange, width,
          height)
      case .i420:
        unsafe fovea_i420_to_argb(
          first.base, rows, second.base, Int32(second.bytesPerRow), third.base, Int32(third.bytesPerRow),
          target, stride, is709, isFullRange, width, height)
      }
    }
  }
}
