// SPDX-License-Identifier: Apache-2.0

import CTurboJPEG
import CYUV
import FoveaGeometry

extension EncodedImage {
  /// Decodes the image at full size, upright, for drawing.
  /// - Returns: The image on a canvas.
  /// - Throws: `ImageError` if the file is damaged or truncated, or memory is exhausted.
  public func canvas() throws(ImageError) -> PixelCanvas {
    let canvas = PixelCanvas(size: uprightSize)
    if orientation == .up {
      try unsafe canvas.withUnsafeMutableBytes { (bytes) throws(ImageError) in
        guard let base = bytes.baseAddress else { return }
        try unsafe decodeBGRX(into: base.assumingMemoryBound(to: UInt8.self), bytesPerRow: canvas.bytesPerRow)
      }
      return canvas
    }
    let memory = try PixelMemory(count: size.area * 4, name: name)
    try unsafe decodeBGRX(into: memory.base, bytesPerRow: size.width * 4)
    unsafe canvas.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe orientation.turn(
        memory.base, size.width * 4, stored: size, into: base.assumingMemoryBound(to: UInt8.self),
        canvas.bytesPerRow)
    }
    return canvas
  }

  private func decodeBGRX(into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) throws(ImageError) {
    if format == .jpeg {
      let decoder = ImageDecoder()
      let decoding = try unsafe JPEGDecoding(self, handle: decoder.handle(for: self))
      if try decoding.decodesToBGRX {
        try unsafe decoding.decodePacked(
          into: target, bytesPerRow: bytesPerRow, size: size, format: TJPF_BGRX)
        return
      }
    }
    let image = try decode()
    unsafe Self.expand(image, into: target, bytesPerRow: bytesPerRow)
  }

  private static func expand(
    _ image: DecodedImage, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) {
    let plane = unsafe image.planes[0]
    let width = Int32(image.size.width)
    let height = Int32(image.size.height)
    if image.layout == .grey {
      unsafe J400ToARGB(plane.base, Int32(plane.bytesPerRow), target, Int32(bytesPerRow), width, height)
    } else {
      // libyuv's RAW is red, green, blue in memory; its ARGB is blue, green, red, alpha.
      unsafe RAWToARGB(plane.base, Int32(plane.bytesPerRow), target, Int32(bytesPerRow), width, height)
    }
  }
}
