// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// A frame like a camera's: a smooth background with a bright block, in one pixel format.
struct GeneratedFrame {
  let format: PixelFormat
  let size: PixelSize
  /// The left edge of the block, in pixels.
  let blockX: Int

  var name: String { "\(format) \(size), block at \(blockX)" }

  static func all() -> [GeneratedFrame] {
    let formats: [PixelFormat] = [.bgra, .rgb, .grey, .nv12(YUVEncoding())]
    return formats.enumerated().map { index, format in
      GeneratedFrame(
        format: format, size: PixelSize(width: 320 + 2 * index, height: 240), blockX: 40 + 50 * index)
    }
  }

  func buffer() throws(ImageError) -> PixelBuffer {
    let layout = try PixelLayout(format, size: size)
    var bytes: [UInt8] = []
    for plane in layout.planeByteCounts.indices {
      let stride = layout.bytesPerRow[plane]
      // Bytes of a pixel in the first plane, of a block of pixels in the second.
      let step = max(stride / size.width, 1)
      for position in 0..<layout.planeByteCounts[plane] {
        let (x, y) = (position % stride / step, position / stride)
        let isBlock = plane == 0 && x >= blockX && x < blockX + 90 && y >= 60 && y < 190
        bytes.append(
          isBlock ? UInt8(220 - 40 * (position % step)) : UInt8((x / 4 + y / 3 + 30 * plane) % 200))
      }
    }
    return try PixelBuffer(layout, bytes: bytes, name: name)
  }
}
