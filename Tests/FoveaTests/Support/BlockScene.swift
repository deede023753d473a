// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage

/// An image of plain blocks on black.
struct BlockScene {
  struct Block: Sendable {
    var label: String
    var box: BoundingBox
    var color: (red: UInt8, green: UInt8, blue: UInt8)
  }

  var size: PixelSize
  var blocks: [Block]

  /// The image as a PNG file.
  func png() throws -> [UInt8] {
    let canvas = PixelCanvas(size: size)
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for block in blocks {
        for y in Int(block.box.minY)..<Int(block.box.maxY) {
          for x in Int(block.box.minX)..<Int(block.box.maxX) {
            let pixel = y * canvas.bytesPerRow + x * 4
            unsafe bytes[pixel] = block.color.blue
            unsafe bytes[pixel + 1] = block.color.green
            unsafe bytes[pixel + 2] = block.color.red
          }
        }
      }
    }
    return try canvas.encoded(as: .png)
  }
}
